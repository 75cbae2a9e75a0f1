#include "sinew/offline/autorig/extra_joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/anatomy/turn.h"
#include "sinew/offline/core/error.h"

namespace sinew::autorig {
namespace {

// Joints of BipedJoints() in a skeleton: per joint of the skeleton which it is, or -1.
using Known = std::vector<int>;

Known KnownBy(const JointNames& names, const Skeleton& skeleton) {
  Known known;
  for (const Joint& joint : skeleton.joints) {
    const auto found = std::find(names.begin(), names.end(), joint.name);
    known.push_back(found == names.end() ? -1 : static_cast<int>(found - names.begin()));
  }
  return known;
}

// Sets share words for different joints, so that all are read by the same one.
Known FindKnown(const JointNames& names, const Skeleton& skeleton) {
  const auto count = [](const Known& known) {
    return std::count_if(known.begin(), known.end(), [](int joint) { return joint >= 0; });
  };
  Known best = KnownBy(names, skeleton);
  for (const std::string& set : NameSets()) {
    if (Known known = KnownBy(NamesOf(set), skeleton); count(known) > count(best)) best = std::move(known);
  }
  return best;
}

// Positions of the 24 joints in both skeletons.
struct Correspondence {
  std::array<bool, kJoints> known = {};
  JointPositions from = JointPositions::Zero(), to = JointPositions::Zero();
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  // of the whole body
  double scale = 1;                                    // of the whole body

