#include "sinew/offline/autorig/rig_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "tests/support/small_rig.h"

namespace sinew::autorig {
namespace {

using ::testing::HasSubstr;

const Example& SmallExample() {
  static const Example example = MakeExample(testing::SmallBiped(), {}, 5, "biped");
  return example;
}

VoteScaling SmallScaling() {
  VoteScaling scaling = FitVotes({&SmallExample().joints});
  scaling.deviation = 0.05;
  return scaling;
}

// A network that answers what it should is pooled to the truth, and is sure of it.
TEST(PoolVotes, TheRightAnswerGivesTheTrueRig) {
  const RowMatrix answer = TargetsOf(SmallExample(), SmallScaling());
  ASSERT_EQ(answer.cols(), kAnswerColumns);
  const RigAnswer rig = PoolVotes(answer, SmallExample().input, SmallScaling());
  EXPECT_LT((rig.joints - SmallExample().joints).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(rig.MeanSpread(), 1e-6);
  EXPECT_EQ(rig.weights, SmallExample().weights);
}

TEST(PoolVotes, VotesThatDisagreeSpread) {
  RowMatrix answer = TargetsOf(SmallExample(), SmallScaling());
  for (Eigen::Index e = 0; e < answer.rows(); ++e) {
    answer.row(e).rightCols(kVoteColumns).array() += e % 2 == 0 ? 1.0F : -1.0F;
  }
  const RigAnswer rig = PoolVotes(answer, SmallExample().input, SmallScaling());
  EXPECT_NEAR(rig.MeanSpread(), 0.05 * std::sqrt(3), 0.01);
}

TEST(FitVotes, CentresTheJoints) {
  const JointPositions a = JointPositions::Random(), b = JointPositions::Random();
  const VoteScaling scaling = FitVotes({&a, &b});
  EXPECT_LT((scaling.mean - (a + b) / 2).norm(), 1e-12);
  EXPECT_GT(scaling.deviation, 0);
}

TEST(RigNetwork, BothWaysIsTheSameForTheMirrorImage) {
  const RigNetwork network(testing::UntrainedRigModel(1), "untrained");
  EdgeInput mirrored = SmallExample().input;
  mirrored.features.col(0) *= -1;
  mirrored.features.col(3) *= -1;
  const RigAnswer a = network.EvaluateBothWays(SmallExample().input), b = network.EvaluateBothWays(mirrored);
  for (int j = 0; j < kJoints; ++j) {
    const Eigen::RowVector3d back = b.joints.row(BipedJoints()[j].mirrored).cwiseProduct(Eigen::RowVector3d(-1, 1, 1));
    EXPECT_LT((a.joints.row(j) - back).norm(), 1e-9);
  }
}

TEST(RigNetwork, ModelsSurviveTheFile) {
  const learn::Model model = testing::UntrainedRigModel(0.25);
  const RigNetwork network(learn::DecodeModel(learn::EncodeModel(model), "rig.model"), "rig.model");
  EXPECT_NEAR(network.usual().spread, 0.25, 1e-6);
  const RigAnswer before = RigNetwork(model, "rig.model").Evaluate(SmallExample().input);
  EXPECT_EQ(network.Evaluate(SmallExample().input).joints, before.joints);
}

TEST(RigNetwork, OtherModelsAreRefused) {
  learn::Model model = testing::UntrainedRigModel(1);
  model.settings = JsonBox(Json{{"kind", "graphnet"}});
  try {
    RigNetwork(model, "people.model");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("people.model"));
    EXPECT_THAT(error.what(), HasSubstr("no rigging network"));
  }
  model = testing::UntrainedRigModel(1);
  std::erase_if(model.tensors, [](const learn::Tensor& tensor) { return tensor.name == "bones.longest"; });
  EXPECT_THROW(RigNetwork(model, "people.model"), InputError);
}

}  // namespace
}  // namespace sinew::autorig
