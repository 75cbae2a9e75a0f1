#include "sinew/offline/learn/layers/skeleton_conv.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/offline/learn/layers/layer_checks.h"

namespace sinew::layers {
namespace {

// Two trees: one with a branch, and a joint alone.
const std::vector<int> kParents = {-1, 0, 1, 1, 3, 0, -1};

// Bones between all pairs by steps along all bones, as many as there are joints; that many where there is no way.
std::vector<std::vector<int>> AllDistances(const std::vector<int>& parents) {
  const auto n = static_cast<int>(parents.size());
  std::vector<std::vector<int>> bones(n, std::vector<int>(n, n));
  for (int i = 0; i < n; ++i) bones[i][i] = 0;
  for (int round = 0; round < n; ++round) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (parents[j] < 0) continue;
        bones[i][j] = std::min(bones[i][j], bones[i][parents[j]] + 1);
        bones[i][parents[j]] = std::min(bones[i][parents[j]], bones[i][j] + 1);
      }
    }
  }
  return bones;
}

TEST(SkeletonConv, PairsAreAllWithinTheDistance) {
  const std::vector<std::vector<int>> bones = AllDistances(kParents);
  for (int distance = 0; distance < 7; ++distance) {
    JointPairs expected;
    for (int i = 0; i < 7; ++i) {
      for (int j = 0; j < 7; ++j) {
        if (bones[i][j] <= std::min(distance, 6)) expected.push_back({i, j});
      }
    }
    EXPECT_EQ(PairsWithin(kParents, distance), expected) << distance;
  }
}

TEST(SkeletonConv, IsADenseProductWithBlocks) {
  const JointPairs pairs = PairsWithin(kParents, 2);
  const auto rows = static_cast<Eigen::Index>(pairs.size());
  const RowMatrix x = Noise(7, 4, 1), W = Noise(4 * rows, 3, 2), bias = Noise(7, 3, 3);
  RowMatrix y(7, 3);
  SkeletonConv(pairs, x, W, bias, y);
  RowMatrix dense = RowMatrix::Zero(28, 21);  // from all channels of all joints to all
  for (Eigen::Index p = 0; p < rows; ++p) dense.block(4 * pairs[p][1], 3 * pairs[p][0], 4, 3) = W.middleRows(4 * p, 4);
  const RowMatrix flat = Eigen::Map<const RowMatrix>(x.data(), 1, 28) * dense;
  EXPECT_LT((Eigen::Map<const RowMatrix>(flat.data(), 7, 3) + bias - y).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(SkeletonConv, GradientsAreRight) {
  const JointPairs pairs = PairsWithin(kParents, 1);
  const auto rows = 3 * static_cast<Eigen::Index>(pairs.size());
  const RowMatrix x = Noise(7, 3, 1), W = Noise(rows, 2, 2), bias = Noise(7, 2, 3), dy = Noise(7, 2, 4);
  RowMatrix dx = RowMatrix::Zero(7, 3), dW = RowMatrix::Zero(rows, 2), dbias = RowMatrix::Zero(7, 2), y(7, 2);
  Rows dx_rows(dx);
  SkeletonConvBackward(pairs, x, W, dy, &dx_rows, dW, dbias);
  const auto f = [&](const RowMatrix& a, const RowMatrix& b, const RowMatrix& c) {
    SkeletonConv(pairs, a, b, c, y);
    return Weighted(y, dy);
  };
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return f(m, W, bias); }, x, dx), kGradientTolerance);
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return f(x, m, bias); }, W, dW), kGradientTolerance);
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return f(x, W, m); }, bias, dbias), kGradientTolerance);
}

TEST(ChainSum, UndoesOffsets) {
  const RowMatrix places = Noise(7, 3, 1);
  RowMatrix offsets = places, back(7, 3);
  for (int j = 0; j < 7; ++j) {
    if (kParents[j] >= 0) offsets.row(j) -= places.row(kParents[j]);
  }
  ChainSum(kParents, offsets, back);
  EXPECT_LT((back - places).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(ChainSum, GradientIsRight) {
  const RowMatrix x = Noise(7, 2, 1), dy = Noise(7, 2, 2);
  RowMatrix y(7, 2), dx = RowMatrix::Zero(7, 2);
  ChainSumBackward(kParents, dy, dx);
  const auto f = [&](const RowMatrix& m) { return ChainSum(kParents, m, y), Weighted(y, dy); };
  EXPECT_LT(FloatGradientError(f, x, dx), kGradientTolerance);
}

}  // namespace
}  // namespace sinew::layers
