#include "sinew/offline/autorig/rig_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "sinew/offline/core/error.h"
#include "tests/support/small_rig.h"

namespace sinew::autorig {
namespace {

using ::testing::HasSubstr;

const Example& SmallExample() {
  static const Example example = ExampleMaker(MakeWeightedBody(testing::SmallBiped(), "biped")).Make({}, 5);
  return example;
}

VoteScaling SmallScaling() {
  VoteScaling scaling = FitVotes({&SmallExample().joints});
  scaling.deviation = 0.05;
  return scaling;
}

// A network that answers what it should gives the truth, and is sure of it.
TEST(ReadAnswer, TheRightAnswerGivesTheTrueRig) {
  JointPositions joints = SmallExample().joints;
  joints(3, 1) += 0.02;
  const std::vector<float> places = PlacesOf(joints, SmallScaling());
  RowMatrix answer(2, kAnswerColumns);
  answer.leftCols(kJoints) = SmallExample().weights->topRows(2);
  for (int k = 0; k < kPooledColumns; ++k) answer.col(kJoints + k).setConstant(places[k]);
  const RigAnswer rig = ReadAnswer(answer, SmallScaling());
  EXPECT_LT((rig.joints - joints).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(rig.MeanSpread(), 1e-6);
  EXPECT_EQ(rig.weights, SmallExample().weights->topRows(2));
}

TEST(Doubt, GrowsWithEveryMeasure) {
  Usual usual;
  usual.doubts = {.spread = 0.01, .moved = 0.02, .sides = 0.005, .distance = 0.06, .outside = 0.1};
  EXPECT_NEAR(Doubt(usual.doubts, usual), 1, 1e-9);
  for (double Doubts::*measure :
       {&Doubts::spread, &Doubts::moved, &Doubts::sides, &Doubts::distance, &Doubts::outside}) {
    Doubts doubts = usual.doubts;
    doubts.*measure *= 4;
    EXPECT_GT(Doubt(doubts, usual), 1.1);
    EXPECT_LE(Doubt(doubts, usual), std::pow(4, 0.2) + 1e-9);
  }
}

// The second look sees the body in a frame that does not depend on how it stood before.
TEST(RigNetwork, TheSecondLookForgetsTheFirstFrame) {
  const RigNetwork network(testing::UntrainedRigModel(1), "untrained");
  const RigAnswer answer = network.Rig(SmallExample().input);
  EXPECT_TRUE(answer.joints.allFinite());
  EXPECT_GT(answer.moved, 0);
  const std::optional<BodyFrame> frame =
      RefinedFrame(network.LookBothWays(InFrame(SmallExample().input, {}, false)).joints);
  ASSERT_TRUE(frame);
  const RigAnswer again = network.LookBothWays(InFrame(SmallExample().input, *frame, true));
  for (int j = 0; j < kJoints; ++j) {
    EXPECT_LT((frame->ToFile(again.joints.row(j).transpose()) - answer.joints.row(j).transpose()).norm(), 1e-9);
  }
}

TEST(RigNetwork, AKnownFrameGivesTheAnswerOfTheSecondLook) {
  const RigNetwork network(testing::UntrainedRigModel(1), "untrained");
  const RigAnswer found = network.Rig(SmallExample().input);
  ASSERT_TRUE(found.frame);
  const RigAnswer again = network.RigInFrame(SmallExample().input, *found.frame);
  EXPECT_EQ(again.joints, found.joints);
  EXPECT_EQ(again.weights, found.weights);
  EXPECT_EQ(again.spreads, found.spreads);
}

TEST(FitVotes, CentresTheJoints) {
  const JointPositions a = JointPositions::Random(), b = JointPositions::Random();
  const VoteScaling scaling = FitVotes({&a, &b});
  EXPECT_LT((scaling.mean - (a + b) / 2).norm(), 1e-12);
  EXPECT_GT(scaling.deviation, 0);
}

TEST(RigNetwork, BothWaysIsTheSameForTheMirrorImage) {
  const RigNetwork network(testing::UntrainedRigModel(1), "untrained");
  const EdgeInput input = InFrame(SmallExample().input, {}, false);
  const RigAnswer a = network.LookBothWays(input), b = network.LookBothWays(Mirrored(input));
  for (int j = 0; j < kJoints; ++j) {
    const Eigen::RowVector3d back = b.joints.row(BipedJoints()[j].mirrored).cwiseProduct(Eigen::RowVector3d(-1, 1, 1));
    EXPECT_LT((a.joints.row(j) - back).norm(), 1e-9);
  }
}

TEST(RigNetwork, ModelsSurviveTheFile) {
  const learn::Model model = testing::UntrainedRigModel(0.25);
  const RigNetwork network(learn::DecodeModel(learn::EncodeModel(model), "rig.model"), "rig.model");
  EXPECT_NEAR(network.usual().limit, 0.25, 1e-6);
  const RigAnswer before = RigNetwork(model, "rig.model").Look(SmallExample().input);
  EXPECT_EQ(network.Look(SmallExample().input).joints, before.joints);
}

// A network with an offset block is used as one that votes, and its rig of a symmetric look is symmetric, too.
TEST(RigNetwork, OffsetBlocksRigBodies) {
  for (const bool by_area : {false, true}) {
    const NetworkChoice choice = {.blocks = "paper-small", .offsets = OffsetBlock::kPaper, .by_area = by_area};
    const learn::Model model = testing::UntrainedRigModel(1, choice);
    const RigNetwork network(learn::DecodeModel(learn::EncodeModel(model), "rig.model"), "rig.model");
    EXPECT_EQ(network.card().network, "paper-small");
    const RigAnswer answer = network.Rig(SmallExample().input);
    EXPECT_TRUE(answer.joints.allFinite());
    EXPECT_LT((answer.weights.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-4);
    EXPECT_EQ(answer.MeanSpread(), 0);
    const EdgeInput input = InFrame(SmallExample().input, {}, false);
    const RigAnswer a = network.LookBothWays(input), b = network.LookBothWays(Mirrored(input));
    EXPECT_NEAR(a.joints(1, 0), -b.joints(2, 0), 1e-9);
  }
}

// Files of version 2 are those of networks that vote.
TEST(RigNetwork, OldVersionsAreRead) {
  learn::Model model = testing::UntrainedRigModel(1);
  const RigAnswer now = RigNetwork(model, "rig.model").Look(SmallExample().input);
  const auto as = [&model](int version) {
    Json settings = *model.settings;
    settings["version"] = version;
    model.settings = JsonBox(settings);
  };
  as(2);
  EXPECT_EQ(RigNetwork(model, "rig.model").Look(SmallExample().input).joints, now.joints);
  for (const int version : {1, 4}) {
    as(version);
    EXPECT_THROW(RigNetwork(model, "rig.model"), InputError);
  }
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
