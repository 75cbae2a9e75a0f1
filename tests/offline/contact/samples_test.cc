#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/elasticity/plane_contact.h"
#include "sinew/runtime/base/half.h"
#include "tests/offline/contact/small_worm.h"
#include "tests/support/temporary_folder.h"

namespace sinew::contact {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

TEST(Worm, WeightsAndRestAreSound) {
  const PlaneObject& worm = SmallWorm();
  const VectorXd rest = worm.subspace.Positions(worm.subspace.RestState());
  EXPECT_LT((rest - worm.mesh.positions.reshaped<Eigen::RowMajor>()).norm(), 1e-12);
  EXPECT_GE(worm.subspace.weights().minCoeff(), 0);
  // The ends belong to one bone alone.
  EXPECT_EQ((worm.subspace.weights().array() == 1).colwise().any().count(), 3);
  EXPECT_EQ(worm.subspace.state_size(), 18);
}

TEST(Worm, StatesAreSpreadAndNested) {
  const PlaneObject& worm = SmallWorm();
  Random random(3);
  std::vector<VectorXd> candidates(300);
  for (VectorXd& state : candidates) state = DrawWormState(worm, random);
  double few_radius = 0, many_radius = 0;
  const auto few = ChooseStates(worm, candidates, 3, &few_radius),
             many = ChooseStates(worm, candidates, 7, &many_radius);
  ASSERT_EQ(many.size(), 7u);
  EXPECT_EQ(many[0], worm.subspace.RestState());
  for (size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i], many[i]);
  EXPECT_LT(many_radius, few_radius);
  for (const VectorXd& state : candidates) EXPECT_LE(NearestState(worm, candidates, many, state), many_radius + 1e-9);
}

// A state that is moved rigidly has the same relative handles.
TEST(Worm, RelativeHandlesIgnoreRigidMotions) {
  const PlaneObject& worm = SmallWorm();
  Random random(4);
  const VectorXd state = DrawWormState(worm, random);
  const VectorXd moved = CarryState(worm.subspace, state, elasticity::PlanePose{.angle = 1}.Rotation(), Vector2d(3, 4));
  EXPECT_LT((RelativeHandles(worm, state) - RelativeHandles(worm, moved)).norm(), 1e-12);
  EXPECT_GT((RelativeHandles(worm, state) - RelativeHandles(worm, worm.subspace.RestState())).norm(), 0.1);
}

TEST(ContactLine, EndsAtTheFirstTouch) {
  const PlaneObject& worm = SmallWorm();
  const VectorXd x = RelaxState(worm, worm.subspace.RestState());
  const elasticity::PlaneContact contact(worm.mesh, worm.loop, worm.collider, 1);
  for (const int place : {0, 10, 25}) {
    const Approach approach{.place = place, .turn = {.angle = 0.3 * place}};
    const ContactLine line = FindContactLine(worm, x, approach);
    ASSERT_TRUE(line.reachable);
    elasticity::PlaneContact touching = contact;
    touching.SetPose({approach.turn.angle, line.At(-1e-4)});
    EXPECT_EQ(touching.Energy(x), 0);
    touching.SetPose({approach.turn.angle, line.At(1e-4)});
    EXPECT_GT(touching.Energy(x), 0);
    EXPECT_LE(line.max_depth, 0.4 * worm.collider.size() + 1e-12);
    EXPECT_GT(line.max_depth, 0.3 * worm.collider.size());
  }
}

TEST(PlanTraining, AsksForNoMoreThanThereIs) {
  PlanOptions options = SmallPlan();
  options.places = SmallWorm().place_count();
  EXPECT_EQ(PlanTraining(options, SmallWorm()).size(), 2u * options.places);
  ++options.places;
  EXPECT_THROW(PlanTraining(options, SmallWorm()), UsageError);
  options = SmallPlan();
  options.states = SmallWorm().candidate_count() + 2;
  EXPECT_THROW(PlanTraining(options, SmallWorm()), UsageError);
}

TEST(ContactSamples, OfAnotherObjectAreRefused) {
  const PlaneObject& worm = SmallWorm();
  const std::vector<ShardPlan> plans = PlanTraining({.states = 1, .places = 1, .rotations = 1, .depths = 1}, worm);
  for (const bool nodes : {true, false}) {
    const testing::TemporaryFolder folder;
    ContactShard shard = SolveShard(worm, plans[0], RelaxState(worm, plans[0].state));
    if (nodes) {
      shard.positions.resize(shard.positions.size() - 2);
      for (ContactSample& sample : shard.samples) sample.r.resize(std::min(sample.r.size(), shard.positions.size()));
    } else {
      shard.state.resize(12);
    }
    WriteShard(shard, HashOf(plans[0], worm), folder.path() / "train_00000.contacts");
    EXPECT_THROW(MakeSamples(worm, plans, folder.path(), "train", 0), InputError);
  }
}

