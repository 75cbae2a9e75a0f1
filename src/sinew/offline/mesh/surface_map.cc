#include "sinew/offline/mesh/surface_map.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/disjoint_sets.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

Vector3d PlaceOf(const SurfaceMap& map, int v, const TriMesh& source) {
  const auto corners = Corners(source, map.triangles[v]);
  const Vector3d weights = map.barycentric[v].cast<double>();
  return weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2];
}

}  // namespace

void SurfaceMap::Add(int triangle, const Vector3d& weights, const Vector3d& offset) {
  triangles.push_back(triangle);
  barycentric.emplace_back(weights.cast<float>());
  offsets.emplace_back(offset.cast<float>());
}

SurfaceMap MapToClosest(const SurfaceQuery& source, const std::vector<Vector3d>& points) {
  std::vector<SurfacePoint> found(points.size());
  ParallelFor(static_cast<int>(points.size()), 256, [&](int v) {
    // Only points that are not finite find nothing: they are at the first triangle's first corner.
    found[v] = source.Closest(points[v].cast<float>()).value_or(SurfacePoint{0, points[v], Vector3d::UnitX(), 0});
  });
  SurfaceMap map;
  for (size_t v = 0; v < points.size(); ++v) {
    map.Add(found[v].triangle, found[v].barycentric, points[v] - found[v].point);
  }
  return map;
}

SurfaceMap MapWithinIslands(const FineMesh& source, const std::vector<Vector3d>& points, const std::vector<int>& near) {
  DisjointSets sets(static_cast<int>(source.positions.size()));
  for (const Eigen::Vector3i& t : source.triangles) sets.Join(t[0], t[1]), sets.Join(t[1], t[2]);
  // Triangles by island; all of them under -1.
  std::map<int, std::vector<int>> islands;
  for (size_t t = 0; t < source.triangles.size(); ++t) {
    islands[sets.Find(source.triangles[t][0])].push_back(static_cast<int>(t));
  }
  std::map<int, std::vector<int>> points_of;
  for (size_t p = 0; p < points.size(); ++p) {
    const int island = sets.Find(near[p]);
    points_of[islands.contains(island) ? island : -1].push_back(static_cast<int>(p));
  }
  if (points_of.contains(-1)) {
    for (size_t t = 0; t < source.triangles.size(); ++t) islands[-1].push_back(static_cast<int>(t));
  }
  const TriMesh all = ToTriMesh(source);
  SurfaceMap map;
  map.triangles.resize(points.size());
  map.barycentric.resize(points.size());
  map.offsets.resize(points.size());
  for (const auto& [island, own] : points_of) {
    const std::vector<int>& triangles = islands[island];
    TriMesh piece{all.positions, Triangles(static_cast<Eigen::Index>(triangles.size()), 3)};
    for (size_t t = 0; t < triangles.size(); ++t) {
      piece.triangles.row(static_cast<Eigen::Index>(t)) = all.triangles.row(triangles[t]);
    }
    std::vector<Vector3d> there;
    for (const int p : own) there.push_back(points[p]);
    const SurfaceMap mapped = MapToClosest(SurfaceQuery(piece), there);
    for (size_t i = 0; i < own.size(); ++i) {
      map.triangles[own[i]] = triangles[mapped.triangles[i]];
      map.barycentric[own[i]] = mapped.barycentric[i];
      map.offsets[own[i]] = mapped.offsets[i];
    }
  }
  return map;
}

SurfaceMap Chain(const SurfaceMap& first, const TriMesh& b, const SurfaceMap& second, const FineMesh& c) {
  const TriMesh surface = ToTriMesh(c);
  std::vector<Vector3d> places(first.count());
  std::vector<int> near(first.count());
  for (int v = 0; v < first.count(); ++v) {
    places[v].setZero();
    for (int k = 0; k < 3; ++k) {
      const int corner = b.triangles(first.triangles[v], k);
      places[v] += first.barycentric[v][k] * PlaceOf(second, corner, surface);
    }
    int largest = 0;
    first.barycentric[v].maxCoeff(&largest);
    near[v] = c.triangles[second.triangles[b.triangles(first.triangles[v], largest)]][0];
  }
  SurfaceMap map = MapWithinIslands(c, places, near);
  for (int v = 0; v < first.count(); ++v) {
    map.offsets[v] += first.offsets[v];
    for (int k = 0; k < 3; ++k) {
      map.offsets[v] += first.barycentric[v][k] * second.offsets[b.triangles(first.triangles[v], k)];
    }
  }
  return map;
}

