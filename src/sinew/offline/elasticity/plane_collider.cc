#include "sinew/offline/elasticity/plane_collider.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/offline/core/error.h"

namespace sinew::elasticity {
namespace {

using Eigen::Vector2d;

double Cross(const Vector2d& a, const Vector2d& b) { return a[0] * b[1] - a[1] * b[0]; }

double SignedArea(const std::vector<Vector2d>& corners) {
  double area = 0;
  for (size_t i = 0; i < corners.size(); ++i) area += Cross(corners[i], corners[(i + 1) % corners.size()]) / 2;
  return area;
}

// Corners that alternate between two radii, the first at the top.
std::vector<Vector2d> StarCorners(int points, double outer, double inner) {
  std::vector<Vector2d> corners;
  for (int i = 0; i < 2 * points; ++i) {
    const double angle = std::numbers::pi * (0.5 + static_cast<double>(i) / points);
    corners.push_back((i % 2 == 0 ? outer : inner) * Vector2d(std::cos(angle), std::sin(angle)));
  }
  return corners;
}

}  // namespace

PlaneCollider::PlaneCollider(std::vector<Vector2d> corners, double rounding)
    : corners_(std::move(corners)), rounding_(rounding) {
  if (corners_.size() < 3 || !(rounding >= 0) || !(SignedArea(corners_) > 0)) {
    throw UsageError(
        fmt::format("a collider of {} corners, rounded by {}; give at least three, counter-clockwise, and a "
                    "rounding of at least 0",
                    corners_.size(), rounding));
  }
  Vector2d low = corners_[0], high = corners_[0];
  for (const Vector2d& corner : corners_) {
    radius_ = std::max(radius_, corner.norm() + rounding);
    low = low.cwiseMin(corner);
    high = high.cwiseMax(corner);
  }
  size_ = (high - low).minCoeff() + 2 * rounding;
}

PlaneDistance PlaneCollider::Distance(const Vector2d& x) const {
  double nearest = std::numeric_limits<double>::infinity();
  Vector2d offset = Vector2d::Zero(), normal = Vector2d::UnitX();
  bool inside = false;
  for (size_t i = 0; i < corners_.size(); ++i) {
    const Vector2d &a = corners_[i], &b = corners_[(i + 1) % corners_.size()];
    const Vector2d edge = b - a, from_a = x - a;
    const double t = std::clamp(from_a.dot(edge) / edge.squaredNorm(), 0.0, 1.0);
    const Vector2d away = from_a - t * edge;
    if (away.squaredNorm() < nearest) {
      nearest = away.squaredNorm();
      offset = away;
      normal = Vector2d(edge[1], -edge[0]).normalized();
    }
    // A ray to the right crosses the boundary an odd number of times if it starts inside.
    if ((a[1] > x[1]) != (b[1] > x[1]) && x[0] < a[0] + edge[0] * (x[1] - a[1]) / edge[1]) inside = !inside;
  }
  const double length = std::sqrt(nearest), sign = inside ? -1 : 1;
  // On the polygon itself the offset has no direction.
  const Vector2d gradient = length > 1e-12 * radius_ ? Vector2d(sign / length * offset) : normal;
  return {.distance = sign * length - rounding_, .gradient = gradient};
}

PlaneCollider MakePlaneCollider(const std::string& name, double radius) {
  if (!(radius > 0) || !std::isfinite(radius)) {
    throw UsageError(fmt::format("a collider of radius {}; give a radius above 0", radius));
  }
  const double rounding = radius / 8, reach = radius - rounding;
  if (name == "cube") {
    const double half = reach / std::numbers::sqrt2;
    return PlaneCollider({{-half, -half}, {half, -half}, {half, half}, {-half, half}}, rounding);
  }
  if (name == "cone") {
    const double low = reach * 0.9, half = std::sqrt(reach * reach - low * low);
    return PlaneCollider({{-half, -low}, {half, -low}, {0, reach}}, rounding);
  }
  if (name == "star") return PlaneCollider(StarCorners(5, reach, 0.45 * reach), rounding);
  throw UsageError(fmt::format("there is no collider '{}'; give cube, cone or star", name));
}

Eigen::Matrix2d PlanePose::Rotation() const {
  const double c = std::cos(angle), s = std::sin(angle);
  Eigen::Matrix2d R;
  R << c, -s, s, c;
  return R;
}

}  // namespace sinew::elasticity
