// Graph attention block with a self stream (T. Li et al., "MultiResGNet", Eqs. 5 and 6; attention after P. Velickovic
// et al., "Graph Attention Networks", 2018).
//
// Symbols: v_i features of node i (row i of x), W and H weights, a the attention vector, here cut into the half that
// meets W v_i ("target") and the half that meets W v_j ("source"), alpha_ij the attention of i to its neighbour j. Eq.
// 6 is printed with W v_i inside the sum over j, where W v_j must stand.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_GRAPH_ATTENTION_H_
#define SINEW_OFFLINE_LEARN_LAYERS_GRAPH_ATTENTION_H_

#include "sinew/offline/learn/layers/graph.h"
#include "sinew/offline/learn/layers/matrix.h"

namespace sinew::layers {

inline constexpr float kAttentionSlope = 0.2f;  // of the LeakyReLU of Eq. 5

struct AttentionWeights {
  Eigen::Map<const RowMatrix> W;               // inputs by heads * width; for scores alone, no columns: U is x itself
  Eigen::Map<const RowMatrix> target, source;  // heads by width
  Eigen::Map<const RowMatrix> H;               // inputs by width of the self stream; no columns: no such stream

  int heads() const { return static_cast<int>(target.rows()); }
  int width() const { return static_cast<int>(target.cols()); }
  int outputs() const { return static_cast<int>(W.cols() + H.cols()); }
};

// Gradients of the weights, of the same sizes.
struct AttentionGradients {
  Eigen::Map<RowMatrix> W, target, source, H;
};

// What the backward pass needs of the forward pass.
struct AttentionTrace {
  RowMatrix U;                             // x W
  RowMatrix target_scores, source_scores;  // nodes by heads: the two halves of a' (W v_i || W v_j)
  RowMatrix alpha;                         // entries of the graph by heads
};

// Sets y to the heads, one beside the other, and the self stream behind them. A node without neighbours gets zeros in
// its heads. y: nodes by weights.outputs().
void GraphAttention(const Graph& graph, const ConstRows& x, const AttentionWeights& weights, Rows y,
                    AttentionTrace& trace);

// Adds the gradients of x and of the weights for the gradient `dy` of y. dx: may be null.
void GraphAttentionBackward(const Graph& graph, const ConstRows& x, const AttentionWeights& weights,
                            const AttentionTrace& trace, const ConstRows& dy, Rows* dx, AttentionGradients gradients);

// Sets the trace, whose alpha are the scores of Eq. 5, without what Eq. 6 does with them. H is not used.
void AttentionScores(const Graph& graph, const ConstRows& x, const AttentionWeights& weights, AttentionTrace& trace);

// Adds the gradients of x, W, target and source. dalpha: gradient of trace.alpha. dU: gradient of trace.U by other ways
// than alpha. dx: may be null.
void AttentionScoresBackward(const Graph& graph, const ConstRows& x, const AttentionWeights& weights,
                             const AttentionTrace& trace, const RowMatrix& dalpha, RowMatrix dU, Rows* dx,
                             AttentionGradients gradients);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_GRAPH_ATTENTION_H_
