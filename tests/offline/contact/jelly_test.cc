#include "sinew/offline/contact/jelly.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "sinew/offline/contact/solid_bench.h"
#include "sinew/offline/contact/train_field.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "tests/offline/contact/small_worm.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"

namespace sinew::contact {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const LoadedSolid& SmallJelly() {
  static const LoadedSolid jelly = MakeJelly({.tets = 700});
  return jelly;
}

// One chain of depths on top of the jelly at rest.
const ContactShard& SmallShard() {
  static const ContactShard shard = [] {
    const LoadedSolid& jelly = SmallJelly();
    int top = 0;
    for (int i = 0; i < jelly.place_count(); ++i) {
      const auto at = jelly.mesh.positions.row(jelly.places[i]);
      const auto best = jelly.mesh.positions.row(jelly.places[top]);
      if ((at - Eigen::RowVector3d(0, 0.3, 0)).norm() < (best - Eigen::RowVector3d(0, 0.3, 0)).norm()) top = i;
    }
    ShardPlan plan;
    plan.state = jelly.subspace.RestState();
    Random random(4);
    for (int chain = 0; chain < 2; ++chain) {
      plan.chains.push_back(
          {.approach = {.place = top, .turn = DrawTurn(3, random)}, .depths = {0.5, 1}, .gaps = {0.1}});
    }
    return SolveShard(jelly, plan, RelaxState(jelly, plan.state));
  }();
  return shard;
}

TEST(Jelly, HandlesAreThoseOfThePaper) {
  const LoadedSolid& jelly = SmallJelly();
  EXPECT_EQ(jelly.subspace.handles().size(), 19u);
  EXPECT_EQ(FieldInputs::Width(jelly), 69) << "as in the paper's table 1";
  const VectorXd rest = jelly.subspace.Positions(jelly.subspace.RestState());
  EXPECT_LT((rest - jelly.mesh.positions.reshaped<Eigen::RowMajor>()).norm(), 1e-8);
  EXPECT_NEAR(SignedVolume(jelly.mesh), 0.6, 1e-9);
  EXPECT_GE(jelly.foot.size(), 4u);
  EXPECT_NEAR(MakeJelly({.tets = 3000}).mesh.tet_count(), 3000, 1000);
  EXPECT_THROW(MakeJelly({.tets = 10}), UsageError);
  EXPECT_THROW(MakeJelly({.tets = 700, .collider = "ball"}), UsageError);
}

TEST(Jelly, StatesDifferAndAreSpread) {
  const LoadedSolid& jelly = SmallJelly();
  Random random(3), again(3);
  const VectorXd a = jelly.DrawState(random), b = jelly.DrawState(random), c = jelly.DrawTestState(random);
  EXPECT_EQ(a, jelly.DrawState(again));
  const VectorXd rest = jelly.subspace.RestState();
  for (const VectorXd& state : {a, b, c}) {
    EXPECT_GT(RelativeHandles(jelly, state).size(), 0);
    EXPECT_GT((state - rest).norm(), 0.01);
    EXPECT_LT((state - rest).lpNorm<Eigen::Infinity>(), 0.6);
    EXPECT_NO_THROW(RelaxState(jelly, state));
  }
  // The foot stays where it is in states of the linear subspace.
  EXPECT_LT((a.head(12) - rest.head(12)).norm(), 1e-6);
  const std::vector<VectorXd> chosen = ChooseStates(jelly, {a, b, c}, 3);
  ASSERT_EQ(chosen.size(), 3u);
  EXPECT_EQ(chosen[0], rest);
}

// A subspace state and its projection are the same, and the equilibrium of a load in the subspace is in it.
TEST(Jelly, ProjectionKeepsStates) {
  const LoadedSolid& jelly = SmallJelly();
  Random random(5);
  VectorXd state = jelly.subspace.RestState();
  for (double& number : state) number += 0.1 * random.Normal();
  EXPECT_LT((jelly.subspace.Project(jelly.subspace.Positions(state)) - state).norm(), 1e-7);
}

TEST(Jelly, PlacesAreSpreadOverTheSurface) {
  const LoadedSolid& jelly = SmallJelly();
  const std::vector<int> places = jelly.SpreadPlaces(8);
  ASSERT_EQ(places.size(), 8u);
  const VectorXd rest = jelly.mesh.positions.reshaped<Eigen::RowMajor>();
  for (size_t i = 0; i < places.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      EXPECT_GT((jelly.PlaceAt(rest, places[i]) - jelly.PlaceAt(rest, places[j])).norm(), 0.3);
    }
  }
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const int moved = jelly.ShiftPlace(places[2], 8, random);
    // A disc of an eighth of the surface of 4.4 square metres has a radius of 0.42 m.
    EXPECT_LT((jelly.PlaceAt(rest, moved) - jelly.PlaceAt(rest, places[2])).norm(), 0.43);
  }
  for (int place = 0; place < jelly.place_count(); ++place) {
    const Vector3d at = jelly.PlaceAt(rest, place), normal = jelly.NormalAt(rest, place);
    EXPECT_NEAR(normal.norm(), 1, 1e-9);
    EXPECT_GT(normal.dot(at), 0) << "normals of a block around the origin point away from it";
    const double thickness = jelly.ThicknessBelow(rest, place, -normal);
    EXPECT_GT(thickness, 0.1);
    EXPECT_LT(thickness, 1.6);
  }
}

