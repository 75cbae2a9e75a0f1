#include "sinew/runtime/pose/features.h"

#include <cmath>

namespace sinew::runtime {
namespace {

Quaternion Product(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
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

Quaternion RelativeRotation(const Quaternion& from, const Quaternion& to) noexcept {
  const Quaternion q = Product({-from.x, -from.y, -from.z, from.w}, to);
  const float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  const float length = std::sqrt(square);
  // The comparison is also false for NaN.
  if (!(length > 0) || !std::isfinite(length)) return {};
  const float scale = (q.w < 0 ? -1.0f : 1.0f) / length;
  return {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
}

Quaternion SeenRotation(std::span<const int16_t> references, std::span<const int16_t> parents,
                        std::span<const Transform> pose, size_t joint) noexcept {
  const int reference = references.empty() ? -1 : references[joint];
  if (reference < 0) return pose[joint].rotation;
  // Both rotations relative to the last joint that both hang from. Parents come before children, so the walk up from
  // the later of two joints never passes it.
  const auto parent_of = [&](int of) { return parents[of] < 0 ? -1 : static_cast<int>(parents[of]); };
  Quaternion from = pose[reference].rotation, to = pose[joint].rotation;
  int above_from = parent_of(reference), above_to = parent_of(static_cast<int>(joint));
  while (above_from != above_to) {
    if (above_from > above_to) {
      from = Product(pose[above_from].rotation, from);
      above_from = parent_of(above_from);
    } else {
      to = Product(pose[above_to].rotation, to);
      above_to = parent_of(above_to);
    }
  }
  return RelativeRotation(from, to);
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
