// Joint limits: how far each joint may turn. A joint's rotation away from rest (local = rest * delta) is measured from
// an anatomical neutral and split into a twist about its bone and a swing that tilts the bone:
//
//   delta = neutral * swing(bend, side) * twist
//
// `bend` is the tilt of the bone towards the axis bend_toward, `side` its tilt towards bone x bend_toward. Together
// they are the components of the swing's rotation vector, so (bend, side) = 0.5 * (1, 1) tilts by 0.71 rad. The allowed
// swings fill four quarter ellipses, neighbours sharing a half axis: each of the four directions has its own reach. A
// hinge is the case where side and twist are 0.
//
// The neutral makes ranges independent of the rest pose: the upper arms of a rig that rests in a T-pose and of one that
// rests in an A-pose reach the same directions. Angles are radians here, degrees in files and on screen.
#ifndef SINEW_OFFLINE_ANATOMY_LIMITS_H_
#define SINEW_OFFLINE_ANATOMY_LIMITS_H_

#include <Eigen/Geometry>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/character/skeleton.h"

namespace sinew {

// Range of an angle in radians, measured from neutral: min <= 0 <= max.
struct AngleRange {
  double min = 0;
  double max = 0;

  double width() const { return max - min; }
};

// Source of a limit, in the order in which sources are asked (find_limits.h).
enum class LimitOrigin { kFile, kNames, kAnimations, kDefault };
const char* Name(LimitOrigin origin);  // "file", "names", "animations", "default"

// Allowed rotations of one joint. A new one allows neutral only.
struct JointLimit {
  // Whether any rotation is allowed, as for the joint that places the whole body. Samples leave such a joint at rest.
  bool free = false;
  // Directions of the bone and of positive bend: unit, orthogonal to each other, in the joint's frame.
  Eigen::Vector3d bone = Eigen::Vector3d::UnitY();
  Eigen::Vector3d bend_toward = Eigen::Vector3d::UnitZ();
  Eigen::Quaterniond neutral = Eigen::Quaterniond::Identity();  // delta of the neutral posture; identity: rest
  AngleRange bend;                                              // within (-pi, pi)
  AngleRange side;                                              // within (-pi, pi)
  AngleRange twist;                                             // within [-pi, pi]
  LimitOrigin origin = LimitOrigin::kDefault;
  std::string known_as;  // canonical name of the joint whose range this is, for origin kNames; empty otherwise

  bool fixed() const { return !free && bend.width() == 0 && side.width() == 0 && twist.width() == 0; }
  bool hinge() const { return !free && bend.width() > 0 && side.width() == 0 && twist.width() == 0; }
};

// Limits of a skeleton, one per joint.
using JointLimits = std::vector<JointLimit>;

// Angles of a joint's rotation away from its limit's neutral, in radians.
struct SwingTwist {
  double bend = 0;
  double side = 0;
  double twist = 0;  // in (-pi, pi]
};

// Convert between a joint's rotation away from rest and its angles.
SwingTwist ToSwingTwist(const JointLimit& limit, const Eigen::Quaterniond& delta);
Eigen::Quaterniond FromSwingTwist(const JointLimit& limit, const SwingTwist& angles);

// Returns the signed Euclidean distance of (bend, side, twist) to the boundary of the limit, in radians: positive
// outside, negative inside (where only the boundary of the angles' own quadrant counts), at least 0 for joints that
// have no freedom in one of the three. Free joints: -pi.
double Outside(const JointLimit& limit, const SwingTwist& angles);
inline bool IsInside(const JointLimit& limit, const SwingTwist& angles, double tolerance = 1e-4) {
  return Outside(limit, angles) <= tolerance;
}

// Returns the nearest allowed angles, by the same distance. Angles that are inside are returned unchanged.
SwingTwist Clamp(const JointLimit& limit, const SwingTwist& angles);

// Maps `unit` in [0, 1]^3 onto the allowed angles such that equal volumes map to equal volumes. Free joints: all zero.
SwingTwist SampleInside(const JointLimit& limit, const Eigen::Vector3d& unit);

// Convert between a joint's local transform and its rotation away from rest: local rotation = rest * delta. WithDelta()
// returns `local` with its rotation replaced.
Eigen::Quaterniond DeltaFromRest(const Joint& joint, const Transform& local);
Transform WithDelta(const Joint& joint, const Transform& local, const Eigen::Quaterniond& delta);

// Widens the ranges until all of these angles are allowed, adding as little area of swings as possible. Ends of ranges
// that no angle exceeds stay as they are if widening the others is enough.
void Enclose(JointLimit& limit, std::span<const SwingTwist> angles);
// Widens the ranges in the same way until the rest pose is allowed.
void IncludeRest(JointLimit& limit);

// Throws std::invalid_argument with a sentence that names the field if a limit violates the comments of JointLimit.
// Unit vectors and rotations that are off by less than 1e-3 are normalised.
void Normalize(JointLimit& limit);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_LIMITS_H_
