#include "sinew/offline/learn/layers/graph_attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/core/error.h"
#include "tests/offline/learn/layers/layer_checks.h"

namespace sinew::layers {
namespace {

struct Block {
  RowMatrix W, target, source, H;

  Block(int inputs, int heads, int width, int self)
      : W(Noise(inputs, heads * width, 1)),
        target(Noise(heads, width, 2)),
        source(Noise(heads, width, 3)),
        H(Noise(inputs, self, 4)) {}
  AttentionWeights weights() const {
    const auto map = [](const RowMatrix& m) { return Eigen::Map<const RowMatrix>(m.data(), m.rows(), m.cols()); };
    return {map(W), map(target), map(source), map(H)};
  }
  RowMatrix Apply(const Graph& graph, const RowMatrix& x) const {
    RowMatrix y(x.rows(), weights().outputs());
    AttentionTrace trace;
    GraphAttention(graph, x, weights(), y, trace);
    return y;
  }
};

// Eqs. 5 and 6, entry by entry, in double.
Eigen::MatrixXd ByHand(const Graph& graph, const RowMatrix& x, const Block& block) {
  const int heads = static_cast<int>(block.target.rows()), width = static_cast<int>(block.target.cols());
  const Eigen::MatrixXd U = x.cast<double>() * block.W.cast<double>();
  Eigen::MatrixXd y = Eigen::MatrixXd::Zero(x.rows(), heads * width + block.H.cols());
  for (int i = 0; i < x.rows(); ++i) {
    for (int h = 0; h < heads; ++h) {
      const auto part = [&](int node) { return U.row(node).segment(h * width, width); };
      const auto weight = [&](int j) {
        const double score =
            part(i).dot(block.target.row(h).cast<double>()) + part(j).dot(block.source.row(h).cast<double>());
        return std::exp(score > 0 ? score : 0.2 * score);
      };
      double all = 0;
      for (const int j : graph.neighbours[i]) all += weight(j);
      for (const int j : graph.neighbours[i]) y.row(i).segment(h * width, width) += weight(j) / all * part(j);
    }
  }
  y.rightCols(block.H.cols()) = x.cast<double>() * block.H.cast<double>();
  return y;
}

TEST(Graph, IsSymmetricWithoutRepeats) {
  const std::vector<std::array<int, 2>> edges = {{0, 2}, {2, 0}, {1, 1}, {2, 1}};
  const Graph graph = MakeGraph(4, edges, true);
  EXPECT_EQ(graph.neighbours.items, (std::vector<int>{0, 2, 1, 2, 0, 1, 2, 3}));
  EXPECT_EQ(graph.row_of, (std::vector<int>{0, 0, 1, 1, 2, 2, 2, 3}));
  for (int j = 0; j < 4; ++j) {
    for (const int entry : graph.seen_by[j]) EXPECT_EQ(graph.neighbours.items[entry], j);
  }
  EXPECT_EQ(MakeGraph(4, edges, false).entry_count(), 4);
  EXPECT_THROW(MakeGraph(2, edges, true), UsageError);
}

TEST(GraphAttention, IsTheFormula) {
  const Block block(5, 3, 11, 4);
  const RowMatrix x = Noise(40, 5, 9);
  for (const bool self_loops : {true, false}) {
    const Graph graph = MakeGraph(40, RingEdges(40), self_loops);
    EXPECT_LT((block.Apply(graph, x).cast<double>() - ByHand(graph, x, block)).cwiseAbs().maxCoeff(), 1e-5);
  }
}

TEST(GraphAttention, FollowsTheOrderOfItsNodes) {
  const int n = 30;
  const Block block(4, 2, 8, 3);
  const RowMatrix x = Noise(n, 4, 9);
  std::vector<std::array<int, 2>> turned;
  const auto to = [&](int i) { return (i + 7) % n; };
  for (const auto& [a, b] : RingEdges(n)) turned.push_back({to(a), to(b)});
  RowMatrix moved(n, 4);
  for (int i = 0; i < n; ++i) moved.row(to(i)) = x.row(i);
  const RowMatrix y = block.Apply(MakeGraph(n, RingEdges(n), true), x);
  const RowMatrix z = block.Apply(MakeGraph(n, turned, true), moved);
  for (int i = 0; i < n; ++i) EXPECT_LT((z.row(to(i)) - y.row(i)).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(GraphAttention, GradientsAreRight) {
  const Graph graph = MakeGraph(8, RingEdges(8), true);
  Block block(3, 2, 4, 2);
  const RowMatrix x = Noise(8, 3, 9), dy = Noise(8, 10, 10);
  RowMatrix y(8, 10), dx = RowMatrix::Zero(8, 3);
  RowMatrix d[4] = {RowMatrix::Zero(3, 8), RowMatrix::Zero(2, 4), RowMatrix::Zero(2, 4), RowMatrix::Zero(3, 2)};
  const auto map = [](RowMatrix& m) { return Eigen::Map<RowMatrix>(m.data(), m.rows(), m.cols()); };
  AttentionTrace trace;
  GraphAttention(graph, x, block.weights(), y, trace);
  Rows dx_rows(dx);
  GraphAttentionBackward(graph, x, block.weights(), trace, dy, &dx_rows, {map(d[0]), map(d[1]), map(d[2]), map(d[3])});

  const double tolerance = 2e-3;  // scores cross the kink of LeakyReLU within some steps
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return Weighted(block.Apply(graph, m), dy); }, x, dx, 5e-3),
            tolerance);
  RowMatrix* tensors[4] = {&block.W, &block.target, &block.source, &block.H};
  for (int k = 0; k < 4; ++k) {
    const RowMatrix kept = *tensors[k];
    const auto f = [&](const RowMatrix& m) {
      *tensors[k] = m;
      return Weighted(block.Apply(graph, x), dy);
    };
    EXPECT_LT(FloatGradientError(f, kept, d[k], 5e-3), tolerance) << k;
    *tensors[k] = kept;
  }
}

TEST(GraphAttention, SameBitsOnAllThreads) {
  const Graph graph = MakeGraph(700, RingEdges(700), true);
  const Block block(6, 2, 8, 5);
  const RowMatrix x = Noise(700, 6, 9), dy = Noise(700, 21, 10);
  EXPECT_TRUE(SameOnAllThreads([&] { return block.Apply(graph, x); }));
  EXPECT_TRUE(SameOnAllThreads([&] {
    RowMatrix y(700, 21), dx = RowMatrix::Zero(700, 6);
    RowMatrix d[4] = {RowMatrix::Zero(6, 16), RowMatrix::Zero(2, 8), RowMatrix::Zero(2, 8), RowMatrix::Zero(6, 5)};
    const auto map = [](RowMatrix& m) { return Eigen::Map<RowMatrix>(m.data(), m.rows(), m.cols()); };
    AttentionTrace trace;
    GraphAttention(graph, x, block.weights(), y, trace);
    Rows dx_rows(dx);
    GraphAttentionBackward(graph, x, block.weights(), trace, dy, &dx_rows,
                           {map(d[0]), map(d[1]), map(d[2]), map(d[3])});
    RowMatrix all = RowMatrix::Zero(720, 16);
    all.topLeftCorner(700, 6) = dx;
    all.middleRows(700, 6) = d[0];
    all.block(706, 0, 2, 8) = d[1];
    all.block(708, 0, 2, 8) = d[2];
    all.block(710, 0, 6, 5) = d[3];
    return all;
  }));
}

}  // namespace
}  // namespace sinew::layers
