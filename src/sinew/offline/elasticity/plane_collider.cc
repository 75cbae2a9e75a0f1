#include "sinew/offline/elasticity/plane_collider.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/offline/core/error.h"
#include "sinew/runtime/kernels/polygon_distance.h"

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
  const runtime::PlaneDistanceSample sample = runtime::RoundedPolygonDistance(
      corners_.front().data(), static_cast<int>(corners_.size()), rounding_, 1e-12 * radius_, x[0], x[1]);
  return {.distance = sample.distance, .gradient = {sample.gradient_x, sample.gradient_y}};
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
