// Conversion between poses and per-joint rotations away from rest, relative to each joint's anatomical parent.
//
// For nearly every rig the anatomical parent is the parent in the file. Some files keep all joints of a hand as
// siblings, or hang feet from the ground (character/carriers.h); there joints have other anatomical parents
// (AnatomicalParents() of joint_names.h), and bending a finger or a knee translates joints as well as rotating them. A
// joint whose anatomical parent is not its parent in the file is called displaced below.
#ifndef SINEW_OFFLINE_ANATOMY_ARTICULATION_H_
#define SINEW_OFFLINE_ANATOMY_ARTICULATION_H_

#include <Eigen/Geometry>
#include <cstdint>
#include <vector>

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/character/skeleton.h"

namespace sinew {

// Converts poses of one skeleton.
class Articulation {
 public:
  // Keeps a reference to the skeleton, which must outlive this.
  explicit Articulation(const Skeleton& skeleton);

  const RestBody& body() const { return body_; }
  const Skeleton& skeleton() const { return skeleton_; }

  // Returns the rotation `delta` away from rest of every joint: local = rest * delta, both relative to the anatomical
  // parent.
  std::vector<Eigen::Quaterniond> Deltas(const Pose& pose) const;
  // Returns the pose with these rotations (one per joint), the scales of rest and, relative to the anatomical parents,
  // its translations. A rotation that is exactly identity gives rest's transform bit for bit, but for displaced joints.
  Pose ToPose(const std::vector<Eigen::Quaterniond>& deltas) const;

  // Returns `pose` with the rotations of the joints marked in `turned` replaced. Other joints keep their local
  // transforms, except that as soon as any joint is marked, every displaced joint follows its anatomical parent: it is
  // placed as by ToPose(), with the translation and scale of rest. deltas and turned have one entry per joint; deltas
  // of joints that are not marked must be those of `pose`.
  Pose WithDeltas(const Pose& pose, const std::vector<Eigen::Quaterniond>& deltas,
                  const std::vector<bool>& turned) const;

  // Interpolates from `from` (share 0) to `to` (share 1): rotations relative to the anatomical parents by slerp,
  // translations and scales linearly; displaced joints have those of rest, as in ToPose().
  Pose Between(const Pose& from, const Pose& to, float share) const;

  // Largest angle by which any joint is outside its limit, in radians (0 if none is), and the index of that joint (-1
  // if none is).
  struct Excess {
    double angle = 0;
    int joint = -1;
  };
  Excess Outside(const JointLimits& limits, const Pose& pose) const;
  // Moves every joint's rotation that is outside its limit to the nearest one inside. Other joints stay as WithDeltas()
  // leaves those that are not marked.
  Pose Clamp(const JointLimits& limits, const Pose& pose) const;
  // Moves rotations that no body has toward their limit: those farther outside than half of `lost` (radians), the more
  // the farther, and onto it those farther than `lost`. Continuous in the pose. Only where the file or the joint's name
  // says what the limit is; other joints stay as with Clamp().
  Pose BringBackLost(const JointLimits& limits, const Pose& pose, double lost) const;

 private:
  // Moves the angles of every joint that is outside its limit by `angle` to share(joint, angle) of that.
  template <typename Share>
  Pose Nearer(const JointLimits& limits, const Pose& pose, const Share& share) const;
  // Whether the joint's anatomical parent is its parent in the skeleton: it is not displaced.
  bool Own(int joint) const { return body_.parents[joint] == skeleton_.joints[joint].parent; }

  const Skeleton& skeleton_;
  RestBody body_;
  std::vector<Eigen::Affine3f> rest_models_;
  bool all_own_ = true;  // Own() holds for every joint
};

// Rotations as networks see them (runtime::SeenRotation()). The rotation of a displaced joint is relative to its
// anatomical parent, that of any other joint to its parent.
class JointView {
 public:
  explicit JointView(const Skeleton& skeleton);
  // One per joint: its anatomical parent if it is displaced, -1 if it is not. Empty if none is, as in nearly every rig.
  const std::vector<int16_t>& references() const { return references_; }
  // Whether a joint carries the whole body, so that turning it deforms nothing: all joints that skins use hang from it,
  // or nothing carries it.
  bool IsRoot(int joint) const { return roots_[joint]; }
  runtime::Quaternion Rotation(const Pose& pose, int joint) const;

 private:
  std::vector<int16_t> parents_, references_;
  std::vector<bool> roots_;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_ARTICULATION_H_
