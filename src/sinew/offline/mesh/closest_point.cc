#include "sinew/offline/mesh/closest_point.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace sinew {
namespace {

using Eigen::Vector3d;

// Parameter of the nearest point of a segment: 0 at a, 1 at b.
double NearestOnSegment(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const Vector3d ab = b - a;
  const double squared = ab.squaredNorm();
  return squared > 0 ? std::clamp((p - a).dot(ab) / squared, 0.0, 1.0) : 0.0;
}

}  // namespace

TrianglePoint ClosestPointOnTriangle(const Vector3d& p, const std::array<Vector3d, 3>& t) {
  const Vector3d normal = (t[1] - t[0]).cross(t[2] - t[0]);
  const double squared = normal.squaredNorm();
  if (squared > 0) {
    Vector3d barycentric;
    for (int k = 0; k < 3; ++k) {
      const Vector3d& b = t[(k + 1) % 3];
      const Vector3d& c = t[(k + 2) % 3];
      barycentric[k] = (c - b).cross(p - b).dot(normal) / squared;
    }
    if (barycentric.minCoeff() >= 0) {
      barycentric /= barycentric.sum();
      return {barycentric[0] * t[0] + barycentric[1] * t[1] + barycentric[2] * t[2], barycentric};
    }
  }
  TrianglePoint best;
  double best_distance = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const double u = NearestOnSegment(p, t[k], t[next]);
    const Vector3d point = t[k] + u * (t[next] - t[k]);
    const double distance = (p - point).squaredNorm();
    if (distance >= best_distance) continue;
    best_distance = distance;
    best.point = point;
    best.barycentric.setZero();
    best.barycentric[k] = 1 - u;
    best.barycentric[next] = u;
  }
  return best;
}

}  // namespace sinew
