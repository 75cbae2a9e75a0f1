#include "sinew/offline/learn/layers/pooling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/learn/layers/attention_pooling.h"
#include "sinew/offline/learn/layers/edge_contraction.h"
#include "tests/offline/learn/layers/layer_checks.h"

namespace sinew::layers {
namespace {

TEST(ChannelMax, ReplacesTheFirstChannels) {
  RowMatrix x = Noise(200, 5, 1), y(200, 5);
  x(7, 0) = x(3, 0) = 50;
  const std::vector<int> chosen = ChannelMax(x, 2, y);
  EXPECT_EQ(chosen[0], 3);
  EXPECT_TRUE((y.col(0).array() == 50).all());
  EXPECT_TRUE((y.col(1).array() == x.col(1).maxCoeff()).all());
  EXPECT_EQ(y.rightCols(3), x.rightCols(3));
}

TEST(ChannelMax, GradientIsRight) {
  const RowMatrix x = Noise(8, 4, 1), dy = Noise(8, 4, 2);
  RowMatrix y(8, 4), dx = RowMatrix::Zero(8, 4);
  ChannelMaxBackward(ChannelMax(x, 2, y), dy, dx);
  const auto f = [&](const RowMatrix& m) { return ChannelMax(m, 2, y), Weighted(y, dy); };
  EXPECT_LT(FloatGradientError(f, x, dx, 2e-3), kGradientTolerance);
}

TEST(SkinningPool, IsTheWeightedMean) {
  RowMatrix weights = Noise(50, 3, 1).cwiseAbs(), y(3, 4);
  const RowMatrix x = Noise(50, 4, 2);
  weights.col(1).setZero();
  SkinningPool(weights, x, y);
  EXPECT_TRUE((y.row(1).array() == 0).all());
  const Eigen::RowVectorXd exact =
      (weights.col(2).cast<double>().transpose() * x.cast<double>()) / weights.col(2).cast<double>().sum();
  EXPECT_LT((y.row(2).cast<double>() - exact).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(SkinningPool, GradientsAreRight) {
  const RowMatrix weights = Noise(6, 3, 1).cwiseAbs(), x = Noise(6, 4, 2), dy = Noise(3, 4, 3);
  RowMatrix y(3, 4), dweights = RowMatrix::Zero(6, 3), dx = RowMatrix::Zero(6, 4);
  SkinningPool(weights, x, y);
  Rows dweights_rows(dweights), dx_rows(dx);
  SkinningPoolBackward(weights, x, y, dy, &dweights_rows, &dx_rows);
  RowMatrix out(3, 4);
  const auto f = [&](const RowMatrix& w, const RowMatrix& m) { return SkinningPool(w, m, out), Weighted(out, dy); };
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return f(m, x); }, weights, dweights), kGradientTolerance);
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return f(weights, m); }, x, dx), kGradientTolerance);
}

TEST(VotePool, IsTheMeanOfTheSurestVotes) {
  RowMatrix logits = RowMatrix::Zero(40, 2), votes = Noise(40, 6, 3), y(40, 8);
  logits.col(0).setConstant(-50);
  logits(7, 0) = 50;
  VotePool(logits, votes, 0.5F, y);
  EXPECT_LT((y.row(3).head(3) - votes.row(7).head(3)).norm(), 1e-5);
  EXPECT_NEAR(y(3, 6), 0.5 * std::sqrt(kMinSquaredSpread), 1e-5);
  const Eigen::RowVector3f mean = votes.rightCols(3).colwise().mean();
  EXPECT_LT((y.row(0).segment(3, 3) - mean).norm(), 1e-5);
  EXPECT_NEAR(y(0, 7), 0.5 * std::sqrt((votes.rightCols(3).rowwise() - mean).rowwise().squaredNorm().mean()), 1e-4);
  EXPECT_EQ(y.row(0), y.row(39));
}

TEST(VotePool, GradientsAreRight) {
  const RowMatrix logits = Noise(6, 2, 1), votes = Noise(6, 6, 2), dy = Noise(6, 8, 3);
  RowMatrix y(6, 8), dlogits = RowMatrix::Zero(6, 2), dvotes = RowMatrix::Zero(6, 6);
  const RowMatrix weights = VotePool(logits, votes, 0.3F, y);
  VotePoolBackward(votes, 0.3F, weights, y, dy, dlogits, dvotes);
  RowMatrix out(6, 8);
  const auto f = [&](const RowMatrix& l, const RowMatrix& v) { return VotePool(l, v, 0.3F, out), Weighted(out, dy); };
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return f(m, votes); }, logits, dlogits), kGradientTolerance);
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return f(logits, m); }, votes, dvotes), kGradientTolerance);
}

TEST(EdgeContraction, TakesTheHighestScoresAndEachNodeOnce) {
  const std::vector<std::array<int, 2>> edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  const std::vector<float> scores = {0.5f, 0.9f, 0.9f, 0.01f};
  const Contraction found = ContractEdges(6, edges, scores);  // 1-2 before 2-3, by index; then 3-4; 0 and 5 left over
  EXPECT_EQ(found.members, (std::vector<std::array<int, 2>>{{0, -1}, {1, 2}, {3, 4}, {5, -1}}));
  EXPECT_EQ(found.coarse_of, (std::vector<int>{0, 1, 1, 2, 2, 3}));
  EXPECT_EQ(found.alpha, (std::vector<float>{1, 0.9f, 1.0f / 16, 1}));
  EXPECT_EQ(found.edge, (std::vector<int>{-1, 1, 3, -1}));
  EXPECT_EQ(CoarseEdges(found, edges), (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}}));
}

