#include "sinew/offline/learn/layers/level_pooling.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "tests/offline/learn/layers/layer_checks.h"

namespace sinew::layers {
namespace {

constexpr int kNodes = 40;

// Groups of three nodes, with weights that grow with their number.
CoarserGraph Thirds() {
  const Graph fine = MakeGraph(kNodes, RingEdges(kNodes), true);
  std::vector<int> coarse_of;
  std::vector<float> weights;
  for (int i = 0; i < kNodes; ++i) {
    coarse_of.push_back(i / 3);
    weights.push_back(static_cast<float>(i));
  }
  return MakeCoarserGraph(fine, coarse_of, weights);
}

TEST(LevelPooling, IsTheWeightedMean) {
  const CoarserGraph coarser = Thirds();
  const RowMatrix x = Noise(kNodes, 4, 1);
  RowMatrix y(coarser.graph.node_count(), 4);
  PoolLevel(coarser, x, y);
  const Eigen::RowVectorXf fifth = (15 * x.row(15) + 16 * x.row(16) + 17 * x.row(17)) / 48;
  EXPECT_LT((y.row(5) - fifth).cwiseAbs().maxCoeff(), 1e-6f);
  // Constants stay, also on the way back.
  PoolLevel(coarser, RowMatrix::Constant(kNodes, 4, 7), y);
  RowMatrix back(kNodes, 4);
  UnpoolLevel(coarser, y, back);
  EXPECT_LT((back.array() - 7).abs().maxCoeff(), 1e-5f);
}

TEST(LevelPooling, GraphsAreJoinedWhereMembersAre) {
  const CoarserGraph coarser = Thirds();
  const Graph fine = MakeGraph(kNodes, RingEdges(kNodes), true);
  for (int q = 0; q < coarser.graph.node_count(); ++q) {
    std::vector<bool> sees(coarser.graph.node_count(), false);
    for (const int i : coarser.members[q]) {
      for (const int j : fine.neighbours[i]) sees[coarser.coarse_of[j]] = true;
    }
    std::vector<int> expected;
    for (int other = 0; other < coarser.graph.node_count(); ++other) {
      if (sees[other]) expected.push_back(other);
    }
    const std::span<const int> found = coarser.graph.neighbours[q];
    EXPECT_EQ(std::vector<int>(found.begin(), found.end()), expected);
  }
}

TEST(LevelPooling, GradientsAreRight) {
  const CoarserGraph coarser = Thirds();
  const int coarse = coarser.graph.node_count();
  const RowMatrix x = Noise(kNodes, 3, 1), dy = Noise(coarse, 3, 2);
  RowMatrix y(coarse, 3), dx = RowMatrix::Zero(kNodes, 3);
  PoolLevelBackward(coarser, dy, dx);
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return PoolLevel(coarser, m, y), Weighted(y, dy); }, x, dx),
            kGradientTolerance);
  const RowMatrix z = Noise(coarse, 3, 3), dfine = Noise(kNodes, 3, 4);
  RowMatrix fine(kNodes, 3), dz = RowMatrix::Zero(coarse, 3);
  UnpoolLevelBackward(coarser, dfine, dz);
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return UnpoolLevel(coarser, m, fine), Weighted(fine, dfine); },
                               z, dz),
            kGradientTolerance);
}

TEST(LevelPooling, WeightlessNodesCountAlike) {
  const Graph fine = MakeGraph(4, std::vector<std::array<int, 2>>{{0, 1}, {1, 2}, {2, 3}}, true);
  const CoarserGraph coarser = MakeCoarserGraph(fine, {0, 0, 1, 1}, std::vector<float>{0, 0, 1, 3});
  EXPECT_EQ(coarser.shares, (std::vector<float>{0.5f, 0.5f, 0.25f, 0.75f}));
}

TEST(LevelPooling, RefusesWhatDoesNotFit) {
  const Graph fine = MakeGraph(3, std::vector<std::array<int, 2>>{{0, 1}}, true);
  const std::vector<float> ones(3, 1.0f);
  EXPECT_THROW(MakeCoarserGraph(fine, {0, 0}, ones), UsageError);
  EXPECT_THROW(MakeCoarserGraph(fine, {0, 2, 2}, ones), UsageError);
  EXPECT_THROW(MakeCoarserGraph(fine, {0, -1, 1}, ones), UsageError);
  EXPECT_THROW(MakeCoarserGraph(fine, {0, 7, 1}, ones), UsageError);
  EXPECT_THROW(MakeCoarserGraph(fine, {0, 0, 1}, std::vector<float>{1, -1, 1}), UsageError);
}

}  // namespace
}  // namespace sinew::layers
