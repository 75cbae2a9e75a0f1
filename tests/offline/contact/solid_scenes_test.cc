#include "sinew/offline/contact/solid_bench.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "sinew/offline/contact/animal.h"
#include "sinew/offline/contact/floater.h"
#include "sinew/offline/contact/hand.h"
#include "sinew/offline/core/error.h"
#include "tests/offline/contact/small_worm.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"

namespace sinew::contact {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

SolidOptions Small(const std::string& scene, int tets) {
  SolidOptions options = SolidSceneOptions(scene).solid;
  options.tets = tets;
  return options;
}

const Hand& SmallHand() {
  static const Hand hand(Small("hand", 2500));
  return hand;
}
const LoadedSolid& SmallFloater() {
  static const LoadedSolid floater = MakeFloater(Small("floater", 900));
  return floater;
}
const LoadedSolid& SmallAnimal() {
  static const LoadedSolid animal = MakeAnimal(Small("animal", 1500));
  return animal;
}

// What is true of each of them: rest is in the subspace, and drawn states are equilibria that differ from it.
void ExpectStates(const SolidObject& object, double largest) {
  const VectorXd rest = object.subspace.RestState();
  const VectorXd at_rest = object.mesh.positions.reshaped<Eigen::RowMajor>();
  EXPECT_LT((object.subspace.Positions(rest) - at_rest).norm(), 1e-7);
  Random random(3), again(3);
  for (const VectorXd& state : {object.DrawState(random), object.DrawState(random), object.DrawTestState(random)}) {
    const double moved = (object.subspace.Positions(state) - at_rest).lpNorm<Eigen::Infinity>();
    EXPECT_GT(moved, 0.003 * object.Diagonal());
    EXPECT_LT(moved, largest * object.Diagonal());
    EXPECT_NO_THROW(RelaxState(object, state));
  }
  Random third(3);
  EXPECT_EQ(object.DrawState(again), object.DrawState(third));
}

// One chain of depths, at the place nearest to a point.
ContactShard PressAt(const SolidObject& object, const Vector3d& at, std::vector<double> depths) {
  int place = 0;
  double nearest = 1e9;
  for (int i = 0; i < object.place_count(); ++i) {
    const double off = (object.mesh.positions.row(object.places[i]).transpose() - at).norm();
    if (off < nearest) place = i;
    nearest = std::min(nearest, off);
  }
  ShardPlan plan;
  plan.state = object.subspace.RestState();
  plan.chains.push_back({.approach = {.place = place}, .depths = std::move(depths), .gaps = {}});
  return SolveShard(object, plan, RelaxState(object, plan.state));
}

TEST(Hand, HasTheBonesOfTheCharacter) {
  const Hand& hand = SmallHand();
  EXPECT_EQ(hand.subspace.handles().size(), 16u);
  EXPECT_EQ(FieldInputs::Width(hand), 195) << "as in the paper's table 1";
  EXPECT_NEAR(hand.mesh.tet_count(), 2500, 250);
  const Eigen::MatrixXd& weights = hand.subspace.weights();
  EXPECT_GE(weights.minCoeff(), 0);
  for (int n = 0; n < hand.node_count(); ++n)
    EXPECT_LE((weights.row(n).array() > 0).count(), 8) << "few bones reach it";
  // Every finger has its own flesh, which follows its own bones.
  ASSERT_EQ(hand.regions.size(), 6u);
  for (size_t region = 0; region < hand.regions.size(); ++region) {
    EXPECT_GT(std::count(hand.region_of.begin(), hand.region_of.end(), static_cast<int>(region)), 10)
        << hand.regions[region];
  }
  for (int n = 0; n < hand.node_count(); ++n) {
    if (hand.mesh.positions(n, 0) < 0) {
      EXPECT_EQ(hand.region_of[n], 0) << "the wrist";
    }
  }
}

TEST(Hand, StatesAreThoseOfItsPoses) {
  const Hand& hand = SmallHand();
  const VectorXd rest = hand.subspace.RestState();
  EXPECT_LT((hand.StateOf(hand.skeleton.RestPose()) - rest).lpNorm<Eigen::Infinity>(), 1e-6);
  ExpectStates(hand, 0.5);
  // A bent finger moves its own flesh alone.
  const Articulation articulation(hand.skeleton);
  std::vector<Eigen::Quaterniond> turns(16, Eigen::Quaterniond::Identity());
  const int joint = hand.skeleton.Find("left_index2");
  ASSERT_GE(joint, 0);
  turns[joint] = Eigen::Quaterniond(Eigen::AngleAxisd(-0.5, Vector3d::UnitZ()));
  const VectorXd moved = hand.subspace.Positions(hand.StateOf(articulation.ToPose(turns)));
  for (int n = 0; n < hand.node_count(); ++n) {
    const double way = (moved.segment<3>(3 * n) - hand.mesh.positions.row(n).transpose()).norm();
    if (hand.regions[hand.region_of[n]] == "ring") {
      EXPECT_LT(way, 1e-3);
    }
  }
  EXPECT_GT((moved - hand.subspace.Positions(rest)).lpNorm<Eigen::Infinity>(), 0.01);
}

TEST(Hand, FleshGivesWayUnderTheCollider) {
  const Hand& hand = SmallHand();
  const ContactShard shard = PressAt(hand, {0.05, 0.05, 0}, {0.5, 1});
  EXPECT_TRUE(shard.failures.empty());
  ASSERT_EQ(shard.samples.size(), 2u);
  const std::vector<SampleRef> refs = ListSamples({&shard, 1});
  const auto nothing = [&](const SampleRef&) { return learn::RowMatrix(learn::RowMatrix::Zero(hand.node_count(), 3)); };
  const RegionErrors errors = MeasureRegions(refs, nothing, hand.region_of, static_cast<int>(hand.regions.size()));
  EXPECT_DOUBLE_EQ(errors.total, 1) << "nothing learned is the linear subspace";
  for (const double error : errors.regions) EXPECT_DOUBLE_EQ(error, 1);
  EXPECT_DOUBLE_EQ(WorstOverMean(errors.regions), 1);
}

TEST(Floater, HasTheHandlesOfThePaper) {
  const LoadedSolid& floater = SmallFloater();
  EXPECT_EQ(floater.subspace.handles().size(), 24u);
  EXPECT_EQ(FieldInputs::Width(floater), 75) << "as in the paper's table 1";
  EXPECT_GE(floater.foot.size(), 4u);
  EXPECT_GE(floater.graph.size(), 24u);
  ExpectStates(floater, 0.7);
}

// The wall of the shell stays on the side of the body that it comes from, also if it is asked to go far at once.
TEST(Floater, ShellDoesNotGoThrough) {
  const LoadedSolid& floater = SmallFloater();
  const ContactShard shard = PressAt(floater, {0, -0.14, 0.36}, {1});
  ASSERT_EQ(shard.samples.size(), 1u);
  const ContactSample& sample = shard.samples[0];
  ASSERT_GT(sample.depth, floater.collider.max_step()) << "or this tests nothing";
  // The top of the shell has come from below: nothing is in its hollow.
  const Vector3d position(sample.position.data());
  for (const int n : floater.places) {
    const Vector3d before = floater.mesh.positions.row(n).transpose();
    Vector3d x = before - position;
    for (int k = 0; k < 3; ++k) x[k] += shard.size * DisplacementOf({&shard, &sample}, n)[k];
    if (x[1] > 0) {
      EXPECT_GT(x.norm(), 0.3 * 7 / 8);
    }
  }
}

TEST(Animal, HasAsManyInputsAsThePapersDuck) {
  const LoadedSolid& animal = SmallAnimal();
  EXPECT_EQ(FieldInputs::Width(animal), 90);
  EXPECT_EQ(animal.subspace.handles()[0].kind, elasticity::HandleKind::kFrame);
  // Points are apart from each other and reach head and beak.
  const auto& handles = animal.subspace.handles();
  double nearest = 1, highest = 0, foremost = 0;
  for (size_t a = 1; a < handles.size(); ++a) {
    highest = std::max(highest, handles[a].centre[1]);
    foremost = std::max(foremost, handles[a].centre[2]);
    for (size_t b = 1; b < a; ++b) nearest = std::min(nearest, (handles[a].centre - handles[b].centre).norm());
  }
  EXPECT_GT(nearest, 0.08);
  EXPECT_GT(highest, 0.65);
  EXPECT_GT(foremost, 0.3);
  ExpectStates(animal, 0.5);
}

TEST(SolidBench, ScenesAreThoseOfTheCommand) {
  for (const char* scene : {"jelly", "hand", "floater", "animal"}) EXPECT_GT(SolidSceneOptions(scene).plan.places, 0);
  EXPECT_EQ(SolidSceneOptions("hand").states, std::vector<int>{1});
  EXPECT_EQ(SolidSceneOptions("floater").solid.collider, "shell");
  EXPECT_EQ(SolidTableName("jelly"), "table2");
  EXPECT_NE(testing::ErrorOf([] { SolidSceneOptions("duck"); }).find("jelly, hand, floater, animal"),
            std::string::npos);
}

TEST(SolidBench, HandHasATableByFinger) {
  const testing::TemporaryFolder folder;
  SolidBenchOptions options = SolidSceneOptions("hand");
  MakeTiny(options);
  options.solid.tets = 2500;
  options.states = {1};
  options.test_chains = 4;
  options.methods = {"sparse"};
  const BenchResult result = RunSolidBench("hand", options, folder.path());
  ASSERT_EQ(result.rows.size(), 1u);
  ASSERT_EQ(result.rows[0].regions.size(), 6u);
  EXPECT_EQ(result.test_samples + result.failed, 8);
  const std::string csv = ReadTextFile(folder / "hand.csv");
  EXPECT_NE(csv.find(",palm,thumb,index,middle,ring,pinky\n"), std::string::npos);
  EXPECT_NE(ReadTextFile(folder / "contact.svg").find("sparse"), std::string::npos);
  // The time is over before anything is made, and what is there stays.
  options.sample_minutes = 1e-9;
  const BenchResult again = RunSolidBench("hand", options, folder.path());
  EXPECT_EQ(again.rows[0].regions, result.rows[0].regions);
}

}  // namespace
}  // namespace sinew::contact
