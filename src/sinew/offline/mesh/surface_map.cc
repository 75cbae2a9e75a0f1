#include "sinew/offline/mesh/surface_map.h"

#include <fmt/format.h>

#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
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

SurfaceMap Chain(const SurfaceMap& first, const TriMesh& b, const SurfaceMap& second, const TriMesh& c) {
  SurfaceMap map;
  for (int v = 0; v < first.count(); ++v) {
    const auto corner = b.triangles.row(first.triangles[v]);
    int largest = 0;
    first.barycentric[v].maxCoeff(&largest);
    const int through = corner[largest];
    const int triangle = second.triangles[through];
    bool same = true;
    Vector3d weights = Vector3d::Zero(), offset = first.offsets[v].cast<double>(), place = Vector3d::Zero();
    for (int k = 0; k < 3; ++k) {
      const double share = first.barycentric[v][k];
      same = same && (share == 0 || second.triangles[corner[k]] == triangle);
      weights += share * second.barycentric[corner[k]].cast<double>();
      offset += share * second.offsets[corner[k]].cast<double>();
      place += share * PlaceOf(second, corner[k], c);
    }
    if (!same) {
      weights = second.barycentric[through].cast<double>();
      offset += place - PlaceOf(second, through, c);
    }
    map.Add(triangle, weights, offset);
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
