#include "sinew/offline/embedded/motion.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"

namespace sinew::embedded {
namespace {

AngleRange FromDegrees(const AngleRange& range) { return {Radians(range.min), Radians(range.max)}; }

Eigen::Quaterniond FromRotationVector(const Vector3d& v) {
  const double angle = v.norm();
  if (angle == 0) return Eigen::Quaterniond::Identity();
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, v / angle));
}

}  // namespace

int IndexOf(const Figure& figure, std::string_view name) {
  for (size_t j = 0; j < figure.joints.size(); ++j) {
    if (figure.joints[j].name == name) return static_cast<int>(j);
  }
  throw UsageError("the figure has no joint called '" + std::string(name) + "'");
}

std::string_view WithoutSide(std::string_view name) {
  for (const std::string_view side : {"left_", "right_"}) {
    if (name.starts_with(side)) return name.substr(side.size());
  }
  return name;
}

JointLimit MakeLimit(const FigureJoint& joint, const JointRange& range) {
  JointLimit limit;
  limit.bone = (joint.tip - joint.position).normalized();
  limit.bend_toward = (range.toward - limit.bone * limit.bone.dot(range.toward)).normalized();
  limit.bend = FromDegrees(range.bend);
  limit.side = FromDegrees(range.side);
  limit.twist = FromDegrees(range.twist);
  limit.origin = LimitOrigin::kFile;
  return limit;
}

Eigen::Quaterniond Allowed(const JointLimit& limit, const Eigen::Quaterniond& rotation) {
  return limit.free ? rotation : FromSwingTwist(limit, Clamp(limit, ToSwingTwist(limit, rotation)));
}

LoopBuilder::LoopBuilder(const Figure& figure, const JointLimits& limits, const std::string& name, double seconds,
                         int keys)
    : figure_(figure), limits_(limits), seconds_(seconds), steps_(std::max(keys - 1, 1)) {
  animation_.name = name;
}

AnimationCurve& LoopBuilder::AddCurve(int joint, AnimationCurve::Path path) {
  AnimationCurve& curve = animation_.curves.emplace_back();
  curve.joint = joint;
  curve.path = path;
  for (int k = 0; k <= steps_; ++k) curve.times.push_back(static_cast<float>(seconds_ * k / steps_));
  return curve;
}

void LoopBuilder::Rotate(int joint, const std::function<Vector3d(double)>& value) {
  AnimationCurve& curve = AddCurve(joint, AnimationCurve::Path::kRotation);
  for (int k = 0; k <= steps_; ++k) {
    const Vector3d turn = value(static_cast<double>(k % steps_) / steps_);
    const Eigen::Quaterniond q = Allowed(limits_[joint], FromRotationVector(turn));
    for (const double c : {q.x(), q.y(), q.z(), q.w()}) curve.values.push_back(static_cast<float>(c));
  }
}

void LoopBuilder::Move(int joint, const std::function<Vector3d(double)>& value) {
  AnimationCurve& curve = AddCurve(joint, AnimationCurve::Path::kTranslation);
  const FigureJoint& moved = figure_.joints[joint];
  const Vector3d origin = moved.parent < 0 ? Vector3d::Zero() : figure_.joints[moved.parent].position;
  for (int k = 0; k <= steps_; ++k) {
    const Vector3d at = moved.position - origin + value(static_cast<double>(k % steps_) / steps_);
    for (const double c : {at.x(), at.y(), at.z()}) curve.values.push_back(static_cast<float>(c));
  }
}

double Swell(double phase, double around, double width) {
  double off = std::abs(phase - around);
  off = std::min(off, 1 - off) / (width / 2);
  return off >= 1 ? 0 : 0.5 * (1 + std::cos(3.14159265358979323846 * off));
}

}  // namespace sinew::embedded
