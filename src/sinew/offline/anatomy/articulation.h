// Poses as rotations away from rest, each against the joint that anatomy hangs it from. For nearly every rig that is
// the file's own hierarchy; in files that keep all joints of a hand side by side it is not, and there a bent finger is
// made of moved joints.
#ifndef SINEW_OFFLINE_ANATOMY_ARTICULATION_H_
#define SINEW_OFFLINE_ANATOMY_ARTICULATION_H_

#include <Eigen/Geometry>
#include <cstdint>
#include <vector>

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/character/skeleton.h"

namespace sinew {

class Articulation {
 public:
  // The skeleton is kept by reference.
  explicit Articulation(const Skeleton& skeleton);

  const RestBody& body() const { return body_; }
  const Skeleton& skeleton() const { return skeleton_; }

  // delta of every joint: local = rest * delta, local against the anatomical parent.
  std::vector<Eigen::Quaterniond> Deltas(const Pose& pose) const;
  // The pose with these rotations and rest's translations and scales. Rotations that are exactly identity give rest's
  // transforms bit for bit.
  Pose ToPose(const std::vector<Eigen::Quaterniond>& deltas) const;

  // The pose with these rotations where `turned` says so; everything else keeps its transform. Both have one entry a
  // joint, and deltas of joints that are not turned must be the pose's own.
  Pose WithDeltas(const Pose& pose, const std::vector<Eigen::Quaterniond>& deltas,
                  const std::vector<bool>& turned) const;

  // From `from` to `to` by this share: rotations turned as anatomy has them, translations and scales moved.
  Pose Between(const Pose& from, const Pose& to, float share) const;

  // The largest Outside() of any joint, and which joint that is. Radians.
  struct Excess {
    double angle = 0;
    int joint = -1;
  };
  Excess Outside(const JointLimits& limits, const Pose& pose) const;
  // Every joint's rotation to the nearest one inside its limit. Joints that are inside keep their transform.
  Pose Clamp(const JointLimits& limits, const Pose& pose) const;

 private:
  bool Own(int joint) const { return body_.parents[joint] == skeleton_.joints[joint].parent; }

  const Skeleton& skeleton_;
  RestBody body_;
  std::vector<Eigen::Affine3f> rest_models_;
  bool all_own_ = true;  // anatomy's parents are the file's
};

// For each joint that anatomy hangs from another one which its file keeps beside it, with the same parent: that one;
// -1 for the others. Empty if there are none, as in nearly every rig.
std::vector<int16_t> JointsBeside(const Skeleton& skeleton);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_ARTICULATION_H_
