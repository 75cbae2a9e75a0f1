#include "sinew/offline/graphnet/body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "tests/support/test_character.h"

namespace sinew::graphnet {
namespace {

using ::testing::HasSubstr;

Pose RandomPose(const Skeleton& skeleton, uint64_t seed, double size) {
  Random random(seed);
  Pose pose = skeleton.RestPose();
  for (Transform& local : pose) {
    const Eigen::Vector3f axis(random.Normal(), random.Normal(), random.Normal());
    const Eigen::Quaternionf turn(Eigen::AngleAxisf(static_cast<float>(size * random.Normal()), axis.normalized()));
    local.rotation = ToQuaternion((turn * ToEigen(local.rotation)).normalized());
  }
  return pose;
}

// The body turned and shifted as a whole, by its root.
Pose Moved(Pose pose, const Eigen::Quaternionf& turn, const Eigen::Vector3f& by) {
  pose[0].rotation = ToQuaternion((turn * ToEigen(pose[0].rotation)).normalized());
  pose[0].translation = ToFloat3(turn * ToEigen(pose[0].translation) + by);
  return pose;
}

class BodyTest : public ::testing::Test {
 protected:
  Body body_{sinew::testing::TestCharacter(), "body.glb"};
  const Skeleton& skeleton_ = body_.character().skeleton;
};

TEST_F(BodyTest, RestIsRest) {
  const Body::Frame frame = body_.Evaluate(MainBindPose(body_.character()));
  EXPECT_EQ(body_.columns(), 6 + static_cast<int>(body_.joints().size()));
  EXPECT_TRUE(frame.rotation.isApprox(Eigen::Matrix3f::Identity(), 1e-5f));
  // Nothing has turned, so relative skinning is the rest shape itself, up to a shift: the pelvis is its origin.
  const Points first = frame.features.leftCols(3) * static_cast<float>(body_.size());
  const RestSurface surface = CollectRestSurface(body_.character());
  Points skinned(body_.points(), 3);
  for (int i = 0; i < body_.points(); ++i) skinned.row(i) = frame.skinned.row(surface.welding.first_of[i]);
  const Eigen::RowVector3f shift = skinned.row(0) - first.row(0);
  EXPECT_LT(((first.rowwise() + shift) - skinned).rowwise().norm().maxCoeff(), 1e-5 * body_.size());
  EXPECT_GT(frame.features.rightCols(body_.joints().size()).minCoeff(), 0);
}

TEST_F(BodyTest, FeaturesDoNotSeeWhereTheBodyStands) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const Pose pose = RandomPose(skeleton_, seed, 0.4);
    const Eigen::Quaternionf turn(
        Eigen::AngleAxisf(2.1f, Eigen::Vector3f(1, static_cast<float>(seed), -1).normalized()));
    const Pose moved = Moved(pose, turn, {3, -1, 2});
    const Body::Frame here = body_.Evaluate(pose), there = body_.Evaluate(moved);
    EXPECT_LT((here.features - there.features).cwiseAbs().maxCoeff(), 1e-5f);
    // The same answer is the same shape, turned and shifted along.
    const RowMatrix answer = RowMatrix::Random(body_.points(), 3) * 0.01f;
    const Points expected =
        (body_.Apply(here, answer) * turn.toRotationMatrix().transpose()).rowwise() + Eigen::RowVector3f(3, -1, 2);
    EXPECT_LT((expected - body_.Apply(there, answer)).cwiseAbs().maxCoeff(), 1e-5f * (body_.size() + 3));
  }
}

TEST_F(BodyTest, AnswersOfTheTruthMakeTheTruth) {
  const Body::Frame frame = body_.Evaluate(RandomPose(skeleton_, 9, 0.5));
  const RowMatrix answer = RowMatrix::Random(body_.points(), 3) * 0.02f;
  const Points truth = body_.Apply(frame, answer);
  EXPECT_LT((body_.Targets(frame, truth) - answer).cwiseAbs().maxCoeff(), 1e-5f);
}

TEST_F(BodyTest, FeaturesDoNotSeeTheUnit) {
  Character large = sinew::testing::TestCharacter();
  for (Part& part : large.parts) part.mesh.positions *= 100;
  for (Joint& joint : large.skeleton.joints) {
    joint.rest.translation = ToFloat3(100 * ToEigen(joint.rest.translation));
  }
  for (Skin& skin : large.skins) {
    for (Eigen::Affine3f& bind : skin.inverse_bind) bind.translation() *= 100;
  }
  const Body other(large, "large.glb");
  EXPECT_NEAR(other.size(), 100 * body_.size(), 1e-2);
  const Body::Frame small = body_.Evaluate(skeleton_.RestPose());
  const Body::Frame big = other.Evaluate(other.character().skeleton.RestPose());
  EXPECT_LT((small.features - big.features).cwiseAbs().maxCoeff(), 1e-4f);
}

TEST_F(BodyTest, SharesOfVerticesSumToOne) {
  double sum = 0;
  for (const float share : body_.VertexShares()) sum += share;
  EXPECT_NEAR(sum, 1, 1e-4);
}

TEST(Body, NeedsLegs) {
  Character character = sinew::testing::TestCharacter();
  for (size_t j = 0; j < character.skeleton.joints.size(); ++j) {
    character.skeleton.joints[j].name = "thing" + std::to_string(j);
  }
  try {
    const Body body(character, "things.glb");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("things.glb: skeleton: has no joint that is known as left_hip"));
  }
}

}  // namespace
}  // namespace sinew::graphnet