TEST(ContactSamples, AreEquilibriaOfTheSameState) {
  const PlaneObject& worm = SmallWorm();
  int touching = 0, hovering = 0, failed = 0;
  for (const ContactShard& shard : SmallShards()) {
    for (const ContactSample& sample : shard.samples) {
      if (sample.r.empty()) {
        EXPECT_LT(sample.depth, 0);
        ++hovering;
        continue;
      }
      ++touching;
      EXPECT_GT(sample.depth, 0);
      const Eigen::Matrix2d R = elasticity::PlanePose{.angle = sample.turn.angle}.Rotation();
      VectorXd u(sample.r.size());
      for (int n = 0; n < shard.node_count(); ++n) {
        const Vector2d r(runtime::HalfToFloat(sample.r[2 * n]), runtime::HalfToFloat(sample.r[2 * n + 1]));
        u.segment<2>(2 * n) = shard.size * R * r;
      }
      // Nothing of it is in the subspace, up to the rounding of half floats.
      EXPECT_LT((worm.subspace.U().transpose() * u).norm(), 1e-3 * u.norm());
      EXPECT_GT(u.lpNorm<Eigen::Infinity>(), 0.2 * sample.depth);
      EXPECT_LT(u.lpNorm<Eigen::Infinity>(), 2 * sample.depth);
    }
    failed += static_cast<int>(shard.failures.size());
  }
  EXPECT_EQ(touching + failed, 2 * 3 * 3 * 3);
  EXPECT_LE(failed, 1);
  EXPECT_NEAR(hovering, (touching + hovering) / 10.0, 2);
}

TEST(ContactSamples, PlansAreDeterministicAndTestStatesAreOthers) {
  const PlaneObject& worm = SmallWorm();
  const auto plans = PlanTraining(SmallPlan(), worm), again = PlanTraining(SmallPlan(), worm);
  PlanOptions fewer = SmallPlan();
  fewer.states = 1;
  const auto first = PlanTraining(fewer, worm);
  ASSERT_EQ(plans.size(), 6u);
  ASSERT_EQ(first.size(), 3u);
  for (size_t i = 0; i < plans.size(); ++i) EXPECT_EQ(HashOf(plans[i], worm), HashOf(again[i], worm));
  for (size_t i = 0; i < first.size(); ++i) EXPECT_EQ(HashOf(plans[i], worm), HashOf(first[i], worm));
  EXPECT_NE(HashOf(plans[0], worm), HashOf(plans[1], worm));
  for (const ShardPlan& test : PlanTest(SmallPlan(), worm, 5)) {
    for (const ShardPlan& plan : plans) EXPECT_GT((test.state - plan.state).norm(), 0.05);
  }
  EXPECT_THROW(PlanTraining({.states = 0}, worm), UsageError);
}

TEST(ContactSamples, AreTheSameWhateverTheThreadsAndAfterAStop) {
  const PlaneObject& worm = SmallWorm();
  const PlanOptions options{.states = 1, .places = 3, .rotations = 2, .depths = 2};
  const std::vector<ShardPlan> plans = PlanTraining(options, worm);
  const testing::TemporaryFolder one, three;
  SetThreads(1);
  const MadeSamples alone = MakeSamples(worm, plans, one.path(), "train", 0);
  SetThreads(3);
  MakeSamples(worm, plans, three.path(), "train", 0);
  std::filesystem::remove(three / "train_00001.contacts");
  const MadeSamples resumed = MakeSamples(worm, plans, three.path(), "train", 0);
  SetThreads(0);
  EXPECT_TRUE(alone.complete);
  EXPECT_EQ(alone.shards, resumed.shards);
  EXPECT_EQ(resumed.solved, 4);
  for (int i = 0; i < 3; ++i) {
    const std::string name = "train_0000" + std::to_string(i) + ".contacts";
    EXPECT_EQ(ReadFile(one / name), ReadFile(three / name));
  }
  // Another plan does not take the files.
  EXPECT_THROW(MakeSamples(worm, PlanTraining({.states = 1, .places = 3, .rotations = 2, .depths = 3}, worm),
                           one.path(), "train", 0),
               Error);
}

}  // namespace
}  // namespace sinew::contact
