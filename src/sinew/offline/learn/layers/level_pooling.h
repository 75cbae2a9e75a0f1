// Pooling of the nodes of a graph along a fixed map to a coarser graph, and back: the levels of a network that has
// several, which do not depend on the pose.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_LEVEL_POOLING_H_
#define SINEW_OFFLINE_LEARN_LAYERS_LEVEL_POOLING_H_

#include <span>
#include <vector>

#include "sinew/offline/learn/layers/graph.h"
#include "sinew/offline/learn/layers/matrix.h"

namespace sinew::layers {

// A graph, and which of its nodes each node of a finer graph belongs to.
struct CoarserGraph {
  Graph graph;
  std::vector<int> coarse_of;  // per node of the finer graph
  std::vector<float> shares;   // per node of the finer graph: its share in the mean of its coarse node
  Csr members;                 // row q: nodes of the finer graph that belong to node q, increasing

  int fine_count() const { return static_cast<int>(coarse_of.size()); }
};

// Makes a coarser graph: two of its nodes are joined if two of their members are, and every node sees itself if nodes
// of the finer one do. Shares are proportional to `weights`, at least 0 each; where those of a node sum to 0, they are
// equal. coarse_of: numbers from 0 on without a gap. Throws UsageError where these do not fit together.
CoarserGraph MakeCoarserGraph(const Graph& fine, std::vector<int> coarse_of, std::span<const float> weights);

// Sets row q of y to the mean of its members' rows, by their shares. y: coarse nodes by columns of x.
void PoolLevel(const CoarserGraph& coarser, const ConstRows& x, Rows y);
void PoolLevelBackward(const CoarserGraph& coarser, const ConstRows& dy, Rows dx);

// Sets row i of y to the row of its coarse node. y: fine nodes by columns of x.
void UnpoolLevel(const CoarserGraph& coarser, const ConstRows& x, Rows y);
void UnpoolLevelBackward(const CoarserGraph& coarser, const ConstRows& dy, Rows dx);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_LEVEL_POOLING_H_
