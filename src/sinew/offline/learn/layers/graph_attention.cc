#include "sinew/offline/learn/layers/graph_attention.h"

#include "sinew/offline/learn/layers/linear.h"
#include "sinew/offline/learn/layers/segments.h"

namespace sinew::layers {
namespace {

// Dot product in a fixed order that the compiler turns into vectors.
float Dot(const float* a, const float* b, int count) {
  constexpr int kLanes = 8;
  float sums[kLanes] = {};
  int k = 0;
  for (; k + kLanes <= count; k += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) sums[lane] += a[k + lane] * b[k + lane];
  }
  for (int lane = 0; k < count; ++k, ++lane) sums[lane] += a[k] * b[k];
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

void AddScaled(float factor, const float* x, int count, float* y) {
  for (int k = 0; k < count; ++k) y[k] += factor * x[k];
}

// Scores of all nodes by one half of the attention vector: nodes by heads.
RowMatrix HalfScores(const RowMatrix& U, const Eigen::Map<const RowMatrix>& half) {
  const int heads = static_cast<int>(half.rows()), width = static_cast<int>(half.cols());
  RowMatrix scores(U.rows(), heads);
  ParallelFor(static_cast<int>(U.rows()), kTileRows, [&](int i) {
    for (int h = 0; h < heads; ++h) scores(i, h) = Dot(&U(i, h * width), half.data() + h * width, width);
  });
  return scores;
}

// Gradient of one half of the attention vector, and its part of the gradient of U.
void HalfScoresBackward(const RowMatrix& U, const Eigen::Map<const RowMatrix>& half, const RowMatrix& dscores,
                        RowMatrix& dU, Eigen::Map<RowMatrix>& dhalf) {
  const int heads = static_cast<int>(half.rows()), width = static_cast<int>(half.cols());
  RowMatrix spread(U.rows(), U.cols());  // dscores, repeated over the width of each head
  ParallelFor(static_cast<int>(U.rows()), kTileRows, [&](int i) {
    for (int h = 0; h < heads; ++h) {
      spread.row(i).segment(h * width, width).setConstant(dscores(i, h));
      AddScaled(dscores(i, h), half.data() + h * width, width, &dU(i, h * width));
    }
  });
  AddColumnProductSums(spread, U, std::span(dhalf.data(), static_cast<size_t>(dhalf.size())));
}

// Derivative of the softmax of Eq. 5 and of the LeakyReLU inside it: returns the gradient of the sums of scores,
// entries by heads, for the gradient of alpha.
RowMatrix ScoreGradients(const Graph& graph, const AttentionTrace& trace, const RowMatrix& dalpha) {
  const Eigen::Index heads = trace.alpha.cols();
  RowMatrix dscore = RowMatrix::Zero(graph.entry_count(), heads);
  SegmentSoftmaxBackward(graph.neighbours.offsets, trace.alpha, dalpha, dscore);
  ParallelFor(graph.entry_count(), kTileRows, [&](int entry) {
    const int i = graph.row_of[entry], j = graph.neighbours.items[entry];
    for (Eigen::Index h = 0; h < heads; ++h) {
      if (!(trace.target_scores(i, h) + trace.source_scores(j, h) > 0)) dscore(entry, h) *= kAttentionSlope;
    }
  });
  return dscore;
}

}  // namespace

void AttentionScores(const Graph& graph, const ConstRows& x, const AttentionWeights& weights, AttentionTrace& trace) {
  const int heads = weights.heads();
  if (weights.W.cols() > 0) {
    trace.U.resize(x.rows(), weights.W.cols());
    Multiply(x, weights.W, trace.U);
  } else {
    trace.U = x;
  }
  trace.target_scores = HalfScores(trace.U, weights.target);
  trace.source_scores = HalfScores(trace.U, weights.source);
  // Eq. 5.
  trace.alpha.resize(graph.entry_count(), heads);
  ParallelFor(graph.entry_count(), kTileRows, [&](int entry) {
    const int i = graph.row_of[entry], j = graph.neighbours.items[entry];
    for (int h = 0; h < heads; ++h) {
      const float score = trace.target_scores(i, h) + trace.source_scores(j, h);
      trace.alpha(entry, h) = score > 0 ? score : kAttentionSlope * score;
    }
  });
  SegmentSoftmax(graph.neighbours.offsets, trace.alpha, trace.alpha);
}

void GraphAttention(const Graph& graph, const ConstRows& x, const AttentionWeights& weights, Rows y,
                    AttentionTrace& trace) {
  const int heads = weights.heads(), width = weights.width();
  const std::vector<int>& items = graph.neighbours.items;
  AttentionScores(graph, x, weights, trace);
  // Eq. 6.
  ParallelFor(graph.node_count(), kTileRows, [&](int i) {
    y.row(i).head(heads * width).setZero();
    for (int entry = graph.neighbours.offsets[i]; entry < graph.neighbours.offsets[i + 1]; ++entry) {
      for (int h = 0; h < heads; ++h) {
        AddScaled(trace.alpha(entry, h), &trace.U(items[entry], h * width), width, &y(i, h * width));
      }
    }
  });
  if (weights.H.cols() > 0) Multiply(x, weights.H, y.rightCols(weights.H.cols()));
}

void AttentionScoresBackward(const Graph& graph, const ConstRows& x, const AttentionWeights& weights,
                             const AttentionTrace& trace, const RowMatrix& dalpha, RowMatrix dU, Rows* dx,
                             AttentionGradients gradients) {
  const int heads = weights.heads();
  const RowMatrix dscore = ScoreGradients(graph, trace, dalpha);
  RowMatrix dtarget(x.rows(), heads), dsource = RowMatrix::Zero(x.rows(), heads);
  SegmentSum(graph.neighbours.offsets, dscore, dtarget);
  ParallelFor(graph.node_count(), kTileRows, [&](int j) {
    for (const int entry : graph.seen_by[j]) {
      for (int h = 0; h < heads; ++h) dsource(j, h) += dscore(entry, h);
    }
  });
  HalfScoresBackward(trace.U, weights.target, dtarget, dU, gradients.target);
  HalfScoresBackward(trace.U, weights.source, dsource, dU, gradients.source);
  if (weights.W.cols() > 0) {
    LinearBackward(x, weights.W, dU, dx, gradients.W, {});
  } else if (dx != nullptr) {
    *dx += dU;
  }
}

void GraphAttentionBackward(const Graph& graph, const ConstRows& x, const AttentionWeights& weights,
                            const AttentionTrace& trace, const ConstRows& dy, Rows* dx, AttentionGradients gradients) {
  const int heads = weights.heads(), width = weights.width();
  RowMatrix dalpha(graph.entry_count(), heads);
  ParallelFor(graph.entry_count(), kTileRows, [&](int entry) {
    const int i = graph.row_of[entry], j = graph.neighbours.items[entry];
    for (int h = 0; h < heads; ++h) dalpha(entry, h) = Dot(dy.row(i).data() + h * width, &trace.U(j, h * width), width);
  });
  // Each node collects from those that see it, in order, so that no two threads add to one row.
  RowMatrix dU = RowMatrix::Zero(trace.U.rows(), trace.U.cols());
  ParallelFor(graph.node_count(), kTileRows, [&](int j) {
    for (const int entry : graph.seen_by[j]) {
      const int i = graph.row_of[entry];
      for (int h = 0; h < heads; ++h) {
        AddScaled(trace.alpha(entry, h), dy.row(i).data() + h * width, width, &dU(j, h * width));
      }
    }
  });
  AttentionScoresBackward(graph, x, weights, trace, dalpha, std::move(dU), dx, gradients);
  if (weights.H.cols() > 0) LinearBackward(x, weights.H, dy.rightCols(weights.H.cols()), dx, gradients.H, {});
}

}  // namespace sinew::layers
