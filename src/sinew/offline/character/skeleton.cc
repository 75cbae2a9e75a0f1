#include "sinew/offline/character/skeleton.h"

#include <algorithm>

namespace sinew {

int Skeleton::Find(std::string_view name) const {
  for (int j = 0; j < joint_count(); ++j) {
    if (joints[j].name == name) return j;
  }
  return -1;
}

Pose Skeleton::RestPose() const {
  Pose pose;
  pose.reserve(joints.size());
  for (const Joint& joint : joints) pose.push_back(joint.rest);
  return pose;
}

bool IsFinite(const Pose& pose) {
  return std::all_of(pose.begin(), pose.end(), [](const Transform& t) {
    return ToEigen(t.translation).allFinite() && ToEigen(t.rotation).coeffs().allFinite() &&
           ToEigen(t.scale).allFinite();
  });
}

std::vector<Eigen::Affine3f> LocalToModel(const Skeleton& skeleton, const Pose& pose) {
  std::vector<Eigen::Affine3f> model(skeleton.joints.size());
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const int parent = skeleton.joints[j].parent;
    const Eigen::Affine3f local = ToAffine(pose[j]);
    model[j] = parent < 0 ? local : model[parent] * local;
  }
  return model;
}

Eigen::Affine3f ToAffine(const Transform& transform) {
  Eigen::Affine3f affine = Eigen::Affine3f::Identity();
  affine.translate(ToEigen(transform.translation));
  affine.rotate(ToEigen(transform.rotation));
  affine.scale(ToEigen(transform.scale));
  return affine;
}

Transform ToTransform(const Eigen::Affine3f& affine) {
  Eigen::Matrix3f linear = affine.linear();
  Eigen::Vector3f scale = linear.colwise().norm().transpose();
  if (linear.determinant() < 0) scale.x() = -scale.x();
  for (int k = 0; k < 3; ++k) {
    if (scale[k] != 0) linear.col(k) /= scale[k];
  }
  return {ToFloat3(affine.translation()), ToQuaternion(Eigen::Quaternionf(linear).normalized()), ToFloat3(scale)};
}

runtime::Affine ToRuntime(const Eigen::Affine3f& affine) {
  runtime::Affine out;
  Eigen::Map<Eigen::Matrix4f>(out.m) = affine.matrix();
  return out;
}

}  // namespace sinew
