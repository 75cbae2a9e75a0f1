#include "sinew/offline/retarget/own_motion.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/retarget/placed.h"

namespace sinew::retarget {
namespace {

using Eigen::Affine3f;
using Eigen::Quaterniond;
using Eigen::Vector3d;
constexpr double kSamePlace = 1e-4;  // share of the skeleton's size: text has rounded digits

double SizeOf(const Placed& placed) {
  Vector3d low = placed.positions[0], high = low;
  for (const Vector3d& position : placed.positions) {
    low = low.cwiseMin(position);
    high = high.cwiseMax(position);
  }
  return (high - low).norm();
}

// Which joint of the source each joint of the target is; empty if one is missing or too many are there.
std::vector<int> FindJoints(const Skeleton& source, const Skeleton& target) {
  std::unordered_map<std::string, int> by_name;
  for (int s = 0; s < source.joint_count(); ++s) by_name.emplace(source.joints[s].name, s);
  std::vector<int> found;
  std::vector<bool> taken(source.joints.size(), false);
  for (const Joint& joint : target.joints) {
    const auto at = by_name.find(joint.name);
    if (at == by_name.end()) return {};
    const int parent = source.joints[at->second].parent;
    if (parent != (joint.parent < 0 ? -1 : found[joint.parent])) return {};
    found.push_back(at->second);
    taken[at->second] = true;
  }
  for (int s = 0; s < source.joint_count(); ++s) {
    if (!taken[s] && !source.joints[s].helper) return {};
  }
  return found;
}

// Maps poses of the source to poses of the target.
class Turner {
 public:
  Turner(const Skeleton& source, const Skeleton& target, std::vector<int> joints)
      : source_(source),
        target_(target),
        joints_(std::move(joints)),
        source_rest_(Place(source, source.RestPose())),
        rest_(Place(target, target.RestPose())),
        tolerance_(kSamePlace * SizeOf(rest_)) {}

  bool RestsAtTheSamePlaces() const {
    for (int t = 0; t < target_.joint_count(); ++t) {
      if ((source_rest_.positions[joints_[t]] - rest_.positions[t]).norm() > tolerance_) return false;
    }
    return true;
  }

  Pose Apply(const Pose& from) const {
    const Placed placed = Place(source_, from);
    Pose pose = target_.RestPose();
    std::vector<Quaterniond> rotations(pose.size());
    std::vector<Affine3f> models(pose.size());
    for (int t = 0; t < target_.joint_count(); ++t) {
      const int s = joints_[t], parent = target_.joints[t].parent;
      const Quaterniond turned = placed.rotations[s] * source_rest_.rotations[s].conjugate();
      rotations[t] = turned * rest_.rotations[t];
      const Quaterniond local = parent < 0 ? rotations[t] : rotations[parent].conjugate() * rotations[t];
      pose[t].rotation = ToQuaternion(local.normalized().cast<float>());
      const Eigen::Vector3f position = placed.positions[s].cast<float>();
      // Where it is without moving away from its parent; rest's own numbers stay as they are.
      const Eigen::Vector3f still =
          parent < 0 ? ToEigen(pose[t].translation) : models[parent] * ToEigen(pose[t].translation);
      if ((still - position).norm() > tolerance_) {
        pose[t].translation = ToFloat3(parent < 0 ? position : models[parent].inverse() * position);
      }
      models[t] = parent < 0 ? ToAffine(pose[t]) : models[parent] * ToAffine(pose[t]);
    }
    return pose;
  }

 private:
  const Skeleton& source_;
  const Skeleton& target_;
  const std::vector<int> joints_;  // one per target joint: FindJoints()
  const Placed source_rest_, rest_;
  const double tolerance_;
};

}  // namespace

std::optional<std::vector<Pose>> OwnMotion(const Clip& clip, const Skeleton& target) {
  std::vector<int> joints = FindJoints(clip.skeleton, target);
  if (joints.empty()) return std::nullopt;
  const Turner turner(clip.skeleton, target, std::move(joints));
  if (!turner.RestsAtTheSamePlaces()) return std::nullopt;
  std::vector<Pose> frames(clip.motion.frame_count());
  ParallelFor(clip.motion.frame_count(), 16, [&](int f) { frames[f] = turner.Apply(clip.motion.frames[f]); });
  return frames;
}

}  // namespace sinew::retarget
