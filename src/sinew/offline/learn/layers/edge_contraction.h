// Pooling of a graph by contracting edges, and unpooling along the stored map (T. Li et al., "MultiResGNet", Eqs. 8 to
// 10).
#ifndef SINEW_OFFLINE_LEARN_LAYERS_EDGE_CONTRACTION_H_
#define SINEW_OFFLINE_LEARN_LAYERS_EDGE_CONTRACTION_H_

#include <array>
#include <vector>

#include "sinew/offline/learn/layers/graph.h"
#include "sinew/offline/learn/layers/matrix.h"

namespace sinew::layers {

// Smallest alpha of a contracted edge. Eq. 10 divides by alpha, and the attention to one of six neighbours is 0.17 on
// average.
inline constexpr float kMinContractionAlpha = 1.0f / 16;

struct Contraction {
  // Fine nodes of each coarse node, the lower one first; the second is -1 where a node is left over. Coarse nodes are
  // in the order of their first fine nodes.
  std::vector<std::array<int, 2>> members;
  std::vector<int> coarse_of;  // coarse node of every fine node
  std::vector<float> alpha;  // per coarse node: score of its edge, at least kMinContractionAlpha; 1 for one node alone
  std::vector<int> edge;     // per coarse node: the edge that was contracted, or -1

  int coarse_count() const { return static_cast<int>(members.size()); }
  int fine_count() const { return static_cast<int>(coarse_of.size()); }
};

// Contracts edges from the highest score down, each node at most once (Eq. 8); of equal scores, the edge with the lower
// index comes first, and a score that is not a number comes last. edges: two different nodes in [0, node_count) each.
// scores: one per edge. Throws UsageError where these do not fit together.
Contraction ContractEdges(int node_count, std::span<const std::array<int, 2>> edges, std::span<const float> scores);
// Returns the edges of the coarse graph: two coarse nodes are joined if two of their fine nodes are. Lower node first,
// sorted, none twice.
std::vector<std::array<int, 2>> CoarseEdges(const Contraction& contraction, std::span<const std::array<int, 2>> edges);

// Sets row q of y to alpha_q times the sum of its fine nodes' rows (Eq. 9). y: coarse nodes by columns of x.
void Pool(const Contraction& contraction, const ConstRows& x, Rows y);
// Adds the gradients of x and, if not empty, of alpha. An alpha at its lower limit has no slope towards its score.
void PoolBackward(const Contraction& contraction, const ConstRows& x, const ConstRows& dy, Rows dx,
                  std::span<float> dalpha);

// Sets row i of y to the row of its coarse node, divided by alpha (Eq. 10). y: fine nodes by columns of x.
void Unpool(const Contraction& contraction, const ConstRows& x, Rows y);
void UnpoolBackward(const Contraction& contraction, const ConstRows& x, const ConstRows& dy, Rows dx,
                    std::span<float> dalpha);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_EDGE_CONTRACTION_H_