  bool HasBone(int joint) const {
    const int parent = BipedJoints()[joint].parent;
    return parent >= 0 && known[joint] && known[parent];
  }
};

double ScaleOf(const Correspondence& bodies, const std::string& file) {
  double from = 0, to = 0;
  for (int j = 0; j < kJoints; ++j) {
    if (!bodies.HasBone(j)) continue;
    const int parent = BipedJoints()[j].parent;
    from += (bodies.from.row(j) - bodies.from.row(parent)).norm();
    to += (bodies.to.row(j) - bodies.to.row(parent)).norm();
  }
  if (from > 0) return to / from;
  throw InputError(file, "", "has no two known joints of which one hangs from the other, so that its size is not known",
                   fmt::format("give a skeleton whose joints have names of {}", fmt::join(NameSets(), ", ")));
}

// The other end of the bone that joints below `anchor` follow: its child if it has one, its parent if it is an end; -1
// where the body branches, and all of it says more.
int OtherEnd(const Correspondence& bodies, int anchor) {
  std::vector<int> children;
  for (int j = 0; j < kJoints; ++j) {
    if (BipedJoints()[j].parent == anchor) children.push_back(j);
  }
  if (children.size() > 1) return -1;
  if (!children.empty()) return bodies.known[children[0]] ? children[0] : -1;
  return bodies.HasBone(anchor) ? BipedJoints()[anchor].parent : -1;
}

// From the other skeleton's space to the file's, about an anchor.
Eigen::Vector3d Carry(const Correspondence& bodies, int anchor, const Eigen::Vector3d& point) {
  const Eigen::Vector3d from = bodies.from.row(anchor).transpose(), to = bodies.to.row(anchor).transpose();
  Eigen::Vector3d offset = bodies.turn * (point - from);
  const int end = OtherEnd(bodies, anchor);
  if (end < 0) return to + bodies.scale * offset;
  const Eigen::Vector3d bone = bodies.turn * (bodies.from.row(end).transpose() - from);
  const Eigen::Vector3d goal = bodies.to.row(end).transpose() - to;
  constexpr double kNothing = 1e-12;
  if (bone.norm() < kNothing || goal.norm() < kNothing) return to + bodies.scale * offset;
  offset = TurnBetween(bone, goal) * offset;
  return to + goal.norm() / bone.norm() * offset;
}

Correspondence Correspond(const Skeleton& from, const Known& known, const JointPositions& joints,
                          const BodyFrame& frame, const std::string& file) {
  Correspondence bodies;
  bodies.to = joints;
  const RestBody body = MeasureRest(from);
  for (size_t k = 0; k < known.size(); ++k) {
    if (known[k] < 0) continue;
    bodies.known[known[k]] = true;
    bodies.from.row(known[k]) = body.positions[k].transpose();
  }
  bodies.turn = frame.turn.transpose() * body.frame().transpose();
  bodies.scale = ScaleOf(bodies, file);
  return bodies;
}

}  // namespace

std::vector<ExtraJoint> PlaceExtraJoints(const Skeleton& from, const JointPositions& joints, const BodyFrame& frame,
                                         const JointNames& names, const std::string& file) {
  const Known known = FindKnown(names, from);
  const Correspondence bodies = Correspond(from, known, joints, frame, file);
  const std::vector<Eigen::Vector3d> places = MeasureRest(from).positions;
  std::vector<ExtraJoint> extra;
  std::map<int, int> index;  // of a joint of `from`: its number as ExtraJoint::parent counts
  for (int k = 0; k < from.joint_count(); ++k) {
    if (known[k] >= 0) {
      index[k] = known[k];
      continue;
    }
    const auto parent = index.find(from.joints[k].parent);
    if (parent == index.end() || from.joints[k].helper) continue;
    ExtraJoint joint{from.joints[k].name, parent->second, parent->second, {}};
    if (joint.parent >= kJoints) joint.anchor = extra[joint.parent - kJoints].anchor;
    joint.position = Carry(bodies, joint.anchor, places[k]);
    index[k] = kJoints + static_cast<int>(extra.size());
    extra.push_back(std::move(joint));
  }
  if (!extra.empty()) return extra;
  throw InputError(file, "", "has no joints below those that a rig has anyway", "leave --extra away");
}

void AppendJoints(const std::vector<ExtraJoint>& extra, const JointPositions& joints, const BodyFrame& frame,
                  Skeleton& skeleton) {
  for (const ExtraJoint& place : extra) {
    const Eigen::Vector3d parent = place.parent < kJoints ? Eigen::Vector3d(joints.row(place.parent).transpose())
                                                          : extra[place.parent - kJoints].position;
    Joint joint;
    joint.name = place.name;
    joint.parent = place.parent;
    joint.rest = Transform{};
    const Eigen::Vector3d offset = frame.turn * (place.position - parent);
    joint.rest.translation = ToFloat3(offset.cast<float>());
    skeleton.joints.push_back(joint);
  }
}

learn::RowMatrix SplitWeights(const learn::RowMatrix& weights, const std::vector<ExtraJoint>& extra,
                              const SkinWeights& others) {
  const auto joints = kJoints + static_cast<Eigen::Index>(extra.size());
  learn::RowMatrix split = learn::RowMatrix::Zero(weights.rows(), joints);
  split.leftCols(kJoints) = weights;
  for (Eigen::Index v = 0; v < weights.rows(); ++v) {
    Eigen::RowVectorXf other = Eigen::RowVectorXf::Zero(joints);
    for (int k = 0; k < others.influences; ++k) {
      const size_t slot = static_cast<size_t>(v) * others.influences + k;
      other[others.joints[slot]] += others.weights[slot];
    }
    // Sums of a joint's other weight and of those of the extra joints below it.
    Eigen::RowVectorXf whole = other.leftCols(kJoints);
    for (size_t e = 0; e < extra.size(); ++e) whole[extra[e].anchor] += other[kJoints + static_cast<Eigen::Index>(e)];
    for (size_t e = 0; e < extra.size(); ++e) {
      const int anchor = extra[e].anchor;
      if (whole[anchor] <= 0) continue;
      const float share = weights(v, anchor) * other[kJoints + static_cast<Eigen::Index>(e)] / whole[anchor];
      split(v, kJoints + static_cast<Eigen::Index>(e)) = share;
      split(v, anchor) = std::max(0.0F, split(v, anchor) - share);
    }
  }
  return split;
}

}  // namespace sinew::autorig
