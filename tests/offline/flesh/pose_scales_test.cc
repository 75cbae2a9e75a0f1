#include "sinew/offline/flesh/pose_scales.h"

#include <gtest/gtest.h>

#include "sinew/offline/character/posing.h"
#include "tests/support/flesh_arm.h"

namespace sinew::flesh {
namespace {

using Eigen::Vector3f;

// An arm, bent, with a scale of its own for every joint.
struct ScaledArm {
  Character arm = testing::FleshArm();
  RestSkin skin = CollectRestSkin(arm);
  Pose pose = arm.skeleton.RestPose();

  ScaledArm() {
    for (size_t j = 0; j < pose.size(); ++j) {
      const float share = static_cast<float>(j + 1) / static_cast<float>(pose.size());
      pose[j].rotation = ToQuaternion(Eigen::Quaternionf(Eigen::AngleAxisf(share, Vector3f(1, 2, 3).normalized())));
      pose[j].scale = {1 + 0.5f * share, 1 - 0.3f * share, 1 + 0.1f * share};
    }
  }

  Pose Unscaled() const { return WithoutScales(arm.skeleton, pose); }

  // Linear blend skinning, part by part.
  std::vector<Points> Skinned(const Pose& at) const {
    std::vector<Points> parts;
    for (const PosedPart& part : PoseCharacter(arm, at).parts) parts.push_back(part.positions);
    return parts;
  }
};

double LargestDistance(const std::vector<Points>& a, const std::vector<Points>& b) {
  double largest = 0;
  for (size_t p = 0; p < a.size(); ++p) {
    largest = std::max<double>(largest, (a[p] - b[p]).rowwise().norm().maxCoeff());
  }
  return largest;
}

TEST(PoseScales, AreThoseThatDifferFromRest) {
  ScaledArm scaled;
  EXPECT_TRUE(HasScales(scaled.arm.skeleton, scaled.pose));
  EXPECT_FALSE(HasScales(scaled.arm.skeleton, scaled.Unscaled()));
  scaled.arm.skeleton.joints[0].rest.scale = {100, 100, 100};
  EXPECT_FALSE(HasScales(scaled.arm.skeleton, scaled.Unscaled())) << "the scale of rest is no scale of a pose";
  Pose pose = scaled.Unscaled();
  pose[0].scale.y += 0.01f;
  EXPECT_TRUE(HasScales(scaled.arm.skeleton, pose));
}

TEST(PoseScales, SkinThatFollowsItsBonesIsSkinnedWithThem) {
  const ScaledArm scaled;
  std::vector<Points> parts = scaled.Skinned(scaled.Unscaled());
  const std::vector<Points> expected = scaled.Skinned(scaled.pose);
  EXPECT_GT(LargestDistance(parts, expected), 0.1);
  AddScales(scaled.skin, scaled.arm.skeleton, scaled.pose, parts);
  EXPECT_LT(LargestDistance(parts, expected), 1e-5);
}

TEST(PoseScales, LeaveAPoseWithoutThemAsItIs) {
  const ScaledArm scaled;
  std::vector<Points> parts = scaled.Skinned(scaled.Unscaled());
  for (Points& part : parts) part.array() += 0.123f;
  const std::vector<Points> before = parts;
  AddScales(scaled.skin, scaled.arm.skeleton, scaled.Unscaled(), parts);
  for (size_t p = 0; p < parts.size(); ++p) EXPECT_EQ(parts[p], before[p]);
}

// Flesh grows with a body that grows as a whole.
TEST(PoseScales, OfTheWholeScaleFleshAndAll) {
  ScaledArm scaled;
  scaled.pose = scaled.Unscaled();
  scaled.pose[0].translation = {0.2f, -0.1f, 0.3f};
  std::vector<Points> parts = scaled.Skinned(scaled.pose);
  for (Points& part : parts) {
    for (Eigen::Index v = 0; v < part.rows(); ++v) part.row(v) += 0.1f * std::sin(static_cast<float>(v)) * part.row(v);
  }
  const Vector3f root = ToEigen(scaled.pose[0].translation);
  std::vector<Points> expected = parts;
  for (Points& part : expected) {
    part = (2 * (part.rowwise() - root.transpose())).rowwise() + root.transpose();
  }
  scaled.pose[0].scale = ToFloat3(2 * ToEigen(scaled.pose[0].scale));
  AddScales(scaled.skin, scaled.arm.skeleton, scaled.pose, parts);
  EXPECT_LT(LargestDistance(parts, expected), 1e-5);
}

// On skin of one joint, flesh is carried by that joint's own change.
TEST(PoseScales, CarryFleshWithItsJoint) {
  ScaledArm scaled;
  const int joint = scaled.arm.skeleton.joint_count() - 1;
  for (Part& part : scaled.arm.parts) {
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      for (int k = 0; k < part.weights.influences; ++k) {
        part.weights.joints[v * part.weights.influences + k] = static_cast<uint16_t>(k == 0 ? joint : 0);
        part.weights.weights[v * part.weights.influences + k] = k == 0 ? 1.0f : 0.0f;
      }
    }
  }
  scaled.skin = CollectRestSkin(scaled.arm);
  // What flesh does at rest, in the joint's own frame, is then skinned as any rest shape is.
  Character moved = scaled.arm;
  for (Part& part : moved.parts) part.mesh.positions.array() += 0.05f * part.mesh.positions.array().sin();
  const auto skinned = [&](const Pose& pose) {
    std::vector<Points> parts;
    for (const PosedPart& part : PoseCharacter(moved, pose).parts) parts.push_back(part.positions);
    return parts;
  };
  std::vector<Points> parts = skinned(scaled.Unscaled());
  AddScales(scaled.skin, scaled.arm.skeleton, scaled.pose, parts);
  EXPECT_LT(LargestDistance(parts, skinned(scaled.pose)), 1e-5);
}

TEST(PoseScales, OfNothingMakeNothingInfinite) {
  ScaledArm scaled;
  std::vector<Points> parts = scaled.Skinned(scaled.Unscaled());
  scaled.pose.back().scale = {0, 0, 0};
  AddScales(scaled.skin, scaled.arm.skeleton, scaled.pose, parts);
  for (const Points& part : parts) EXPECT_TRUE(part.allFinite());
  EXPECT_LT(LargestDistance(parts, scaled.Skinned(scaled.pose)), 1e-5);

  scaled.arm.skeleton.joints.back().rest.scale = {0, 0, 0};
  scaled.pose.back().scale = {1, 1, 1};
  AddScales(scaled.skin, scaled.arm.skeleton, scaled.pose, parts);
  for (const Points& part : parts) EXPECT_TRUE(part.allFinite());
}

}  // namespace
}  // namespace sinew::flesh
