#include "sinew/dynamics/solid_collider.h"

#include <cmath>

#include "sinew/runtime/kernels/solid_distance.h"

namespace sinew::dynamics {
namespace {

constexpr double kFarthest = 1e6, kTiny = 1e-12;

bool Within(double value, double least, double most) { return value >= least && value <= most; }

double Dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// out = R x.
void Turn(const SolidPose& pose, const double x[3], double out[3]) {
  for (int r = 0; r < 3; ++r) out[r] = Dot(pose.rotation + 3 * r, x);
}
// out = R' x.
void TurnBack(const SolidPose& pose, const double x[3], double out[3]) {
  const double* R = pose.rotation;
  for (int r = 0; r < 3; ++r) out[r] = R[r] * x[0] + R[3 + r] * x[1] + R[6 + r] * x[2];
}

double Determinant(const double* R) {
  return R[0] * (R[4] * R[8] - R[5] * R[7]) + R[1] * (R[5] * R[6] - R[3] * R[8]) + R[2] * (R[3] * R[7] - R[4] * R[6]);
}

bool PoseIsSound(const SolidPose& pose) {
  const double* R = pose.rotation;
  bool sound = Determinant(R) > 0;
  for (int r = 0; r < 3; ++r) {
    sound &= Within(pose.position[r], -kFarthest, kFarthest);
    for (int s = 0; s <= r; ++s) sound &= Within(Dot(R + 3 * r, R + 3 * s) - (r == s ? 1 : 0), -2e-3, 2e-3);
  }
  return sound;
}

}  // namespace

bool SolidCollider::PolygonIsSound() const noexcept {
  if (corners == nullptr || corner_count < 3 || corner_count > kMaxCorners) return false;
  for (int i = 0; i < corner_count; ++i) {
    const double* a = corners + 2 * i;
    const double* b = corners + 2 * ((i + 1) % corner_count);
    if (!Within(a[0], -kFarthest, kFarthest) || !Within(a[1], -kFarthest, kFarthest)) return false;
    // Sides without a length would be divided by.
    if (!((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) > 1e-24)) return false;
  }
  return true;
}

bool SolidCollider::IsSound() const noexcept {
  if (!PoseIsSound(pose) || !Within(friction, 0, 10) || !Within(rounding, 0, kFarthest)) return false;
  const auto is_half = [](double value) { return Within(value, 1e-9, kFarthest); };
  switch (shape) {
    case SolidShape::kHalfSpace:
      return true;
    case SolidShape::kSphere:
      return is_half(radius);
    case SolidShape::kBox:
      return is_half(half[0]) && is_half(half[1]) && is_half(half[2]);
    case SolidShape::kExtruded:
      return is_half(half[2]) && PolygonIsSound();
    case SolidShape::kTurned:
      return PolygonIsSound();
  }
  return false;
}

bool SolidCollider::IsFar(const SolidPose& at, const double x[3]) const noexcept {
  const double offset[3] = {x[0] - at.position[0], x[1] - at.position[1], x[2] - at.position[2]};
  switch (shape) {
    case SolidShape::kSphere:
      return Dot(offset, offset) > radius * radius;
    case SolidShape::kBox:
      // (a + b)^2 is at most 2 a^2 + 2 b^2.
      return Dot(offset, offset) > 2 * (Dot(half, half) + rounding * rounding);
    default:
      return false;
  }
}

DistanceSample<3> SolidCollider::Distance(const SolidPose& at, const double x[3]) const noexcept {
  const double offset[3] = {x[0] - at.position[0], x[1] - at.position[1], x[2] - at.position[2]};
  double local[3];
  TurnBack(at, offset, local);
  runtime::SolidDistanceSample sample;
  switch (shape) {
    case SolidShape::kHalfSpace:
      sample = {local[1], {0, 1, 0}};
      break;
    case SolidShape::kSphere: {
      const double length = std::sqrt(Dot(local, local));
      sample = {length - radius, {0, 1, 0}};
      for (int r = 0; length > 0 && r < 3; ++r) sample.gradient[r] = local[r] / length;
      break;
    }
    case SolidShape::kBox:
      sample = runtime::BoxDistance(half, rounding, local);
      break;
    case SolidShape::kExtruded:
      sample = runtime::ExtrudedDistance(corners, corner_count, half[2], rounding, kTiny, local);
      break;
    case SolidShape::kTurned:
      sample = runtime::TurnedDistance(corners, corner_count, rounding, kTiny, local);
      break;
  }
  DistanceSample<3> out;
  out.distance = sample.distance;
  Turn(at, sample.gradient, out.gradient);
  return out;
}

// Rows one after another are made orthogonal to those before them.
void Normalise(SolidPose* pose) noexcept {
  for (int r = 0; r < 3; ++r) {
    double* row = pose->rotation + 3 * r;
    for (int s = 0; s < r; ++s) {
      const double* other = pose->rotation + 3 * s;
      const double along = Dot(row, other);
      for (int k = 0; k < 3; ++k) row[k] -= along * other[k];
    }
    const double length = std::sqrt(Dot(row, row));
    for (int k = 0; k < 3; ++k) row[k] /= length;
  }
}

void CarryDirection(const SolidPose& from, const SolidPose& to, double x[3]) noexcept {
  double local[3];
  TurnBack(from, x, local);
  Turn(to, local, x);
}

void CarryPoint(const SolidPose& from, const SolidPose& to, double x[3]) noexcept {
  for (int r = 0; r < 3; ++r) x[r] -= from.position[r];
  CarryDirection(from, to, x);
  for (int r = 0; r < 3; ++r) x[r] += to.position[r];
}

}  // namespace sinew::dynamics
