#include "sinew/offline/ablation/moved_root.h"

#include <utility>

namespace sinew::ablation {
namespace {

// Longest side of the box around the joints at rest.
float SizeOf(const Skeleton& skeleton) {
  Eigen::AlignedBox3f box;
  for (const Eigen::Affine3f& joint : LocalToModel(skeleton, skeleton.RestPose())) box.extend(joint.translation());
  return box.isEmpty() ? 0 : box.sizes().maxCoeff();
}

}  // namespace

Pose MoveRoots(const Skeleton& skeleton, const Eigen::Affine3f& motion, Pose pose) {
  const Eigen::Quaternionf turn(motion.linear());
  for (int s = 0; s < skeleton.joint_count(); ++s) {
    if (skeleton.joints[s].parent >= 0) continue;
    pose[s].rotation = ToQuaternion((turn * ToEigen(pose[s].rotation)).normalized());
    pose[s].translation = ToFloat3(motion * ToEigen(pose[s].translation));
  }
  return pose;
}

Eigen::Affine3f MovedRoot(float size) {
  Eigen::Affine3f motion = Eigen::Affine3f::Identity();
  motion.translate(Eigen::Vector3f(size, size, 0));
  motion.rotate(Eigen::Quaternionf(0, 1, 0, 0));
  return motion;
}

survey::BodyMethod MovedMethod(const std::string& name, const survey::BodyMethod& method) {
  const auto make = [name, method](const survey::LoadedBody& body) {
    const Eigen::Affine3f motion = MovedRoot(SizeOf(body.character().skeleton));
    const auto shapes = [&body, motion, made = method.make(body)](const Pose& pose) {
      std::vector<Points> levels = made.shapes(MoveRoots(body.character().skeleton, motion, pose));
      const Eigen::Affine3f back = motion.inverse();
      for (Points& points : levels) {
        points = ((points * back.linear().transpose()).rowwise() + back.translation().transpose()).eval();
      }
      return levels;
    };
    return evaluate::Method{name, shapes};
  };
  return {.name = name, .make = make, .check = method.check};
}

}  // namespace sinew::ablation
