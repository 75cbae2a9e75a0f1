#include "sinew/offline/autorig/example.h"

#include <gtest/gtest.h>

#include <numeric>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/winding_number.h"
#include "tests/support/mesh_families.h"
#include "tests/support/small_rig.h"

namespace sinew::autorig {
namespace {

TEST(Example, WeightsSumToOneAndJointsAreInside) {
  for (const uint64_t seed : {1, 2, 3}) {
    const Example example = MakeExample(testing::SmallBiped(), {}, seed, "biped");
    EXPECT_LT((example.weights.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-4);
    EXPECT_GE(example.weights.minCoeff(), 0);
    EXPECT_NEAR(std::accumulate(example.input.areas.begin(), example.input.areas.end(), 0.0), 1, 1e-5);
    EXPECT_NEAR(BoundingBox(example.surface.positions).sizes().y(), 1, 1e-5);
    const WindingNumber winding(example.surface);
    int inside = 0;
    for (int j = 0; j < kJoints; ++j) {
      inside += winding.Inside(example.joints.row(j).cast<float>().transpose()) ? 1 : 0;
    }
    EXPECT_GE(inside, kJoints - 1);
    EXPECT_EQ(example.input.features.rows(), static_cast<Eigen::Index>(example.input.ends.size()));
    // The body is thin where the ray from an edge says so.
    EXPECT_GT(example.input.features.col(6).minCoeff(), 0);
    EXPECT_LT(example.input.features.col(6).mean(), 0.2);
  }
}

TEST(Example, SameSeedSameBitsWhateverTheThreads) {
  SetThreads(1);
  const Example one = MakeExample(testing::SmallBiped(), {}, 7, "biped");
  SetThreads(3);
  const Example three = MakeExample(testing::SmallBiped(), {}, 7, "biped");
  SetThreads(0);
  EXPECT_EQ(one.input.features, three.input.features);
  EXPECT_EQ(one.joints, three.joints);
  EXPECT_EQ(one.weights, three.weights);
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