// Greedy by definition: no edge with two free ends is left, and none was taken while a better one was free.
TEST(EdgeContraction, IsAMaximalMatching) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const int n = 30;
    const std::vector<std::array<int, 2>> edges = RingEdges(n);
    std::vector<float> scores;
    for (size_t e = 0; e < edges.size(); ++e) scores.push_back(static_cast<float>(random.Below(5)) / 5);
    if (seed % 4 == 0) scores[seed] = NAN;
    const Contraction found = ContractEdges(n, edges, scores);
    const auto taken = [&](int node) { return found.edge[found.coarse_of[node]]; };
    for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
      const int a = taken(edges[e][0]), b = taken(edges[e][1]);
      ASSERT_TRUE(a >= 0 || b >= 0);
      const auto better = [&](int f) { return f >= 0 && (f == e || !(scores[f] < scores[e])); };
      EXPECT_TRUE(better(a) || better(b));
    }
    for (int q = 0; q < found.coarse_count(); ++q) {
      for (const int i : found.members[q]) {
        EXPECT_TRUE(i < 0 || found.coarse_of[i] == q);
      }
    }
  }
}

TEST(EdgeContraction, WhatDoesNotFitIsRefused) {
  const std::vector<std::array<int, 2>> edges = {{0, 1}};
  EXPECT_THROW(ContractEdges(2, edges, std::vector<float>{}), UsageError);
  EXPECT_THROW(ContractEdges(1, edges, std::vector<float>{1}), UsageError);
}

Contraction SmallContraction() {
  std::vector<float> scores;
  for (int e = 0; e < 18; ++e) scores.push_back(0.3f + 0.03f * static_cast<float>(e % 7));
  return ContractEdges(10, RingEdges(10), scores);
}

TEST(EdgeContraction, UnpoolingGivesTheSumOfBoth) {
  const Contraction contraction = SmallContraction();
  const RowMatrix x = Noise(10, 3, 1);
  RowMatrix coarse(contraction.coarse_count(), 3), back(10, 3);
  Pool(contraction, x, coarse);
  Unpool(contraction, coarse, back);
  for (int i = 0; i < 10; ++i) {
    const auto [a, b] = contraction.members[contraction.coarse_of[i]];
    const Eigen::RowVectorXf sum = b < 0 ? Eigen::RowVectorXf(x.row(a)) : Eigen::RowVectorXf(x.row(a) + x.row(b));
    EXPECT_LT((back.row(i) - sum).cwiseAbs().maxCoeff(), 1e-5);
  }
}

TEST(EdgeContraction, GradientsAreRight) {
  Contraction contraction = SmallContraction();
  const int coarse = contraction.coarse_count();
  const RowMatrix alpha = Eigen::Map<const RowMatrix>(contraction.alpha.data(), 1, coarse);
  const auto run = [&](const RowMatrix& x, const RowMatrix& a, bool pool) {
    Contraction moved = contraction;
    std::copy(a.data(), a.data() + coarse, moved.alpha.begin());
    RowMatrix y(pool ? coarse : 10, x.cols());
    if (pool) {
      Pool(moved, x, y);
    } else {
      Unpool(moved, x, y);
    }
    return y;
  };
  for (const bool pool : {true, false}) {
    const RowMatrix x = Noise(pool ? 10 : coarse, 3, 1), dy = Noise(pool ? coarse : 10, 3, 2);
    RowMatrix dx = RowMatrix::Zero(x.rows(), 3), dalpha = RowMatrix::Zero(1, coarse);
    (pool ? PoolBackward : UnpoolBackward)(contraction, x, dy, dx, {dalpha.data(), static_cast<size_t>(coarse)});
    EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return Weighted(run(m, alpha, pool), dy); }, x, dx),
              kGradientTolerance);
    EXPECT_LT(
        FloatGradientError([&](const RowMatrix& m) { return Weighted(run(x, m, pool), dy); }, alpha, dalpha, 5e-3),
        kGradientTolerance);
  }
}

// Eq. 5 in double over plain loops: alpha is the larger of both directions' scores, unless it is at its limit.
TEST(AttentionPooling, AlphaIsTheLargerScore) {
  const int n = 24;
  const Graph graph = MakeGraph(n, RingEdges(n), true);
  const RowMatrix x = Noise(n, 5, 1), W = Noise(5, 4, 2), target = Noise(1, 4, 3), source = Noise(1, 4, 4);
  const RowMatrix none(5, 0);
  const auto map = [](const RowMatrix& m) { return Eigen::Map<const RowMatrix>(m.data(), m.rows(), m.cols()); };
  const AttentionPooling made = ContractByAttention(graph, x, {map(W), map(target), map(source), map(none)});
  const Eigen::MatrixXd U = x.cast<double>() * W.cast<double>();
  const auto score = [&](int i, int j) {
    const auto power = [&](int k) {
      const double sum = U.row(i).dot(target.cast<double>().row(0)) + U.row(k).dot(source.cast<double>().row(0));
      return std::exp(sum > 0 ? sum : 0.2 * sum);
    };
    double all = 0;
    for (const int k : graph.neighbours[i]) all += k == i ? 0 : power(k);
    return power(j) / all;
  };
  int merged = 0;
  for (int q = 0; q < made.contraction.coarse_count(); ++q) {
    const auto [a, b] = made.contraction.members[q];
    if (b < 0) continue;
    ++merged;
    EXPECT_NEAR(made.contraction.alpha[q], std::max({score(a, b), score(b, a), 1.0 / 16}), 1e-5);
  }
  EXPECT_GT(merged, n / 3);
  EXPECT_EQ(made.coarse.node_count(), n - merged);
}

}  // namespace
}  // namespace sinew::layers
