// Graph that the layers on vertices work on: who sees whom, and for gradients, who is seen by whom.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_GRAPH_H_
#define SINEW_OFFLINE_LEARN_LAYERS_GRAPH_H_

#include <array>
#include <span>
#include <vector>

#include "sinew/offline/mesh/csr.h"

namespace sinew::layers {

struct Graph {
  Csr neighbours;           // row i: the nodes that node i sees, increasing
  Csr seen_by;              // row j: the entries of neighbours.items that are j, increasing
  std::vector<int> row_of;  // row of each entry of neighbours.items

  int node_count() const { return neighbours.row_count(); }
  int entry_count() const { return static_cast<int>(neighbours.items.size()); }
};

// Returns the graph of undirected edges, each of two nodes in [0, node_count). An edge that is given
// twice counts once, and one that joins a node to itself is left out. self_loops: every node also sees itself, as
// attention wants it and pooling does not. Throws UsageError for a node that does not exist.
Graph MakeGraph(int node_count, std::span<const std::array<int, 2>> edges, bool self_loops);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_GRAPH_H_
