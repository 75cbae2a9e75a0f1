// Pooling of a graph along the edges that its nodes attend to most (T. Li et al., "MultiResGNet", Eqs. 5, 8 and 9).
//
// The attention of one head over the neighbours of a node, the node itself left out, scores the edges; of an edge's two
// directions the larger score counts. Edges are contracted from the highest score down, and a merged node gets alpha
// (v_i + v_j), with alpha the score of its edge. Unpooling (edge_contraction.h) divides by alpha.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_ATTENTION_POOLING_H_
#define SINEW_OFFLINE_LEARN_LAYERS_ATTENTION_POOLING_H_

#include "sinew/offline/learn/layers/edge_contraction.h"
#include "sinew/offline/learn/layers/graph_attention.h"

namespace sinew::layers {

// What a contraction leaves for the layers inside of it, for unpooling and for the backward pass.
struct AttentionPooling {
  Graph neighbours;         // the graph without self-loops, whose entries are scored
  AttentionTrace scores;    // per entry of it
  Contraction contraction;  // of nodes
  std::vector<int> entry;   // per coarse node: the entry whose score is alpha; -1: alpha has no slope
  Graph coarse;             // of the merged nodes, with self-loops
};

// Scores the edges of a graph, whose nodes may see themselves, and contracts them. weights: of one head, without H.
AttentionPooling ContractByAttention(const Graph& graph, const ConstRows& x, const AttentionWeights& weights);

// Adds the gradients of x and of the weights for the gradient of alpha, one number per coarse node. What pooled rows
// pass on to x is PoolBackward()'s. dx: may be null.
void ContractByAttentionBackward(const AttentionPooling& pooling, const ConstRows& x, const AttentionWeights& weights,
                                 std::span<const float> dalpha, Rows* dx, AttentionGradients gradients);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_ATTENTION_POOLING_H_
