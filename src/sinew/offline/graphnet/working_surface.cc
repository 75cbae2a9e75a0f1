#include "sinew/offline/graphnet/working_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sinew/offline/mesh/disjoint_sets.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/nearest_point.h"
#include "sinew/offline/remesh/remesh_triangles.h"
#include "sinew/offline/remesh/split_long_edges.h"

namespace sinew::graphnet {
namespace {

using Eigen::Vector3d;

constexpr double kExponent = 0;  // of RemeshIsotropic: the same edge length everywhere
// Edges of the file longer than this many edges of the working level are split before remeshing, which sees shapes and
// sizes only at vertices; up to so many vertices.
constexpr double kLongest = 1.5;
constexpr int kMaxSplit = 200000;

// Length of the edges with which a surface has so many points: of six triangles around a point, each a third is its
// own, which is sqrt(3) / 2 edge^2.
double EdgeOfPoints(double area, int points) { return std::sqrt(area / (std::sqrt(3.0) / 2 * points)); }

// The triangles of a surface that have three different corners, cut to the working level's size.
struct Source {
  SplitMesh split;
  std::vector<Eigen::Vector3i> triangles;  // before the cut
  double scale = 1;                        // of its lengths: the remesher's limits are for surfaces of about 1
};

Source SourceOf(const TriMesh& mesh, int points) {
  Source source;
  source.scale = 1 / std::sqrt(SurfaceArea(mesh));
  FineMesh fine;
  for (const auto row : mesh.positions.rowwise())
    fine.positions.emplace_back(row.transpose().cast<double>() * source.scale);
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const Eigen::Vector3i corners = mesh.triangles.row(t).transpose();
    if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
      fine.triangles.push_back(corners);
  }
  source.split = SplitLongEdges(fine, kLongest * EdgeOfPoints(1, points), kMaxSplit);
  source.triangles = std::move(fine.triangles);
  return source;
}

// Returns for each of the points, which are the first vertices of the source, the nearest new vertex on its own island;
// for a point without triangles the nearest of all.
std::vector<int> NearestOnIsland(const FineMesh& source, const std::vector<Vector3d>& points,
                                 const RemeshedTriangles& remeshed) {
  DisjointSets islands(static_cast<int>(source.positions.size()));
  for (const Eigen::Vector3i& t : source.triangles) islands.Join(t[0], t[1]), islands.Join(t[1], t[2]);
  std::map<int, std::vector<int>> members;  // new vertices by island; all of them under -1
  for (int v = 0; v < remeshed.map.count(); ++v) {
    members[islands.Find(source.triangles[remeshed.map.triangles[v]][0])].push_back(v);
    members[-1].push_back(v);
  }
  std::map<int, std::vector<int>> asking;  // points, likewise
  for (int p = 0; p < static_cast<int>(points.size()); ++p) {
    const int island = islands.Find(p);
    asking[members.contains(island) ? island : -1].push_back(p);
  }
  std::vector<int> nearest(points.size());
  for (const auto& [island, waiting] : asking) {
    const std::vector<int>& own = members[island];
    std::vector<Vector3d> places;
    for (const int v : own) places.push_back(remeshed.result.mesh.positions[v]);
    const NearestPoint tree(std::move(places));
    for (const int p : waiting) nearest[p] = own[tree.Find(points[p]).index];
  }
  return nearest;
}

// Mean of the influences of three points, strongest first. Points that no joint moves do not count.
Influences Interpolated(const std::array<const Influences*, 3>& corners, const std::array<float, 3>& shares) {
  std::map<int, double> weights;
  for (int c = 0; c < 3; ++c) {
    for (int k = 0; k < corners[c]->count; ++k) weights[corners[c]->joints[k]] += shares[c] * corners[c]->weights[k];
  }
  std::vector<std::pair<int, double>> sorted(weights.begin(), weights.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  Influences result;
  for (const auto& [joint, weight] : sorted) {
    if (!(weight > 0) || result.count == kMaxInfluences) break;
    result.joints[result.count] = joint;
    result.weights[result.count++] = weight;
  }
  if (result.count > 0) Normalize(result);
  return result;
}

}  // namespace

int PointsOfEdge(double area, double edge) {
  const double points = area / (std::sqrt(3.0) / 2 * edge * edge);  // the inverse of EdgeOfPoints()
  return static_cast<int>(std::min(points, static_cast<double>(std::numeric_limits<int>::max())));
}

void WorkingSurface::Take(const RestSurface& surface) {
  const Eigen::Affine3f model_from_bind = surface.placement.model_from_bind.cast<float>();
  rest = (surface.welded.positions * model_from_bind.linear().transpose()).rowwise() +
         model_from_bind.translation().transpose();
  triangles = surface.welded.triangles;
  for (const int v : surface.welding.first_of) {
    influences.push_back(surface.influences[v]);
    of_points_.push_back({{v, v, v}, {1, 0, 0}});
  }
  for (const int point : surface.welding.welded_of) of_vertices_.push_back({{point, point, point}, {1, 0, 0}});
}

WorkingSurface::WorkingSurface(const RestSurface& surface) { Take(surface); }

WorkingSurface::WorkingSurface(const RestSurface& surface, int points) {
  Take(surface);
  Remesh(points);
}

void WorkingSurface::Remesh(int points) {
  const Source source = SourceOf({rest, triangles}, points);
  const SplitMesh& split = source.split;
  const RemeshedTriangles remeshed =
      RemeshIsotropic({split.mesh, {}}, {.vertex_count = points, .exponent = kExponent, .seed = 0});
  const FineMesh& made = remeshed.result.mesh;

  // From the new points to the vertices of the file.
  std::vector<Influences> mixed;
  std::vector<Mix> mixes;
  for (int v = 0; v < remeshed.map.count(); ++v) {
    const int t = remeshed.map.triangles[v];
    const Eigen::Vector3i corners = source.triangles[split.sources[t]];
    const Eigen::Vector3f shares = (split.corners[t] * remeshed.map.barycentric[v].cast<double>()).cast<float>();
    mixes.push_back({{}, {shares[0], shares[1], shares[2]}});
    for (int k = 0; k < 3; ++k) mixes.back().rows[k] = of_points_[corners[k]].rows[0];
    mixed.push_back(Interpolated({&influences[corners[0]], &influences[corners[1]], &influences[corners[2]]},
                                 mixes.back().weights));
  }

  // From the vertices of the file to the new points.
  const std::vector<Vector3d> places(split.mesh.positions.begin(), split.mesh.positions.begin() + rest.rows());
  const SurfaceMap back = MapWithinIslands(made, places, NearestOnIsland(split.mesh, places, remeshed));
  for (Mix& mix : of_vertices_) {
    const int point = mix.rows[0];
    const Eigen::Vector3i corners = made.triangles[back.triangles[point]];
    for (int k = 0; k < 3; ++k) {
      mix.rows[k] = corners[k];
      mix.weights[k] = back.barycentric[point][k];
    }
  }

  TriMesh mesh = ToTriMesh(made);
  rest = mesh.positions / static_cast<float>(source.scale);
  triangles = std::move(mesh.triangles);
  influences = std::move(mixed);
  of_points_ = std::move(mixes);
}

Points WorkingSurface::MixRows(const std::vector<Mix>& mixes, const Points& field) {
  Points mixed(static_cast<Eigen::Index>(mixes.size()), field.cols());
  for (size_t i = 0; i < mixes.size(); ++i) {
    const auto& [a, b, c] = mixes[i].rows;
    const std::array<float, 3>& w = mixes[i].weights;
    mixed.row(static_cast<Eigen::Index>(i)) = w[0] * field.row(a) + w[1] * field.row(b) + w[2] * field.row(c);
  }
  return mixed;
}

Points WorkingSurface::ToVertices(const Points& field) const { return MixRows(of_vertices_, field); }
Points WorkingSurface::FromVertices(const Points& field) const { return MixRows(of_points_, field); }

}  // namespace sinew::graphnet
