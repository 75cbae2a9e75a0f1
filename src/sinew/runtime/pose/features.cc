#include "sinew/runtime/pose/features.h"

#include <cmath>

namespace sinew::runtime {
namespace {

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

Quaternion RelativeRotation(const Quaternion& from, const Quaternion& to) noexcept {
  const Quaternion r{-from.x, -from.y, -from.z, from.w};
  Quaternion q{r.w * to.x + r.x * to.w + r.y * to.z - r.z * to.y, r.w * to.y - r.x * to.z + r.y * to.w + r.z * to.x,
               r.w * to.z + r.x * to.y - r.y * to.x + r.z * to.w, r.w * to.w - r.x * to.x - r.y * to.y - r.z * to.z};
  const float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  const float length = std::sqrt(square);
  // The comparison is also false for NaN.
  if (!(length > 0) || !std::isfinite(length)) return {};
  const float scale = (q.w < 0 ? -1.0f : 1.0f) / length;
  return {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
}

Quaternion SeenRotation(std::span<const int16_t> references, std::span<const Transform> pose, size_t joint) noexcept {
  const int reference = references.empty() ? -1 : references[joint];
  if (reference < 0) return pose[joint].rotation;
  return RelativeRotation(pose[static_cast<size_t>(reference)].rotation, pose[joint].rotation);
}

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
