#include "sinew/offline/rigsurvey/rig_survey.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "tests/support/small_rig.h"

namespace sinew::rigsurvey {
namespace {

using autorig::BipedJoints;
using autorig::HeightOf;
using autorig::kJoints;
using autorig::KnownBody;
using autorig::MakeWeightedBody;
using autorig::Placed;
using autorig::Rig;
using autorig::RigNetwork;
using autorig::StanceRange;
using autorig::Stand;
using autorig::TakeRig;
using autorig::WeightedBody;

using ::testing::HasSubstr;
using ::testing::Not;

const RigNetwork& AnyNetwork() {
  static const RigNetwork network(testing::UntrainedRigModel(10), "untrained");
  return network;
}

const WeightedBody& Biped() {
  static const WeightedBody body = MakeWeightedBody(testing::SmallBiped(), "biped");
  return body;
}

// The rig that a network finds, as if it were the true one.
struct Found {
  KnownBody body;
  RigOutcome outcome;
};
const Found& FoundByItself() {
  static const Found found = [] {
    KnownBody body = TakeRig(Biped(), HeightOf(Biped().surface), "biped", kGroupT);
    Rig rig;
    RigAndCompare(body, AnyNetwork(), {}, &rig);
    body.joints = rig.joints;
    body.weights = WeightsOf(rig);
    return Found{body, RigAndCompare(body, AnyNetwork(), {})};
  }();
  return found;
}

TEST(TakeRig, KnowsJointsByTheirNames) {
  const KnownBody known = TakeRig(testing::SmallBiped(), kGroupFiles, "biped.glb");
  EXPECT_TRUE(known.mesh.skeleton.joints.empty());
  EXPECT_TRUE(known.mesh.parts[0].weights.empty());
  for (int j = 0; j < kJoints; ++j) {
    ASSERT_TRUE(known.known[j]) << BipedJoints()[j].name;
    EXPECT_LT((known.joints.row(j) - Biped().joints.row(j)).norm(), 1e-5);
  }
}

TEST(Placed, MovesJointsWithTheMesh) {
  const KnownBody body = TakeRig(Biped(), 1.7, "biped", kGroupT);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  const KnownBody moved = Placed(body, turn, 100);
  const Points before = body.mesh.parts[0].mesh.positions, after = moved.mesh.parts[0].mesh.positions;
  for (int j = 0; j < kJoints; ++j) {
    const double distance = (body.joints.row(j) - before.row(7).cast<double>()).norm();
    EXPECT_NEAR((moved.joints.row(j) - after.row(7).cast<double>()).norm(), 100 * distance, 1e-3);
  }
  EXPECT_DOUBLE_EQ(moved.stature, 170);
  // Back in canonical axes everything is where it was.
  EXPECT_LT((*moved.turn * moved.joints.row(4).transpose() / 100 - body.joints.row(4).transpose()).norm(), 1e-9);
}

TEST(Stand, TurnsAnyRigOfTheBodyAlike) {
  const StanceRange range{.turn = 0, .wander = 20, .least = 0.5};
  const WeightedBody standing = Stand(Biped(), range, 5);
  WeightedBody other = Biped();
  other.joints.row(20) += Eigen::RowVector3d(0, 0.01, 0);
  const WeightedBody again = Stand(other, range, 5);
  // What does not hang on the joint that differs is the same.
  EXPECT_EQ(standing.joints.row(18), again.joints.row(18));
  EXPECT_NE(standing.joints.row(20), again.joints.row(20));
  // Arms are at least half way down: elbows are below shoulders.
  EXPECT_LT(Stand(Biped(), {.elbows = 0, .turn = 0, .least = 0.5}, 1).joints(18, 1),
            Biped().joints(18, 1) - 0.1 * HeightOf(Biped().surface));
}

TEST(RigAndCompare, ARigIsNotAwayFromItself) {
  const RigOutcome& outcome = FoundByItself().outcome;
  ASSERT_FALSE(outcome.refused()) << outcome.refusal;
  EXPECT_EQ(outcome.joints.size(), size_t{kJoints});
  EXPECT_LT(outcome.largest, 1e-9);
  EXPECT_LT(outcome.weights, 1e-6);
  EXPECT_LT(outcome.posed, 1e-6);
  EXPECT_LT(outcome.turned, 1);
  EXPECT_GT(outcome.seconds, 0);
}

TEST(RigAndCompare, DistancesAreSharesOfTheStature) {
  KnownBody body = FoundByItself().body;
  body.joints.col(2).array() += 0.01 * body.stature;
  body.known[3] = false;
  const RigOutcome outcome = RigAndCompare(body, AnyNetwork(), {});
  EXPECT_EQ(outcome.joints.size(), size_t{kJoints - 1});
  EXPECT_NEAR(outcome.mean, 0.01, 1e-6);
}

TEST(RigAndCompare, DeltaMushSmoothsRigidWeightsMore) {
  OutcomeOptions options;
  options.delta_mush = true;
  options.rig.steps = 20;
  KnownBody body = TakeRig(Biped(), HeightOf(Biped().surface), "biped", kGroupT);
  const RigOutcome smooth = RigAndCompare(body, AnyNetwork(), options);
  EXPECT_GT(smooth.skincells_mush, 0);
  // Every vertex follows the joint that moves it most.
  for (Eigen::Index v = 0; v < body.weights.rows(); ++v) {
    Eigen::Index most = 0;
    body.weights.row(v).maxCoeff(&most);
    body.weights.row(v).setZero();
    body.weights(v, most) = 1;
  }
  const RigOutcome rigid = RigAndCompare(body, AnyNetwork(), options);
  EXPECT_GT(rigid.true_mush, 1.2 * smooth.true_mush);
  EXPECT_EQ(rigid.skincells_mush, smooth.skincells_mush);
  RigSurvey survey;
  survey.outcomes = {smooth};
  EXPECT_THAT(MarkdownOf(survey), HasSubstr("| optimised / true |"));
}

TEST(RigAndCompare, KeepsWhyABodyWasRefused) {
  const RigNetwork strict(testing::UntrainedRigModel(1e-9), "untrained");
  const RigOutcome outcome = RigAndCompare(FoundByItself().body, strict, {});
  EXPECT_THAT(outcome.refusal, HasSubstr("is not a biped"));
  EXPECT_TRUE(outcome.joints.empty());
}

RigOutcome Made(const char* group, double mean, bool refused, bool warned) {
  RigOutcome outcome;
  outcome.group = group;
  outcome.name = "someone";
  outcome.refusal = refused ? "no" : "";
  outcome.mean = outcome.largest = mean;
  if (!refused) outcome.joints.assign(kJoints, mean);
  if (warned) outcome.warnings = {"volume"};
  outcome.turned = 1;
  return outcome;
}

TEST(MarkdownOf, CountsVerdicts) {
  RigSurvey survey;
  survey.outcomes = {Made(kGroupT, 0.005, false, false),  Made(kGroupT, 0.005, false, true),
                     Made(kGroupA, 0.05, false, true),    Made(kGroupA, -1, true, false),
                     Made(kGroupOthers, -1, true, false), Made(kGroupOthers, -1, false, false)};
  const std::string text = MarkdownOf(survey);
  EXPECT_THAT(text, HasSubstr("| T-pose | 2 | 0 | 2 | 0.50% | 0.50% |"));
  EXPECT_THAT(text, HasSubstr("| A-pose | 2 | 1 | 1 | 5.00% | 5.00% |"));
  EXPECT_THAT(text, HasSubstr("| no bipeds that are accepted | 2 | 50.0% |"));
  EXPECT_THAT(text, HasSubstr("| bipeds that are refused | 4 | 25.0% |"));
  EXPECT_THAT(text, HasSubstr("| joints over 3% off, with a warning | 1 | 100.0% |"));
  EXPECT_THAT(text, HasSubstr("| joints under 1% off, with a warning | 2 | 50.0% |"));
  EXPECT_THAT(text, Not(HasSubstr("bone heat")));
}

TEST(MarkdownOf, NamesFilesThatFailedAndCountsThemInNoShare) {
  RigSurvey survey;
  survey.outcomes = {Made(kGroupFiles, 0.005, false, false), Failed("bad.glb", kGroupFiles, "bad.glb: is empty"),
                     Made(kGroupOthers, -1, true, false), Failed("dog.glb", kGroupOthers, "dog.glb: is missing")};
  const std::string text = MarkdownOf(survey);
  EXPECT_THAT(text, HasSubstr("| bad.glb | 0 | 0 |  |  |  |  | failed |"));
  EXPECT_THAT(text, HasSubstr("- bad.glb (given bipeds) failed: bad.glb: is empty\n"));
  EXPECT_THAT(text, HasSubstr("- dog.glb (no biped) failed: dog.glb: is missing\n"));
  EXPECT_THAT(text, HasSubstr("| no bipeds that are accepted | 1 | 0.0% |"));
  EXPECT_THAT(text, HasSubstr("| bipeds that are refused | 1 | 0.0% |"));
}

TEST(CsvOf, HasALinePerBody) {
  const std::string text = CsvOf(
      {Made(kGroupT, 0.005, false, true), Made(kGroupA, -1, true, false), Failed("bad.glb", kGroupFiles, "is empty")});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_THAT(text, HasSubstr("\nT-pose,,someone,0,0,0,0.005,"));
  EXPECT_THAT(text, HasSubstr("\ngiven bipeds,,bad.glb,0,0,1,,"));
}

TEST(SurveyRemeshings, MeasuresHowMuchARigDependsOnTheMesh) {
  const SurveyOptions options{.remeshings = 2, .remesh_fewest = 900, .remesh_most = 1200};
  const RemeshSpread spread = SurveyRemeshings(AnyNetwork(), testing::SmallBiped(), options, "biped");
  ASSERT_EQ(spread.outcomes.size(), 2U);
  EXPECT_NEAR(spread.outcomes[0].vertices, 900, 30);
  EXPECT_NEAR(spread.outcomes[1].vertices, 1200, 40);
  EXPECT_GT(spread.joints, 0);
  EXPECT_LT(spread.joints, 0.05);
  EXPECT_GE(spread.weights, 0);
  EXPECT_LE(spread.weights, 2);
}

}  // namespace
}  // namespace sinew::rigsurvey
