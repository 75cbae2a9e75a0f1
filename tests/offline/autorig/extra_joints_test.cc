#include "sinew/offline/autorig/extra_joints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/autorig/known_body.h"
#include "sinew/offline/autorig/rig_character.h"
#include "sinew/offline/core/error.h"
#include "tests/support/small_rig.h"

namespace sinew::autorig {
namespace {

using ::testing::HasSubstr;

int Add(const std::string& name, const std::string& parent, const Eigen::Vector3f& offset, Skeleton& skeleton) {
  Joint joint;
  joint.name = name;
  joint.parent = skeleton.Find(parent);
  joint.rest = Transform{};
  joint.rest.translation = ToFloat3(offset);
  skeleton.joints.push_back(joint);
  return skeleton.joint_count() - 1;
}

// The biped's skeleton with a finger of two joints and a tail.
Skeleton WithFingerAndTail() {
  Skeleton skeleton = testing::SmallBiped().skeleton;
  Add("finger1", "left_hand", {0.03F, 0.01F, 0.02F}, skeleton);
  Add("finger2", "finger1", {0.02F, 0, 0}, skeleton);
  Add("tail", "pelvis", {0, -0.05F, -0.2F}, skeleton);
  return skeleton;
}

JointPositions PlacesOf(const Skeleton& skeleton) {
  const RestBody body = MeasureRest(skeleton);
  JointPositions places;
  const std::array<int, kJoints> found = FindBipedJoints(skeleton, "biped");
  for (int j = 0; j < kJoints; ++j) places.row(j) = body.positions[found[j]].transpose();
  return places;
}

TEST(PlaceExtraJoints, KeepTheirPlaceInABodyThatStandsElsewhereInAnotherUnit) {
  const Skeleton from = WithFingerAndTail();
  const JointPositions places = PlacesOf(from);
  const RestBody body = MeasureRest(from);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.2, Eigen::Vector3d(1, 2, -0.5).normalized()).toRotationMatrix();
  for (const double scale : {1.0, 100.0}) {
    BodyFrame frame;
    frame.turn = turn.transpose();
    frame.height = scale;
    JointPositions there;
    const Eigen::Vector3d shift(3, -1, 2);
    for (int j = 0; j < kJoints; ++j) {
      there.row(j) = (scale * (turn * places.row(j).transpose()) + shift).transpose();
    }
    const std::vector<ExtraJoint> extra = PlaceExtraJoints(from, there, frame, NamesOf("mixamo"), "extra.glb");
    ASSERT_EQ(extra.size(), 3u);
    EXPECT_STREQ(BipedJoints()[extra[0].anchor].name, "left_hand");
    EXPECT_EQ(extra[1].parent, kJoints);
    EXPECT_EQ(extra[1].anchor, extra[0].anchor);
    EXPECT_STREQ(BipedJoints()[extra[2].anchor].name, "pelvis");
    for (const ExtraJoint& joint : extra) {
      const Eigen::Vector3d goal = scale * (turn * body.positions[from.Find(joint.name)]) + shift;
      EXPECT_LT((joint.position - goal).norm(), 2e-3 * scale) << joint.name;
    }
  }
}

TEST(PlaceExtraJoints, FollowTheBoneThatTheyHangFrom) {
  const Skeleton from = WithFingerAndTail();
  JointPositions places = PlacesOf(from);
  const int wrist = 20, hand = 22;
  ASSERT_STREQ(BipedJoints()[hand].name, "left_hand");
  // A hand of twice the length: its finger is twice as far.
  const Eigen::RowVector3d bone = places.row(hand) - places.row(wrist);
  places.row(hand) = places.row(wrist) + 2 * bone;
  const RestBody body = MeasureRest(from);
  const std::vector<ExtraJoint> extra = PlaceExtraJoints(from, places, {}, NamesOf("smpl"), "extra.glb");
  const Eigen::Vector3d offset = body.positions[from.Find("finger1")] - body.positions[from.Find("left_hand")];
  EXPECT_LT((extra[0].position - places.row(hand).transpose() - 2 * offset).norm(), 2e-3);
}

TEST(PlaceExtraJoints, SayWhatIsWrong) {
  const auto message = [](const Skeleton& skeleton) -> std::string {
    try {
      PlaceExtraJoints(skeleton, PlacesOf(testing::SmallBiped().skeleton), {}, NamesOf("smpl"), "extra.glb");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message(testing::SmallBiped().skeleton), HasSubstr("extra.glb: has no joints below"));
  Skeleton strange = WithFingerAndTail();
  for (Joint& joint : strange.joints) joint.name = "x" + joint.name;
  EXPECT_THAT(message(strange), HasSubstr("no two known joints"));
}

TEST(SplitWeights, KeepsTheSumsAndMovesWeightBelowItsJoint) {
  const std::vector<ExtraJoint> extra = {{"finger", 22, 22, {}}, {"tip", kJoints, 22, {}}};
  learn::RowMatrix weights = learn::RowMatrix::Zero(3, kJoints);
  weights(0, 22) = 0.6F;
  weights(0, 20) = 0.4F;
  weights(1, 22) = 1;
  weights(2, 3) = 1;
  SkinWeights others;
  others.influences = 2;
  others.joints = {kJoints, 22, 5, 3, kJoints, kJoints + 1};
  others.weights = {0.75F, 0.25F, 0.5F, 0.5F, 0.5F, 0.5F};
  const learn::RowMatrix split = SplitWeights(weights, extra, others);
  EXPECT_NEAR(split(0, kJoints), 0.45, 1e-6);
  EXPECT_NEAR(split(0, 22), 0.15, 1e-6);
  EXPECT_NEAR(split(0, 20), 0.4, 1e-6);
  EXPECT_EQ(split(1, 22), 1) << "the others do not know it there";
  EXPECT_EQ(split(2, 3), 1) << "what hangs from another joint gets nothing";
  for (int v = 0; v < 3; ++v) EXPECT_NEAR(split.row(v).sum(), 1, 1e-6);
}

TEST(RigCharacter, AddsJointsOfAnotherSkeletonWithWeights) {
  const RigNetwork network(testing::UntrainedRigModel(10), "untrained");
  const Skeleton from = WithFingerAndTail();
  RigOptions options;
  options.extra = &from;
  options.extra_file = "extra.glb";
  options.steps = 5;
  const Rig rig = RigCharacter(WithoutRig(testing::SmallBiped()), network, options, "biped.obj");
  ASSERT_EQ(rig.character.skeleton.joint_count(), kJoints + 3);
  EXPECT_EQ(rig.character.skeleton.joints[kJoints + 1].parent, kJoints);
  const RestBody body = MeasureRest(rig.character.skeleton);
  for (size_t e = 0; e < rig.extra.size(); ++e) {
    EXPECT_LT((body.positions[kJoints + e] - rig.extra[e].position).norm(), 1e-4);
  }
  const SkinWeights& weights = rig.character.parts[0].weights;
  for (int v = 0; v < rig.character.vertex_count(); ++v) {
    float sum = 0;
    for (int k = 0; k < weights.influences; ++k) sum += weights.weights[v * weights.influences + k];
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

}  // namespace
}  // namespace sinew::autorig
