#include "sinew/offline/bodies/carry_wedges.h"

#include <algorithm>
#include <array>
#include <vector>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/closest_point.h"
#include "sinew/offline/mesh/csr.h"

namespace sinew::bodies {
namespace {

using Eigen::Vector3d;
// Largest number of the source's triangles that are searched for a corner.
constexpr int kSearched = 4000;
// Largest difference between attributes of one wedge.
constexpr double kSame = 1e-6;

// Place on the source, for one corner of a new triangle.
struct Place {
  int triangle = -1;
  Vector3d barycentric = Vector3d::Zero();
};

class Sampler {
 public:
  Sampler(const lod::Surface& source, const RemeshedTriangles& remeshed)
      : source_(source),
        remeshed_(remeshed),
        around_(BuildCsr(source.wedge_count(),
                         [&](const auto& put) {
                           for (int t = 0; t < source.triangle_count(); ++t) {
                             for (int k = 0; k < 3; ++k) put(source.wedges[t][k], t);
                           }
                         })),
        around_points_(BuildCsr(source.point_count(), [&](const auto& put) {
          for (int t = 0; t < source.triangle_count(); ++t) {
            for (int k = 0; k < 3; ++k) put(source.triangles[t][k], t);
          }
        })) {}

  // Returns the places of a new triangle's corners, all on one side of every seam.
  std::array<Place, 3> Sample(int t) const {
    const Eigen::Vector3i& corners = remeshed_.result.mesh.triangles[t];
    std::array<Place, 3> own;
    for (int k = 0; k < 3; ++k) {
      own[k] = {remeshed_.map.triangles[corners[k]], remeshed_.map.barycentric[corners[k]].cast<double>()};
    }
    if (source_.wedge_attributes.cols() == 0) return own;
    const std::vector<int> near = Connected(remeshed_.result.labels[t], own);
    std::array<Place, 3> places;
    for (int k = 0; k < 3; ++k) {
      const bool reached = std::find(near.begin(), near.end(), own[k].triangle) != near.end();
      places[k] = reached ? own[k] : Nearest(near, PositionOf(own[k]));
    }
    return places;
  }

  Eigen::RowVectorXd Attributes(const Place& place) const {
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(source_.wedge_attributes.cols());
    for (int k = 0; k < 3; ++k) {
      row += place.barycentric[k] * source_.wedge_attributes.row(source_.wedges[place.triangle][k]);
    }
    return row;
  }

 private:
  std::array<Vector3d, 3> CornersOf(int triangle) const {
    const Eigen::Vector3i& t = source_.triangles[triangle];
    return {source_.positions[t[0]], source_.positions[t[1]], source_.positions[t[2]]};
  }

  Vector3d PositionOf(const Place& place) const {
    const std::array<Vector3d, 3> corners = CornersOf(place.triangle);
    return place.barycentric[0] * corners[0] + place.barycentric[1] * corners[1] + place.barycentric[2] * corners[2];
  }

  // The triangle of a part with the least distance among those that touch the corners' own.
  template <typename Distance>
  int StartOf(int part, const std::array<Place, 3>& own, const Distance& distance) const {
    int start = -1;
    double least = 0;
    for (const Place& place : own) {
      for (int k = 0; k < 3; ++k) {
        for (const int s : around_points_[source_.triangles[place.triangle][k]]) {
          if (source_.part_of[s] != part) continue;
          const double away = distance(s);
          if (start < 0 || away < least) start = s, least = away;
        }
      }
    }
    return start >= 0 ? start : own[0].triangle;
  }

  // Triangles of the source below a new triangle, connected without crossing a seam to the one nearest to its middle.
  // Places on the source count, not the vertices themselves, which may be a coat's thickness away.
  std::vector<int> Connected(int part, const std::array<Place, 3>& own) const {
    const std::array<Vector3d, 3> corners = {PositionOf(own[0]), PositionOf(own[1]), PositionOf(own[2])};
    const Vector3d middle = (corners[0] + corners[1] + corners[2]) / 3;
    double reach = 0;
    for (const Vector3d& corner : corners) reach = std::max(reach, (corner - middle).norm());
    const auto distance = [&](int s) { return (ClosestPointOnTriangle(middle, CornersOf(s)).point - middle).norm(); };
    std::vector<int> found = {StartOf(part, own, distance)};
    for (size_t next = 0; next < found.size() && next < kSearched; ++next) {
      for (int k = 0; k < 3; ++k) {
        for (const int s : around_[source_.wedges[found[next]][k]]) {
          if (std::find(found.begin(), found.end(), s) != found.end()) continue;
          if (distance(s) <= 1.05 * reach) found.push_back(s);
        }
      }
    }
    return found;
  }

  Place Nearest(const std::vector<int>& triangles, const Vector3d& point) const {
    Place best;
    double least = 0;
    for (const int s : triangles) {
      const TrianglePoint at = ClosestPointOnTriangle(point, CornersOf(s));
      const double distance = (at.point - point).squaredNorm();
      if (best.triangle < 0 || distance < least) best = {s, at.barycentric}, least = distance;
    }
    return best;
  }

  const lod::Surface& source_;
  const RemeshedTriangles& remeshed_;
  Csr around_, around_points_;  // triangles around each wedge and each point
};

}  // namespace

lod::Surface CarryWedges(const lod::Surface& source, const RemeshedTriangles& remeshed) {
  const FineMesh& mesh = remeshed.result.mesh;
  const int triangles = static_cast<int>(mesh.triangles.size());
  const Sampler sampler(source, remeshed);
  std::vector<std::array<Place, 3>> places(triangles);
  ParallelFor(triangles, 64, [&](int t) { places[t] = sampler.Sample(t); });
  // Triangles part by part, as Surface wants them.
  std::vector<int> order(triangles);
  for (int t = 0; t < triangles; ++t) order[t] = t;
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return remeshed.result.labels[a] < remeshed.result.labels[b]; });
  lod::Surface surface;
  surface.positions = mesh.positions;
  std::vector<std::vector<int>> wedges_at(mesh.positions.size());
  std::vector<Eigen::RowVectorXd> rows;
  std::vector<int> part_of_wedge;
  for (const int t : order) {
    const int part = remeshed.result.labels[t];
    surface.triangles.push_back(mesh.triangles[t]);
    surface.part_of.push_back(part);
    Eigen::Vector3i wedges;
    for (int k = 0; k < 3; ++k) {
      const int point = mesh.triangles[t][k];
      const Eigen::RowVectorXd row = sampler.Attributes(places[t][k]);
      const auto same = [&](int w) {
        return part_of_wedge[w] == part && (row.size() == 0 || (rows[w] - row).cwiseAbs().maxCoeff() <= kSame);
      };
      auto found = std::find_if(wedges_at[point].begin(), wedges_at[point].end(), same);
      if (found == wedges_at[point].end()) {
        wedges_at[point].push_back(static_cast<int>(rows.size()));
        found = wedges_at[point].end() - 1;
        rows.push_back(row);
        part_of_wedge.push_back(part);
        surface.point_of_wedge.push_back(point);
      }
      wedges[k] = *found;
    }
    surface.wedges.push_back(wedges);
  }
  surface.wedge_attributes.resize(static_cast<Eigen::Index>(rows.size()), source.wedge_attributes.cols());
  for (size_t w = 0; w < rows.size(); ++w) surface.wedge_attributes.row(static_cast<Eigen::Index>(w)) = rows[w];
  return surface;
}

}  // namespace sinew::bodies
