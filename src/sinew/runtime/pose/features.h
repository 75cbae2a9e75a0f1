// What the networks see of a pose: each joint's rotation relative to its rest rotation, as a few numbers that are all
// zero at rest. Translations and scales are not seen.
#ifndef SINEW_RUNTIME_POSE_FEATURES_H_
#define SINEW_RUNTIME_POSE_FEATURES_H_

#include <cstdint>
#include <span>

#include "sinew/runtime/base/math.h"

namespace sinew::runtime {

enum class PoseFeatures : uint32_t {
  // x, y, z angles in radians of R = Rz Ry Rx: what Zheng and Barbic 2024 use. They jump and lock: two of them are
  // undefined where the y angle is a right one.
  kEuler = 0,
  // Twice the vector part of the unit quaternion whose scalar part is not negative: nearly the rotation vector. Jumps
  // only where a joint turns by half a turn.
  kQuaternion = 1,
  // The first two columns of the rotation matrix, less the identity's: continuous everywhere.
  kColumns = 2
};

// How many numbers a joint has.
constexpr int FeatureCount(PoseFeatures kind) { return kind == PoseFeatures::kColumns ? 6 : 3; }

// features: FeatureCount(kind) numbers of one joint. Rotations need not be exactly unit; one that is zero or not finite
// counts as no rotation.
void JointFeatures(PoseFeatures kind, const Quaternion& rest, const Quaternion& local, float* features) noexcept;

// conjugate(from) * to, of unit length, with a scalar part that is not negative; no rotation if that is not defined.
Quaternion RelativeRotation(const Quaternion& from, const Quaternion& to) noexcept;

// A joint's rotation as networks see it: its own, or, where references (one a joint, or empty) name a joint beside it
// that has the same parent, against that one's. Some files keep all joints of a hand side by side; there a finger's
// bend is the difference of two joints. pose: one transform a joint.
Quaternion SeenRotation(std::span<const int16_t> references, std::span<const Transform> pose, size_t joint) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_POSE_FEATURES_H_
