#include "sinew/offline/character/bind_pose.h"

#include <cmath>

namespace sinew {
namespace {

constexpr double kSmallestTurn = 0.1 * 3.14159265358979323846 / 180;
constexpr double kSmallestShift = 1e-3;

bool Invertible(const Eigen::Affine3f& affine) {
  const double determinant = affine.linear().cast<double>().determinant();
  return std::isfinite(determinant) && determinant != 0;
}

Eigen::Quaterniond Rotation(const Eigen::Affine3f& affine) {
  return ToEigen(ToTransform(affine).rotation).cast<double>().normalized();
}

}  // namespace

Skeleton BindSkeleton(const Character& character, int skin) {
  const Skin& bind = character.skins[skin];
  Skeleton skeleton = character.skeleton;
  std::vector<Eigen::Affine3f> mesh_from_joint(skeleton.joints.size(), Eigen::Affine3f::Identity());
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    Joint& joint = skeleton.joints[j];
    const Eigen::Affine3f parent = joint.parent < 0 ? Eigen::Affine3f::Identity() : mesh_from_joint[joint.parent];
    const bool known = bind.has_joint[j] && Invertible(bind.inverse_bind[j]);
    mesh_from_joint[j] = known ? bind.inverse_bind[j].inverse() : parent;
    joint.rest = Invertible(parent) ? ToTransform(parent.inverse() * mesh_from_joint[j]) : Transform{};
  }
  return skeleton;
}

Pose BindPose(const Character& character, int skin) {
  const Skin& bind = character.skins[skin];
  const Skeleton& skeleton = character.skeleton;
  const Eigen::Affine3f model_from_mesh = CompareRestWithBind(character, skin, 1).model_from_mesh;
  Pose pose = skeleton.RestPose();
  std::vector<Eigen::Affine3f> models(pose.size());
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const Joint& joint = skeleton.joints[j];
    const Eigen::Affine3f parent = joint.parent < 0 ? Eigen::Affine3f::Identity() : models[joint.parent];
    const Eigen::Affine3f at_rest = parent * ToAffine(joint.rest);
    models[j] = at_rest;
    if (!bind.has_joint[j] || !Invertible(bind.inverse_bind[j]) || !Invertible(parent)) continue;
    const Eigen::Affine3f bound = model_from_mesh * bind.inverse_bind[j].inverse();
    const double length = (at_rest.translation() - parent.translation()).norm();
    const bool same = Rotation(bound).angularDistance(Rotation(at_rest)) < kSmallestTurn &&
                      (bound.translation() - at_rest.translation()).norm() <= kSmallestShift * length;
    if (same) continue;
    models[j] = bound;
    pose[j] = ToTransform(parent.inverse() * bound);
  }
  return pose;
}

double WholeTurn(const BindComparison& comparison) {
  return Rotation(comparison.model_from_mesh).angularDistance(Eigen::Quaterniond::Identity());
}

double WholeScale(const BindComparison& comparison) {
  return std::cbrt(std::abs(comparison.model_from_mesh.linear().cast<double>().determinant()));
}

BindComparison CompareRestWithBind(const Character& character, int skin, double size) {
  const Skin& bind = character.skins[skin];
  const auto model = LocalToModel(character.skeleton, character.skeleton.RestPose());
  BindComparison result;
  bool have_reference = false;
  for (int j = 0; j < character.skeleton.joint_count(); ++j) {
    if (!bind.has_joint[j]) continue;
    ++result.joints;
    if (!Invertible(bind.inverse_bind[j])) {
      ++result.singular;
      continue;
    }
    const Eigen::Affine3f model_from_mesh = model[j] * bind.inverse_bind[j];
    if (!have_reference) result.model_from_mesh = model_from_mesh;
    have_reference = true;
    const Eigen::Vector3f at = bind.inverse_bind[j].inverse().translation();
    const double turn = Rotation(model_from_mesh).angularDistance(Rotation(result.model_from_mesh));
    const double shift = (model_from_mesh * at - result.model_from_mesh * at).cast<double>().norm();
    if (turn < kSmallestTurn && shift < kSmallestShift * size) continue;
    ++result.moved;
    const bool further = turn > result.largest_turn || (turn == result.largest_turn && shift > result.largest_shift);
    if (result.furthest_joint < 0 || further) result.furthest_joint = j;
    result.largest_turn = std::max(result.largest_turn, turn);
    result.largest_shift = std::max(result.largest_shift, shift);
  }
  return result;
}

}  // namespace sinew