TEST(Jelly, ContactsAreEquilibriaOfTheSameState) {
  const LoadedSolid& jelly = SmallJelly();
  const ContactShard& shard = SmallShard();
  EXPECT_TRUE(shard.failures.empty());
  ASSERT_EQ(shard.samples.size(), 6u);
  double before = 0;
  for (const ContactSample& sample : shard.samples) {
    if (sample.depth < 0) {
      EXPECT_TRUE(sample.r.empty());
      before = 0;
      continue;
    }
    VectorXd u(sample.r.size());
    const SmallMatrix R = sample.turn.Rotation(3);
    for (int n = 0; n < shard.node_count(); ++n) {
      u.segment<3>(3 * n) = shard.size * R * DisplacementOf({&shard, &sample}, n).cast<double>();
    }
    EXPECT_LT((jelly.subspace.U().transpose() * u).norm(), 2e-3 * u.norm());
    EXPECT_GT(u.lpNorm<Eigen::Infinity>(), 0.2 * sample.depth);
    EXPECT_LT(u.lpNorm<Eigen::Infinity>(), 2 * sample.depth);
    EXPECT_GT(u.norm(), before) << "deeper contact moves more";
    before = u.norm();
    // Little is left of the depth.
    const auto problem = jelly.MakeProblem();
    problem->SetPose(sample.turn, Eigen::Map<const Vector3d>(sample.position.data()));
    VectorXd x = RelaxState(jelly, jelly.subspace.RestState());
    EXPECT_GT(problem->DeepestDepth(x), 0.7 * sample.depth) << "depths are along the normal, this is the way out";
    x += u;
    EXPECT_LT(problem->DeepestDepth(x), 0.35 * sample.depth) << "a corner on few tetrahedra";
  }
}

// Moving object and collider together changes nothing, in space as in the plane; and the fast way is the full product.
TEST(Jelly, FieldsAreInTheCollidersSpace) {
  const LoadedSolid& jelly = SmallJelly();
  const ContactShard& shard = SmallShard();
  Random random(7);
  for (const FieldKind kind : {FieldKind::kSparse, FieldKind::kDense, FieldKind::kLiteral}) {
    ContactField field(jelly, {.kind = kind, .width = 24}, std::vector<float>(69, 0.8f), 0.3f);
    field.set_parameters(field.network().InitialParameters(random));
    const SampleRef ref{&shard, &shard.samples[1]};
    const learn::RowMatrix r = field.Predict(ref);
    EXPECT_EQ(r.cols(), 3);
    EXPECT_LT((r - field.PredictByRows(ref)).cwiseAbs().maxCoeff(), 1e-4);
    // The motion x -> M' (x - t), for the state, the nodes and the collider.
    const Turn motion = DrawTurn(3, random);
    const Eigen::Matrix3d M = motion.Rotation(3);
    const Vector3d t(1, -2, 0.5);
    ContactShard moved = shard;
    ContactSample sample = *ref.sample;
    const Eigen::Map<const VectorXd> state(shard.state.data(), static_cast<Eigen::Index>(shard.state.size()));
    const VectorXd carried = CarryState(jelly.subspace, state, M, t);
    moved.state.assign(carried.begin(), carried.end());
    for (int n = 0; n < shard.node_count(); ++n) {
      Eigen::Map<Eigen::Vector3f> x(moved.positions.data() + 3 * n);
      x = (M.transpose() * (x.cast<double>() - t)).cast<float>();
    }
    Eigen::Map<Vector3d> position(sample.position.data());
    position = (M.transpose() * (position - t)).eval();
    const Eigen::Quaterniond turned(Eigen::Matrix3d(M.transpose() * ref.sample->turn.Rotation(3)));
    sample.turn.quaternion = {turned.x(), turned.y(), turned.z(), turned.w()};
    EXPECT_LT((field.Predict({&moved, &sample}) - r).cwiseAbs().maxCoeff(), 1e-4);
  }
}

