#include "sinew/offline/autorig/example.h"

#include <gtest/gtest.h>

#include <numeric>

#include "sinew/offline/autorig/proportions.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/winding_number.h"
#include "tests/support/mesh_families.h"
#include "tests/support/small_rig.h"

namespace sinew::autorig {
namespace {

const WeightedBody& SmallRest() {
  static const WeightedBody body = MakeWeightedBody(testing::SmallBiped(), "biped");
  return body;
}

void ExpectSound(const Example& example) {
  EXPECT_LT((example.weights->rowwise().sum().array() - 1).abs().maxCoeff(), 1e-4);
  EXPECT_GE(example.weights->minCoeff(), 0);
  EXPECT_NEAR(std::accumulate(example.input.areas.begin(), example.input.areas.end(), 0.0), 1, 1e-5);
  EXPECT_NEAR(BoundingBox(example.surface.positions).sizes().y(), 1, 1e-5);
  const WindingNumber winding(example.surface);
  int inside = 0;
  for (int j = 0; j < kJoints; ++j) {
    inside += winding.Inside(example.joints.row(j).cast<float>().transpose()) ? 1 : 0;
  }
  EXPECT_GE(inside, kJoints - 1);
  EXPECT_EQ(example.input.features.rows(), example.input.edges->count());
  // The body is thin where the ray from an edge says so.
  const EdgeInput seen = InFrame(example.input, {}, false);
  EXPECT_GT(seen.features.col(kThicknessColumn).minCoeff(), 0);
  EXPECT_LT(seen.features.col(kThicknessColumn).mean(), 0.2);
}

TEST(Example, WeightsSumToOneAndJointsAreInside) {
  const ExampleMaker maker(SmallRest());
  for (const uint64_t seed : {1, 2, 3, 4}) ExpectSound(maker.Make({}, seed));
  StanceRange varied = TrainingStances();
  varied.proportions = 0.15;
  for (const uint64_t seed : {1, 2, 3, 4}) ExpectSound(maker.Make(varied, seed));
  ExpectSound(MakeExample(SmallRest(), {}, 1200, 3, "biped"));
}

// Without any turn, what stands there is the body itself.
TEST(Example, AnUprightBodyInItsTPoseIsItself) {
  const Example example = ExampleMaker(SmallRest()).Make({.arms_down = 0, .legs_apart = 0, .elbows = 0, .turn = 0}, 2);
  const BodyFrame frame = MeasureFrame(SmallRest().surface, Eigen::Matrix3d::Identity());
  const Points expected = frame.PointsToCanonical(SmallRest().surface.positions);
  // It may be its mirror image, too.
  EXPECT_LT((example.surface.positions.col(1) - expected.col(1)).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_LT((example.surface.positions.col(0).cwiseAbs() - expected.col(0).cwiseAbs()).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(Example, SameSeedSameBitsWhateverTheThreads) {
  const auto make = [](int threads) {
    SetThreads(threads);
    return MakeExample(SmallRest(), TrainingStances(), 1200, 7, "biped");
  };
  const Example one = make(1), three = make(3);
  SetThreads(0);
  EXPECT_EQ(one.input.features, three.input.features);
  EXPECT_EQ(one.joints, three.joints);
  EXPECT_EQ(*one.weights, *three.weights);
  for (int k = 0; k < kWideRings; ++k) EXPECT_EQ(one.input.edges->wide[k].rings, three.input.edges->wide[k].rings);
}

TEST(Proportions, StrengthZeroChangesNothingAndOthersKeepTheOrderOfHeights) {
  Random random(4);
  const Proportions none(SmallRest().joints, 0, random);
  const Eigen::Vector3d point(0.3, 1.2, 0.05);
  EXPECT_LT((none.Apply(point) - point).norm(), 1e-9);
  for (int round = 0; round < 20; ++round) {
    const Proportions some(SmallRest().joints, 0.3, random);
    double before = -1;
    for (double y = 0; y < 2; y += 0.01) {
      const double now = some.Apply({0.1, y, 0}).y();
      EXPECT_GT(now, before);
      EXPECT_LT(now - before, y == 0 ? 2 : 0.04);  // no jump
      before = now;
    }
  }
}

TEST(Proportions, GameCharactersHaveLargeHeadsAndShortLimbs) {
  Random random(6);
  const JointPositions& joints = SmallRest().joints;
  for (int round = 0; round < 20; ++round) {
    const Proportions chibi = Proportions::Chibi(joints, random);
    const auto length = [&](int from, int to) {
      return (chibi.Apply(joints.row(to).transpose()) - chibi.Apply(joints.row(from).transpose())).norm() /
             (joints.row(to) - joints.row(from)).norm();
    };
    const Eigen::Vector3d head = joints.row(15).transpose(), up(0, 0.1, 0);
    const double grown = (chibi.Apply(head + up) - chibi.Apply(head)).norm() / 0.1;
    EXPECT_GE(grown, 1.29);
    EXPECT_LE(grown, 2.51);
    EXPECT_LT(length(1, 4), 1);      // thigh
    EXPECT_LT(length(18, 20), 1.1);  // forearm
    double before = -1;
    for (double y = 0; y < 2; y += 0.01) {
      const double now = chibi.Apply({0.1, y, 0}).y();
      EXPECT_GT(now, before);
      before = now;
    }
  }
}

TEST(WorkingSurface, ManyOfOneSourceAreThoseOfEachSeed) {
  const TriMesh& body = testing::SmallBiped().parts[0].mesh;
  const WorkingSurfaces surfaces(body, 800, "body");
  std::vector<WorkingSurface> made(3);
  ParallelFor(3, 1, [&](int k) { made[k] = surfaces.Make(k); });
  for (int k = 0; k < 3; ++k) {
    const WorkingSurface alone = MakeWorkingSurface(body, 800, k, "body");
    EXPECT_EQ(made[k].mesh.positions, alone.mesh.positions);
    EXPECT_EQ(made[k].mesh.triangles, alone.mesh.triangles);
    EXPECT_EQ(made[k].left_out, alone.left_out);
  }
  EXPECT_NE(made[0].mesh.positions, made[1].mesh.positions);
}

TEST(WorkingSurface, LeavesSmallIslandsOutAndForgetsTheUnit) {
  const TriMesh& body = testing::SmallBiped().parts[0].mesh;
  const TriMesh both = testing::Merge(body, testing::Moved(body, {0.5F, 1, 0}, 0.01F));
  const WorkingSurface metres = MakeWorkingSurface(both, 1000, 1, "both");
  EXPECT_EQ(std::count(metres.left_out.begin(), metres.left_out.end(), true), body.triangle_count());
  EXPECT_NEAR(metres.mesh.vertex_count(), 1000, 20);
  // A power of two, so that rounding is the same.
  const WorkingSurface large = MakeWorkingSurface(testing::Moved(both, {0, 0, 0}, 64), 1000, 1, "both");
  ASSERT_EQ(large.mesh.vertex_count(), metres.mesh.vertex_count());
  EXPECT_EQ(large.mesh.positions / 64, metres.mesh.positions);
}

TEST(WorkingSurface, NothingIsRefused) { EXPECT_THROW(MakeWorkingSurface(TriMesh{}, 1000, 1, "empty"), InputError); }

}  // namespace
}  // namespace sinew::autorig