Eigen::MatrixXd Interpolate(const SurfaceMap& map, const Triangles& source, const Eigen::MatrixXd& values) {
  Eigen::MatrixXd result(map.count(), values.cols());
  ParallelFor(map.count(), 256, [&](int v) {
    result.row(v).setZero();
    for (int k = 0; k < 3; ++k) {
      result.row(v) += map.barycentric[v][k] * values.row(source(map.triangles[v], k));
    }
  });
  return result;
}

SurfaceFollower::SurfaceFollower(const TriMesh& source, SurfaceMap map)
    : map_(std::move(map)), triangles_(source.triangles), welding_(WeldEqual(source.positions)) {
  for (int v = 0; v < map_.count(); ++v) {
    if (map_.triangles[v] >= 0 && map_.triangles[v] < source.triangle_count()) continue;
    throw UsageError(fmt::format("the map of vertex {} leads to triangle {}, but the surface has {} triangles", v,
                                 map_.triangles[v], source.triangle_count()));
  }
  welded_ = Weld(triangles_, welding_);
  edge_ends_.assign(welding_.welded_count(), -1);
  for (int t = 0; t < welded_.rows(); ++t) {
    for (int k = 0; k < 3; ++k) {
      int& end = edge_ends_[welded_(t, k)];
      if (end < 0 && welded_(t, (k + 1) % 3) != welded_(t, k)) end = welded_(t, (k + 1) % 3);
    }
  }
  rest_frames_ = Frames(source.positions);
}

std::vector<Eigen::Matrix3f> SurfaceFollower::Frames(const Points& positions) const {
  const auto at = [&](int welded) -> Vector3f { return positions.row(welding_.first_of[welded]); };
  std::vector<Vector3f> normals(welding_.welded_count(), Vector3f::Zero());
  for (int t = 0; t < welded_.rows(); ++t) {
    const Vector3f a = at(welded_(t, 0));
    const Vector3f normal = (at(welded_(t, 1)) - a).cross(at(welded_(t, 2)) - a);
    for (int k = 0; k < 3; ++k) normals[welded_(t, k)] += normal;
  }
  std::vector<Eigen::Matrix3f> frames(normals.size(), Eigen::Matrix3f::Identity());
  for (int v = 0; v < welding_.welded_count(); ++v) {
    if (edge_ends_[v] < 0) continue;
    const Vector3f n = normals[v].stableNormalized(), edge = at(edge_ends_[v]) - at(v);
    const Vector3f t = (edge - edge.dot(n) * n).stableNormalized();
    if (n.squaredNorm() > 0.5f && t.squaredNorm() > 0.5f) frames[v] << n, t, n.cross(t);
  }
  return frames;
}

Points SurfaceFollower::Follow(const Points& deformed) const {
  if (deformed.rows() != source_vertices()) {
    throw UsageError(fmt::format("a shape of {} vertices cannot be carried over from a surface of {}", deformed.rows(),
                                 source_vertices()));
  }
  const std::vector<Eigen::Matrix3f> frames = Frames(deformed);
  Points result(map_.count(), 3);
  ParallelFor(map_.count(), 256, [&](int v) {
    Vector3f place = Vector3f::Zero(), turned = Vector3f::Zero();
    for (int k = 0; k < 3; ++k) {
      const int t = map_.triangles[v], welded = welded_(t, k);
      const float share = map_.barycentric[v][k];
      place += share * deformed.row(triangles_(t, k)).transpose();
      turned += share * (frames[welded] * (rest_frames_[welded].transpose() * map_.offsets[v]));
    }
    // The mean of three turned offsets is shorter than they are.
    const float length = turned.norm();
    if (length > 0) turned *= map_.offsets[v].norm() / length;
    result.row(v) = place + turned;
  });
  return result;
}

}  // namespace sinew
