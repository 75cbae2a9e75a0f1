// Joint limits and loops of embedded figures, written as tables of degrees and functions of a phase.
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

// The joint must exist.
int IndexOf(const Figure& figure, std::string_view name);
// Without "left_" or "right_".
std::string_view WithoutSide(std::string_view name);

// Degrees; `toward` is where the bone goes when `bend` is positive, and must not be along it.
struct JointRange {
  Vector3d toward = Vector3d::UnitY();
  AngleRange bend, side, twist;
};
JointLimit MakeLimit(const FigureJoint& joint, const JointRange& range);
// The nearest rotation that the joint allows.
Eigen::Quaterniond Allowed(const JointLimit& limit, const Eigen::Quaterniond& rotation);

// A motion that ends as it began. Joints that are given nothing stay at rest.
class LoopBuilder {
 public:
  // keys: in the whole loop, the last of which repeats the first.
  // limits: one a joint; what is asked for beyond them is the nearest that they allow.
  LoopBuilder(const Figure& figure, const JointLimits& limits, const std::string& name, double seconds, int keys);

  // value(phase), phase in [0, 1): a rotation vector in the joint's frame, radians.
  void Rotate(int joint, const std::function<Vector3d(double)>& value);
  // An offset from the rest position, in the parent's frame.
  void Move(int joint, const std::function<Vector3d(double)>& value);
  Animation Take() { return std::move(animation_); }

 private:
  AnimationCurve& AddCurve(int joint, AnimationCurve::Path path);

  const Figure& figure_;
  JointLimits limits_;
  double seconds_;
  int steps_;  // from key to key
  Animation animation_;
};

// 0 to 1 to 0 around a phase, as wide as `width`, smooth; phases go round.
double Swell(double phase, double around, double width);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_MOTION_H_
