#include "sinew/offline/anatomy/articulation.h"

#include <algorithm>

#include "sinew/offline/character/mix.h"
#include "sinew/runtime/pose/features.h"

namespace sinew {
namespace {

using Eigen::Affine3f;
using Eigen::Quaterniond;

Quaterniond RotationOf(const Affine3f& model) {
  return ToEigen(ToTransform(model).rotation).cast<double>().normalized();
}

}  // namespace

Articulation::Articulation(const Skeleton& skeleton)
    : skeleton_(skeleton), body_(MeasureRest(skeleton)), rest_models_(LocalToModel(skeleton, skeleton.RestPose())) {
  for (int j = 0; j < skeleton.joint_count(); ++j) all_own_ &= Own(j);
}

std::vector<Quaterniond> Articulation::Deltas(const Pose& pose) const {
  std::vector<Quaterniond> deltas(pose.size());
  const std::vector<Affine3f> models = all_own_ ? std::vector<Affine3f>() : LocalToModel(skeleton_, pose);
  for (int j = 0; j < skeleton_.joint_count(); ++j) {
    if (Own(j)) {
      deltas[j] = DeltaFromRest(skeleton_.joints[j], pose[j]);
      continue;
    }
    const int parent = body_.parents[j];
    const Quaterniond rest = RotationOf(rest_models_[parent].inverse() * rest_models_[j]);
    deltas[j] = rest.conjugate() * RotationOf(models[parent].inverse() * models[j]);
  }
  return deltas;
}

Pose Articulation::ToPose(const std::vector<Quaterniond>& deltas) const {
  Pose pose = skeleton_.RestPose();
  for (int j = 0; j < skeleton_.joint_count(); ++j) {
    const bool turned = !(deltas[j].coeffs() == Quaterniond::Identity().coeffs());
    if (turned) pose[j] = WithDelta(skeleton_.joints[j], pose[j], deltas[j]);
  }
  if (all_own_) return pose;
  // Places all joints in model space, anatomical parents first; then expresses those whose anatomical parent is another
  // one relative to their parent in the skeleton.
  std::vector<Affine3f> models(pose.size());
  for (const int j : body_.order) {
    const int parent = body_.parents[j];
    const Affine3f turn(deltas[j].cast<float>());
    const Affine3f rest = parent < 0 ? rest_models_[j] : rest_models_[parent].inverse() * rest_models_[j];
    models[j] = parent < 0 ? rest * turn : models[parent] * rest * turn;
  }
  for (int j = 0; j < skeleton_.joint_count(); ++j) {
    const int parent = skeleton_.joints[j].parent;
    if (Own(j)) continue;
    const runtime::Float3 scale = pose[j].scale;
    pose[j] = ToTransform(parent < 0 ? models[j] : models[parent].inverse() * models[j]);
    pose[j].scale = scale;
  }
  return pose;
}

Pose Articulation::Between(const Pose& from, const Pose& to, float share) const {
  Pose mixed = to;
  for (size_t j = 0; j < to.size(); ++j) mixed[j] = Mix(from[j], to[j], share);
  if (all_own_) return mixed;
  std::vector<Quaterniond> deltas = Deltas(from);
  const std::vector<Quaterniond> ends = Deltas(to);
  for (size_t j = 0; j < deltas.size(); ++j) deltas[j] = deltas[j].slerp(share, ends[j]);
  Pose turned = ToPose(deltas);
  for (int j = 0; j < skeleton_.joint_count(); ++j) {
    if (Own(j)) turned[j].translation = mixed[j].translation, turned[j].scale = mixed[j].scale;
  }
  return turned;
}

Articulation::Excess Articulation::Outside(const JointLimits& limits, const Pose& pose) const {
  Excess worst;
  const std::vector<Quaterniond> deltas = Deltas(pose);
  for (int j = 0; j < skeleton_.joint_count(); ++j) {
    const double angle = sinew::Outside(limits[j], ToSwingTwist(limits[j], deltas[j]));
    if (angle > worst.angle) worst = {angle, j};
  }
  return worst;
}

Pose Articulation::WithDeltas(const Pose& pose, const std::vector<Quaterniond>& deltas,
                              const std::vector<bool>& turned) const {
  Pose out = pose;
  bool any = false;
  for (int j = 0; j < skeleton_.joint_count(); ++j) {
    if (turned[j]) out[j] = WithDelta(skeleton_.joints[j], pose[j], deltas[j]), any = true;
  }
  if (all_own_ || !any) return out;
  // Rebuilds all joints from their rotations; those with their own parent keep the pose's translation and scale, so the
  // root stays where it was.
  Pose whole = ToPose(deltas);
  for (int j = 0; j < skeleton_.joint_count(); ++j) {
    if (Own(j)) whole[j].translation = pose[j].translation, whole[j].scale = pose[j].scale;
  }
  return whole;
}

template <typename Share>
Pose Articulation::Nearer(const JointLimits& limits, const Pose& pose, const Share& share) const {
  std::vector<Quaterniond> deltas = Deltas(pose);
  std::vector<bool> turned(deltas.size(), false);
  for (int j = 0; j < skeleton_.joint_count(); ++j) {
    const SwingTwist angles = ToSwingTwist(limits[j], deltas[j]);
    const double outside = sinew::Outside(limits[j], angles);
    if (outside <= 0) continue;
    const double kept = share(j, outside);
    if (kept >= 1) continue;
    const SwingTwist inside = sinew::Clamp(limits[j], angles);
    const auto between = [&](double from, double to) { return kept > 0 ? from + kept * (to - from) : from; };
    deltas[j] = FromSwingTwist(limits[j], {between(inside.bend, angles.bend), between(inside.side, angles.side),
                                           between(inside.twist, angles.twist)});
    turned[j] = true;
  }
  return WithDeltas(pose, deltas, turned);
}

Pose Articulation::Clamp(const JointLimits& limits, const Pose& pose) const {
  return Nearer(limits, pose, [](int, double) { return 0.0; });
}

Pose Articulation::BringBackLost(const JointLimits& limits, const Pose& pose, double lost) const {
  return Nearer(limits, pose, [&](int j, double outside) {
    const bool known = limits[j].origin == LimitOrigin::kFile || limits[j].origin == LimitOrigin::kNames;
    if (!known || outside <= lost / 2) return 1.0;
    return std::max(0.0, lost - outside) / outside;
  });
}

JointView::JointView(const Skeleton& skeleton) {
  const std::vector<int> anatomical = AnatomicalParents(skeleton, IdentifyJoints(skeleton));
  bool any = false;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const int own = skeleton.joints[j].parent;
    const bool displaced = anatomical[j] >= 0 && anatomical[j] != own;
    parents_.push_back(static_cast<int16_t>(own));
    references_.push_back(static_cast<int16_t>(displaced ? anatomical[j] : -1));
    any |= displaced;
  }
  if (!any) references_.clear();
  // Joints of skins below each joint, itself included.
  const int count = skeleton.joint_count();
  std::vector<int> below(count, 0);
  int used = 0;
  for (int j = 0; j < count; ++j) {
    if (skeleton.joints[j].helper) continue;
    ++used;
    for (int above = j; above >= 0; above = anatomical[above]) ++below[above];
  }
  for (int j = 0; j < count; ++j) roots_.push_back(anatomical[j] < 0 || (used > 0 && below[j] == used));
}

runtime::Quaternion JointView::Rotation(const Pose& pose, int joint) const {
  return runtime::SeenRotation(references_, parents_, pose, joint);
}

}  // namespace sinew
