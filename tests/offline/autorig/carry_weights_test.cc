#include "sinew/offline/autorig/carry_weights.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/offline/core/random.h"
#include "tests/support/mesh_families.h"
#include "tests/support/small_rig.h"

namespace sinew::autorig {
namespace {

RowMatrix RandomRows(int rows, int columns, uint64_t seed) {
  Random random(seed);
  RowMatrix weights(rows, columns);
  for (Eigen::Index k = 0; k < weights.size(); ++k) weights.data()[k] = static_cast<float>(random.Uniform());
  for (Eigen::Index r = 0; r < weights.rows(); ++r) weights.row(r) /= weights.row(r).sum();
  return weights;
}

TEST(KeepLargest, KeepsTheLargestAndSumsToOne) {
  const RowMatrix weights = RandomRows(50, 24, 4);
  const SkinWeights kept = KeepLargest(weights, 4);
  for (int v = 0; v < 50; ++v) {
    std::vector<float> sorted(weights.row(v).begin(), weights.row(v).end());
    std::sort(sorted.rbegin(), sorted.rend());
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
      const size_t slot = 4 * v + k;
      EXPECT_EQ(weights(v, kept.joints[slot]), sorted[k]);
      sum += kept.weights[slot];
    }
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST(PruneFarJoints, KeepsNeighboursAndForgetsTheOtherHand) {
  RowMatrix weights = RowMatrix::Zero(2, kJoints);
  weights(0, 22) = 0.5F;  // left hand
  weights(0, 20) = 0.3F;  // left wrist
  weights(0, 18) = 0.1F;  // left elbow
  weights(0, 23) = 0.1F;  // right hand
  weights(1, 1) = 0.6F;   // left hip
  weights(1, 2) = 0.4F;   // right hip: two steps away
  PruneFarJoints(weights);
  EXPECT_EQ(weights(0, 23), 0);
  EXPECT_NEAR(weights(0, 22), 0.5 / 0.9, 1e-6);
  EXPECT_NEAR(weights(0, 18), 0.1 / 0.9, 1e-6);
  EXPECT_NEAR(weights(1, 2), 0.4, 1e-6);
}

TEST(CarryOver, KeepsWhatIsTheSameEverywhere) {
  const TriMesh& body = testing::SmallBiped().parts[0].mesh;
  RowMatrix weights = RowMatrix::Zero(body.vertex_count(), 3);
  weights.col(1).setConstant(0.25F);
  weights.col(2).setConstant(0.75F);
  const RowMatrix carried = CarryOver(body, weights, body);
  EXPECT_LT((carried - weights).cwiseAbs().maxCoeff(), 1e-5);
}

// Two sheets back to back, nearer than their vertices: weights stay on their side.
TEST(CarryOver, DoesNotGoThroughAThinWall) {
  const auto sheet = [](double z, bool down) {
    return testing::Sheet(10, 10, false, false, [=](double u, double v) {
      return down ? Eigen::Vector3d(v, u, z) : Eigen::Vector3d(u, v, z);
    });
  };
  const TriMesh up = sheet(0.01, false), down = sheet(0, true);
  const TriMesh both = testing::Merge(up, down);
  RowMatrix weights = RowMatrix::Zero(both.vertex_count(), 2);
  for (int v = 0; v < both.vertex_count(); ++v) weights(v, v < up.vertex_count() ? 0 : 1) = 1;
  const RowMatrix carried = CarryOver(both, weights, both);
  EXPECT_LT((carried - weights).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(BindIslands, MovesAButtonAsOnePiece) {
  const TriMesh& body = testing::SmallBiped().parts[0].mesh;
  const TriMesh button = testing::Moved(body, {0.5F, 1, 0}, 0.01F);
  const TriMesh both = testing::Merge(body, button);
  std::vector<bool> left_out(both.triangle_count(), false);
  for (int t = body.triangle_count(); t < both.triangle_count(); ++t) left_out[t] = true;
  RowMatrix weights = RandomRows(both.vertex_count(), 24, 5);
  const RowMatrix before = weights;
  const std::vector<BoundIsland> islands = BindIslands(both, left_out, weights);
  ASSERT_EQ(islands.size(), 1U);
  EXPECT_EQ(islands[0].vertices, button.vertex_count());
  EXPECT_EQ(weights.topRows(body.vertex_count()), before.topRows(body.vertex_count()));
  for (int v = body.vertex_count(); v < both.vertex_count(); ++v) {
    EXPECT_EQ(weights.row(v), weights.row(body.vertex_count()));
  }
}

}  // namespace
}  // namespace sinew::autorig
