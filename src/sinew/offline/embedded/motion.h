// Helpers for the joint limits and looping animations of embedded figures: limits from tables of degrees, animations
// from functions of a phase.
#ifndef SINEW_OFFLINE_EMBEDDED_MOTION_H_
#define SINEW_OFFLINE_EMBEDDED_MOTION_H_

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

constexpr double Radians(double degrees) { return degrees * 0.017453292519943295; }

// Returns the index of a joint. Throws UsageError if there is none of this name.
int IndexOf(const Figure& figure, std::string_view name);
// Returns the name without a leading "left_" or "right_".
std::string_view WithoutSide(std::string_view name);

// Range of rotations of a joint relative to rest; its angles are as in JointLimit (anatomy/limits.h), but in degrees.
// toward: direction in which the bone moves when `bend` is positive, model space; must not be parallel to the bone.
struct JointRange {
  Vector3d toward = Vector3d::UnitY();
  AngleRange bend, side, twist;
};
// Converts a range to a limit; the bone goes from the joint's position to its tip.
JointLimit MakeLimit(const FigureJoint& joint, const JointRange& range);
// Clamps a rotation to the joint's limits; returns it unchanged if the joint is free.
Eigen::Quaterniond Allowed(const JointLimit& limit, const Eigen::Quaterniond& rotation);

// Builds a looping animation. Joints without a Rotate() or Move() stay at rest.
class LoopBuilder {
 public:
  // figure: must outlive the builder.
  // limits: one per joint; rotations beyond them are clamped.
  // seconds: duration of the loop.
  // keys: number of keys in the whole loop; the last repeats the first.
  LoopBuilder(const Figure& figure, const JointLimits& limits, const std::string& name, double seconds, int keys);

  // Rotates a joint. value(phase), phase in [0, 1): rotation vector in the joint's frame, radians.
  void Rotate(int joint, const std::function<Vector3d(double)>& value);
  // Moves a joint. value(phase), phase in [0, 1): offset from the rest position in the parent's frame, metres.
  void Move(int joint, const std::function<Vector3d(double)>& value);
  Animation Take() { return std::move(animation_); }

 private:
  AnimationCurve& AddCurve(int joint, AnimationCurve::Path path);

  const Figure& figure_;
  JointLimits limits_;
  double seconds_;
  int steps_;  // number of intervals between keys: keys - 1, at least 1
  Animation animation_;
};

// Returns a smooth bump of a periodic phase: 1 at `around`, 0 where the distance from it is width / 2 or more.
double Swell(double phase, double around, double width);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_MOTION_H_