// In space, too, a field can follow the contacts that it sees.
TEST(Jelly, FieldsLearnWhatTheyAreTrainedOn) {
  const ContactShard& shard = SmallShard();
  const std::vector<SampleRef> refs = ListSamples({&shard, 1});
  const FieldRows rows(SmallJelly(), FieldKind::kSparse, refs, {.samples = 8, .nodes = 48, .edges = 16}, 1);
  ContactField field(SmallJelly(), {.width = 48}, rows.input_scales(), rows.output_scale());
  RowBatch validation;
  Random random(5);
  rows.Fill(random, validation);
  const auto make = [&](Random& numbers, RowBatch& batch) { rows.Fill(numbers, batch); };
  const Trained trained = TrainNetwork(field.network(), make, validation, {.steps = 600, .rate = 5e-3});
  field.set_parameters(trained.parameters);
  EXPECT_LT(RelativeError(refs, [&](const SampleRef& ref) { return field.Predict(ref); }), 0.5);
}

TEST(Turn, RotationsAreSpreadAndShiftedWithinTheirShare) {
  for (const int d : {2, 3}) {
    const std::vector<Turn> turns = SpreadTurns(d, 12);
    ASSERT_EQ(turns.size(), 12u);
    EXPECT_EQ(SpreadTurns(d, 12), turns);
    const auto angle = [&](const Turn& a, const Turn& b) {
      const double trace = (a.Rotation(d).transpose() * b.Rotation(d)).trace();
      return std::acos(std::clamp(d == 2 ? trace / 2 : (trace - 1) / 2, -1.0, 1.0));
    };
    double nearest = 10;
    for (size_t i = 0; i < turns.size(); ++i) {
      EXPECT_LT((turns[i].Rotation(d).transpose() * turns[i].Rotation(d) - SmallMatrix::Identity(d, d)).norm(), 1e-12);
      for (size_t j = 0; j < i; ++j) nearest = std::min(nearest, angle(turns[i], turns[j]));
    }
    EXPECT_GT(nearest, d == 2 ? 0.35 : 1.2);
    Random random(2);
    for (int i = 0; i < 50; ++i) {
      EXPECT_LT(angle(turns[3], ShiftTurn(turns[3], d, 12, random)), d == 2 ? 0.27 : 1.17);
    }
  }
}

SolidBenchOptions Tiny() {
  SolidBenchOptions options = SolidSceneOptions("jelly");
  options.solid.tets = 500;
  MakeTiny(options);
  return options;
}

TEST(JellyBench, MakesTableAndPictureAndGoesOnWithTheSameBits) {
  const sinew::testing::TemporaryFolder folder, other;
  SetThreads(1);
  const BenchResult result = RunSolidBench("jelly", Tiny(), folder.path());
  ASSERT_EQ(result.rows.size(), 6u);
  EXPECT_EQ(result.test_samples + result.failed, 4);
  for (const BenchRow& row : result.rows) EXPECT_GT(row.error, 0);
  EXPECT_NE(ReadTextFile(folder / "table2.csv").find("object-centric,2,"), std::string::npos);
  const std::string picture = ReadTextFile(folder / "contact.svg");
  EXPECT_NE(picture.find("linear subspace"), std::string::npos);
  EXPECT_GT(std::count(picture.begin(), picture.end(), 'M'), 30) << "the collider's outline";
  // A run that was stopped, on other threads.
  std::filesystem::copy(folder / "samples", other / "samples");
  std::filesystem::remove(other / "samples/train_00001.contacts");
  SetThreads(3);
  const BenchResult again = RunSolidBench("jelly", Tiny(), other.path());
  SetThreads(0);
  for (size_t i = 0; i < result.rows.size(); ++i) EXPECT_EQ(again.rows[i].error, result.rows[i].error);
  EXPECT_EQ(ReadFile(folder / "samples/train_00001.contacts"), ReadFile(other / "samples/train_00001.contacts"));
  // A folder of another jelly is refused.
  SolidBenchOptions changed = Tiny();
  changed.solid.collider = "cone";
  EXPECT_NE(sinew::testing::ErrorOf([&] { RunSolidBench("jelly", changed, other.path()); }).find("another plan"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew::contact
