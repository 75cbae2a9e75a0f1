#include "sinew/runtime/pose/features.h"

#include <cmath>

namespace sinew::runtime {
namespace {

// conjugate(rest) * local, of unit length, with a scalar part that is not negative.
Quaternion RelativeRotation(const Quaternion& rest, const Quaternion& local) {
  const Quaternion r{-rest.x, -rest.y, -rest.z, rest.w};
  Quaternion q{r.w * local.x + r.x * local.w + r.y * local.z - r.z * local.y,
               r.w * local.y - r.x * local.z + r.y * local.w + r.z * local.x,
               r.w * local.z + r.x * local.y - r.y * local.x + r.z * local.w,
               r.w * local.w - r.x * local.x - r.y * local.y - r.z * local.z};
  const float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  const float length = std::sqrt(square);
  // Also false for what is not a number.
  if (!(length > 0) || !std::isfinite(length)) return {};
  const float scale = (q.w < 0 ? -1.0f : 1.0f) / length;
  return {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
}

void EulerAngles(const Quaternion& q, float* angles) {
  const float sine = 2 * (q.w * q.y - q.z * q.x);
  angles[0] = std::atan2(2 * (q.w * q.x + q.y * q.z), 1 - 2 * (q.x * q.x + q.y * q.y));
  angles[1] = std::asin(sine > 1 ? 1.0f : sine < -1 ? -1.0f : sine);
  angles[2] = std::atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));
}

void ColumnsLessIdentity(const Quaternion& q, float* columns) {
  columns[0] = -2 * (q.y * q.y + q.z * q.z);
  columns[1] = 2 * (q.x * q.y + q.w * q.z);
  columns[2] = 2 * (q.x * q.z - q.w * q.y);
  columns[3] = 2 * (q.x * q.y - q.w * q.z);
  columns[4] = -2 * (q.x * q.x + q.z * q.z);
  columns[5] = 2 * (q.y * q.z + q.w * q.x);
}

}  // namespace

void JointFeatures(PoseFeatures kind, const Quaternion& rest, const Quaternion& local, float* features) noexcept {
  const Quaternion q = RelativeRotation(rest, local);
  switch (kind) {
    case PoseFeatures::kEuler:
      EulerAngles(q, features);
      return;
    case PoseFeatures::kQuaternion:
      features[0] = 2 * q.x;
      features[1] = 2 * q.y;
      features[2] = 2 * q.z;
      return;
    case PoseFeatures::kColumns:
      ColumnsLessIdentity(q, features);
      return;
  }
}

}  // namespace sinew::runtime
