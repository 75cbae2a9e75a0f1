// How far each joint may turn. A joint's rotation away from rest (local = rest * delta) is measured from an anatomical
// neutral and split into a twist about its bone and a swing that tilts the bone:
//
//   delta = neutral * swing(bend, side) * twist
//
// `bend` is the tilt towards the axis bend_toward, `side` towards bone x bend_toward; together they are the swing's
// rotation vector, so (bend, side) = 0.5 * (1, 1) tilts by 0.71 rad. The allowed swings fill four quarter ellipses that
// share their half axes: each of the four directions has its own reach. A hinge is the case where side and twist are 0.
//
// The neutral makes ranges independent of the rest pose: of a rig that rests in a T and of one that rests in an A, the
// upper arms reach the same directions. Angles are radians here, degrees in files and on screen.
#ifndef SINEW_OFFLINE_ANATOMY_LIMITS_H_
#define SINEW_OFFLINE_ANATOMY_LIMITS_H_

#include <Eigen/Geometry>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/character/skeleton.h"

namespace sinew {

// min <= 0 <= max.
struct AngleRange {
  double min = 0;
  double max = 0;

  double width() const { return max - min; }
};

// Where a limit came from, in the order in which the sources are asked.
enum class LimitOrigin { kFile, kNames, kAnimations, kDefault };
const char* Name(LimitOrigin origin);  // "file", "names", "animations", "default"

struct JointLimit {
  // Any rotation is allowed: the joint that places the whole body. Samples leave it at rest.
  bool free = false;
  Eigen::Vector3d bone = Eigen::Vector3d::UnitY();         // unit, in the joint's frame
  Eigen::Vector3d bend_toward = Eigen::Vector3d::UnitZ();  // unit, orthogonal to bone, in the joint's frame
  Eigen::Quaterniond neutral = Eigen::Quaterniond::Identity();
  AngleRange bend;   // within (-pi, pi)
  AngleRange side;   // within (-pi, pi)
  AngleRange twist;  // within [-pi, pi]
  LimitOrigin origin = LimitOrigin::kDefault;
  std::string known_as;  // origin kNames: the canonical joint whose range this is; empty otherwise

  bool fixed() const { return !free && bend.width() == 0 && side.width() == 0 && twist.width() == 0; }
  bool hinge() const { return !free && bend.width() > 0 && side.width() == 0 && twist.width() == 0; }
};

// One per joint of a skeleton.
using JointLimits = std::vector<JointLimit>;

struct SwingTwist {
  double bend = 0;
  double side = 0;
  double twist = 0;  // in (-pi, pi]
};

SwingTwist ToSwingTwist(const JointLimit& limit, const Eigen::Quaterniond& delta);
Eigen::Quaterniond FromSwingTwist(const JointLimit& limit, const SwingTwist& angles);

// The signed distance to the boundary, in radians of (bend, side, twist): positive outside, 0 where a joint may not
// turn at all in one of them, negative inside (there the boundary of the angles' own quadrant counts). Free joints:
// minus pi.
double Outside(const JointLimit& limit, const SwingTwist& angles);
inline bool IsInside(const JointLimit& limit, const SwingTwist& angles, double tolerance = 1e-4) {
  return Outside(limit, angles) <= tolerance;
}

// The nearest allowed angles, by the same distance. What is inside is returned as it is.
SwingTwist Clamp(const JointLimit& limit, const SwingTwist& angles);

// Maps the unit cube onto the allowed angles so that equal volumes go to equal volumes. `unit` in [0, 1]^3.
SwingTwist SampleInside(const JointLimit& limit, const Eigen::Vector3d& unit);

// Rotations away from rest: delta of every joint of a pose, and back.
Eigen::Quaterniond DeltaFromRest(const Joint& joint, const Transform& local);
Transform WithDelta(const Joint& joint, const Transform& local, const Eigen::Quaterniond& delta);

// Widens ranges until these angles are allowed, by as little area of swings as possible, and until rest is. Ends that
// the angles stay within are left as they are if the others can make room.
void Enclose(JointLimit& limit, std::span<const SwingTwist> angles);
void IncludeRest(JointLimit& limit);

// Throws std::invalid_argument with a sentence that names the field if a limit is not as the comments above say.
// Slightly off unit vectors and rotations (1e-3) are made exact.
void Normalize(JointLimit& limit);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_LIMITS_H_
