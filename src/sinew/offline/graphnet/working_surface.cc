#include "sinew/offline/graphnet/working_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/offline/core/error.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::graphnet {
namespace {

constexpr int kRegions = 20;  // of level 0 of the hierarchy, which nothing here uses

std::vector<int> FirstVertices(const std::vector<int>& point_of_vertex, int points) {
  std::vector<int> first(points, -1);
  for (int v = static_cast<int>(point_of_vertex.size()) - 1; v >= 0; --v) first[point_of_vertex[v]] = v;
  return first;
}

}  // namespace

int PointsOfEdge(double area, double edge) {
  // Of six triangles around a point, each a third is its own: sqrt(3) / 2 edge^2.
  const double points = area / (std::sqrt(3.0) / 2 * edge * edge);
  return static_cast<int>(std::min(points, static_cast<double>(std::numeric_limits<int>::max())));
}

void WorkingSurface::Take(const RestSurface& surface) {
  const Eigen::Affine3f model_from_bind = surface.placement.model_from_bind.cast<float>();
  rest = (surface.welded.positions * model_from_bind.linear().transpose()).rowwise() +
         model_from_bind.translation().transpose();
  triangles = surface.welded.triangles;
  for (const int v : surface.welding.first_of) influences.push_back(surface.influences[v]);
}

WorkingSurface::WorkingSurface(const RestSurface& surface) {
  Take(surface);
  first_vertex_ = surface.welding.first_of;
  for (const int point : surface.welding.welded_of) {
    corners_.push_back({point, point, point});
    weights_.push_back({1, 0, 0});
  }
}

WorkingSurface::WorkingSurface(const Character& character, const std::string& file, int points) {
  lod::HierarchyNotes notes;
  const lod::Hierarchy hierarchy =
      lod::BuildHierarchy(character, file, {.points = {points}, .regions = kRegions}, &notes);
  if (hierarchy.level_count() < 2) {
    throw InputError(file, "mesh", "has no working level: " + Sentence(notes.left_out.front()),
                     "use a network without a working level");
  }
  const lod::Level &coarse = hierarchy.level(1), &fine = hierarchy.level(2);
  const RestSurface surface = CollectRestSurface(coarse.character);
  Take(surface);
  const std::vector<int> first = FirstVertices(coarse.point_of_vertex, coarse.point_count);
  for (const int v : first) point_of_.push_back(surface.welding.welded_of[v]);
  const lod::Upsampling& U = hierarchy.U[1];
  for (const int point : fine.point_of_vertex) {
    const std::array<int, 3>& corners = U.corners[point];
    corners_.push_back({point_of_[corners[0]], point_of_[corners[1]], point_of_[corners[2]]});
    weights_.push_back(U.weights[point]);
  }
  first_vertex_ = FirstVertices(fine.point_of_vertex, fine.point_count);
  coarsening_ = std::make_unique<lod::Coarsening>(U);
}

Points WorkingSurface::ToVertices(const Points& field) const {
  Points vertices(static_cast<Eigen::Index>(corners_.size()), field.cols());
  for (size_t v = 0; v < corners_.size(); ++v) {
    const auto& [a, b, c] = corners_[v];
    vertices.row(static_cast<Eigen::Index>(v)) =
        weights_[v][0] * field.row(a) + weights_[v][1] * field.row(b) + weights_[v][2] * field.row(c);
  }
  return vertices;
}

Points WorkingSurface::FromVertices(const Points& field) const {
  const Points fine = field(first_vertex_, Eigen::all);
  if (coarsening_ == nullptr) return fine;
  const Eigen::MatrixXd coarse = coarsening_->Apply(fine.cast<double>());
  Points points(this->points(), field.cols());
  for (size_t c = 0; c < point_of_.size(); ++c) points.row(point_of_[c]) = coarse.row(c).cast<float>();
  return points;
}

}  // namespace sinew::graphnet
