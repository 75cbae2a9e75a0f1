// Pose features, the inputs of the networks: each joint's rotation relative to its rest rotation, as a few numbers that
// are all zero in the rest pose. Translations and scales are ignored.
#ifndef SINEW_RUNTIME_POSE_FEATURES_H_
#define SINEW_RUNTIME_POSE_FEATURES_H_

#include <cstdint>
#include <span>

#include "sinew/runtime/base/math.h"

namespace sinew::runtime {

enum class PoseFeatures : uint32_t {
  // Euler angles x, y, z in radians of R = Rz Ry Rx, as in Zheng and Barbic 2024. They are discontinuous and suffer
  // from gimbal lock: two of them are undefined where the y angle is a right angle.
  kEuler = 0,
  // Twice the vector part of the unit quaternion whose scalar part is not negative: nearly the rotation vector.
  // Discontinuous only at rotations by half a turn.
  kQuaternion = 1,
  // The first two columns of the rotation matrix minus those of the identity: continuous everywhere.
  kColumns = 2
};

// Number of features per joint.
constexpr int FeatureCount(PoseFeatures kind) { return kind == PoseFeatures::kColumns ? 6 : 3; }

// Computes the features of one joint from its rotation at rest and in the pose, both local or both as SeenRotation()
// returns them. features: output, FeatureCount(kind) floats. Rotations need not be exactly unit; if one is zero or not
// finite, the features are zero as in the rest pose.
void JointFeatures(PoseFeatures kind, const Quaternion& rest, const Quaternion& local, float* features) noexcept;

// Returns conjugate(from) * to, scaled to unit length, with a scalar part that is not negative; the identity if that is
// not defined.
Quaternion RelativeRotation(const Quaternion& from, const Quaternion& to) noexcept;

// Returns a joint's rotation as the networks see it: its local rotation, or, if it has a reference joint, its rotation
// relative to that one. References are for rigs in which what carries a joint is not its parent: a hand whose joints
// all have the same parent, where a finger's bend is the difference between two siblings; a foot that hangs from the
// ground, though the leg leads to it. references: one per joint, the index of another joint, or negative for none;
// empty: no joint has a reference. parents: as in LocalToModelJob. pose: one local transform per joint.
Quaternion SeenRotation(std::span<const int16_t> references, std::span<const int16_t> parents,
                        std::span<const Transform> pose, size_t joint) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_POSE_FEATURES_H_
