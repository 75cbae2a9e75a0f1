#include "sinew/offline/elasticity/solid_collider.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/runtime/kernels/solid_distance.h"

namespace sinew::elasticity {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

void RequireAboveZero(double value, const char* what) {
  if (value > 0 && std::isfinite(value)) return;
  throw UsageError(fmt::format("a collider with {} of {}; give one above 0", what, value));
}

void RequireSymmetric(const PlaneCollider& polygon) {
  for (const Vector2d& corner : polygon.corners()) {
    const auto is_mirrored = [&](const Vector2d& other) {
      return (other - Vector2d(-corner[0], corner[1])).norm() <= 1e-9 * polygon.radius();
    };
    if (std::none_of(polygon.corners().begin(), polygon.corners().end(), is_mirrored)) {
      throw UsageError("a polygon that is turned around y has to be the same on both sides of it");
    }
  }
}

// Shape of the plane, without rounding, such that its farthest corner is at `reach`.
PlaneCollider Outline(const std::string& name, double reach) {
  std::vector<Vector2d> corners = MakePlaneCollider(name, 1).corners();
  double farthest = 0;
  for (const Vector2d& corner : corners) farthest = std::max(farthest, corner.norm());
  for (Vector2d& corner : corners) corner *= reach / farthest;
  return {corners, 0};
}

}  // namespace

SolidCollider::SolidCollider(const PlaneCollider& polygon, double half_depth, double rounding)
    : polygon_(PlaneCollider(polygon.corners(), 0)), half_depth_(half_depth), rounding_(rounding) {
  Vector2d low = polygon.corners()[0], high = low;
  for (const Vector2d& corner : polygon.corners()) {
    radius_ = std::max(radius_, std::hypot(corner[0], corner[1], half_depth) + rounding);
    low = low.cwiseMin(corner);
    high = high.cwiseMax(corner);
  }
  const double flat = (high - low).minCoeff();
  size_ = (half_depth > 0 ? std::min(flat, 2 * half_depth) : flat) + 2 * rounding;
}

SolidCollider SolidCollider::Extruded(const PlaneCollider& polygon, double half_depth, double rounding) {
  RequireAboveZero(half_depth, "a depth");
  RequireAboveZero(rounding, "a rounding");
  return {polygon, half_depth, rounding};
}

SolidCollider SolidCollider::Turned(const PlaneCollider& polygon, double rounding) {
  RequireAboveZero(rounding, "a rounding");
  RequireSymmetric(polygon);
  return {polygon, 0, rounding};
}

SolidCollider::SolidCollider(double sphere_radius, double rounding)
    : sphere_radius_(sphere_radius),
      rounding_(rounding),
      radius_(sphere_radius + rounding),
      size_(sphere_radius + 2 * rounding) {}

SolidCollider SolidCollider::Shell(double sphere_radius, double rounding) {
  RequireAboveZero(sphere_radius, "a shell");
  RequireAboveZero(rounding, "a rounding");
  return {sphere_radius, rounding};
}

SolidDistance SolidCollider::ShellDistance(const Vector3d& x) const {
  if (x[1] >= 0) {
    // The nearest point of the sphere is on the way from its middle, and so in the upper half.
    const double length = x.norm();
    const Vector3d away = length > 0 ? Vector3d(x / length) : Vector3d::UnitY();
    const double beyond = length - sphere_radius_;
    return {std::abs(beyond) - rounding_, beyond < 0 ? Vector3d(-away) : away};
  }
  // Below, it is on the rim.
  const double off = std::hypot(x[0], x[2]);
  const Vector3d away = off > 0 ? Vector3d(x[0] / off, 0, x[2] / off) : Vector3d::UnitX();
  const Vector3d from_rim = x - sphere_radius_ * away;
  return {from_rim.norm() - rounding_, from_rim.normalized()};
}

SolidDistance SolidCollider::Distance(const Vector3d& x) const {
  if (!polygon_) return ShellDistance(x);
  const double* corners = polygon_->corners().front().data();
  const auto count = static_cast<int>(polygon_->corners().size());
  const double tiny = 1e-12 * polygon_->radius();
  const runtime::SolidDistanceSample sample =
      half_depth_ == 0 ? runtime::TurnedDistance(corners, count, rounding_, tiny, x.data())
                       : runtime::ExtrudedDistance(corners, count, half_depth_, rounding_, tiny, x.data());
  return {sample.distance, Vector3d(sample.gradient)};
}

SolidCollider MakeSolidCollider(const std::string& name, double radius) {
  RequireAboveZero(radius, "a radius");
  const double rounding = radius / 8, reach = radius - rounding;
  if (name == "cube") {
    const double half = reach / std::sqrt(3.0);
    return SolidCollider::Extruded(Outline(name, half * std::sqrt(2.0)), half, rounding);
  }
  if (name == "cone") return SolidCollider::Turned(Outline(name, reach), rounding);
  if (name == "star") {
    const double half = radius / 4 - rounding;
    return SolidCollider::Extruded(Outline(name, std::sqrt(reach * reach - half * half)), half, rounding);
  }
  if (name == "shell") return SolidCollider::Shell(reach, rounding);
  throw UsageError(fmt::format("there is no collider '{}'; give cube, cone, star or shell", name));
}

}  // namespace sinew::elasticity
