#include "sinew/dynamics/collider.h"

#include <cmath>

namespace sinew::dynamics {
namespace {

constexpr double kFarthest = 1e6;

bool Within(double value, double least, double most) { return value >= least && value <= most; }

}  // namespace

bool Collider::IsSound() const noexcept {
  const double turn = pose.cosine * pose.cosine + pose.sine * pose.sine;
  if (!Within(turn, 0.998, 1.002) || !Within(pose.position[0], -kFarthest, kFarthest) ||
      !Within(pose.position[1], -kFarthest, kFarthest) || !Within(friction, 0, 10)) {
    return false;
  }
  if (shape == ColliderShape::kHalfPlane) return true;
  if (shape == ColliderShape::kCircle) return Within(radius, 1e-9, kFarthest);
  if (shape != ColliderShape::kPolygon || corners == nullptr || corner_count < 3 || corner_count > kMaxCorners ||
      !Within(rounding, 0, kFarthest)) {
    return false;
  }
  // Sides without a length would be divided by.
  for (int i = 0; i < corner_count; ++i) {
    const double* a = corners + 2 * i;
    const double* b = corners + 2 * ((i + 1) % corner_count);
    if (!Within(a[0], -kFarthest, kFarthest) || !Within(a[1], -kFarthest, kFarthest)) return false;
    if (!((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) > 1e-24)) return false;
  }
  return true;
}

runtime::PlaneDistanceSample Collider::Distance(const PlanePose& at, double x, double y) const noexcept {
  const double dx = x - at.position[0], dy = y - at.position[1];
  const double local_x = at.cosine * dx + at.sine * dy, local_y = at.cosine * dy - at.sine * dx;
  runtime::PlaneDistanceSample sample;
  if (shape == ColliderShape::kHalfPlane) {
    sample = {local_y, 0, 1};
  } else if (shape == ColliderShape::kCircle) {
    const double length = std::sqrt(local_x * local_x + local_y * local_y);
    sample = {length - radius, length > 0 ? local_x / length : 0, length > 0 ? local_y / length : 1};
  } else {
    sample = runtime::RoundedPolygonDistance(corners, corner_count, rounding, 1e-12, local_x, local_y);
  }
  return {sample.distance, at.cosine * sample.gradient_x - at.sine * sample.gradient_y,
          at.sine * sample.gradient_x + at.cosine * sample.gradient_y};
}

DistanceSample<2> Collider::Distance(const PlanePose& at, const double x[2]) const noexcept {
  const runtime::PlaneDistanceSample sample = Distance(at, x[0], x[1]);
  return {sample.distance, {sample.gradient_x, sample.gradient_y}};
}

bool Collider::IsFar(const PlanePose& at, const double x[2]) const noexcept {
  const double dx = x[0] - at.position[0], dy = x[1] - at.position[1];
  return shape == ColliderShape::kCircle && dx * dx + dy * dy > radius * radius;
}

void Normalise(PlanePose* pose) noexcept {
  const double length = std::sqrt(pose->cosine * pose->cosine + pose->sine * pose->sine);
  pose->cosine /= length;
  pose->sine /= length;
}

void CarryDirection(const PlanePose& from, const PlanePose& to, double x[2]) noexcept {
  const double local_x = from.cosine * x[0] + from.sine * x[1], local_y = from.cosine * x[1] - from.sine * x[0];
  x[0] = to.cosine * local_x - to.sine * local_y;
  x[1] = to.sine * local_x + to.cosine * local_y;
}

void CarryPoint(const PlanePose& from, const PlanePose& to, double x[2]) noexcept {
  x[0] -= from.position[0];
  x[1] -= from.position[1];
  CarryDirection(from, to, x);
  x[0] += to.position[0];
  x[1] += to.position[1];
}

}  // namespace sinew::dynamics
