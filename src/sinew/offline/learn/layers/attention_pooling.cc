#include "sinew/offline/learn/layers/attention_pooling.h"

#include <algorithm>

namespace sinew::layers {
namespace {

// Undirected edges, each with the entry of the graph that scores it.
struct ScoredEdges {
  std::vector<std::array<int, 2>> edges;  // lower node first, sorted
  std::vector<int> entries;
  std::vector<float> scores;
};

std::vector<std::array<int, 2>> EdgesOf(const Graph& graph) {
  std::vector<std::array<int, 2>> edges;
  for (int i = 0; i < graph.node_count(); ++i) {
    for (const int j : graph.neighbours[i]) {
      if (i < j) edges.push_back({i, j});
    }
  }
  return edges;
}

int EntryOf(const Graph& graph, int row, int item) {
  const auto first = graph.neighbours.items.begin();
  const auto begin = first + graph.neighbours.offsets[row], end = first + graph.neighbours.offsets[row + 1];
  return static_cast<int>(std::lower_bound(begin, end, item) - first);
}

// Of an edge's two directions the larger score counts; of equal ones, that of the lower node.
ScoredEdges ScoreEdges(const Graph& graph, const RowMatrix& alpha) {
  ScoredEdges scored;
  scored.edges = EdgesOf(graph);
  for (const auto& [i, j] : scored.edges) {
    const int there = EntryOf(graph, i, j), back = EntryOf(graph, j, i);
    const int entry = alpha(back, 0) > alpha(there, 0) ? back : there;
    scored.entries.push_back(entry);
    scored.scores.push_back(alpha(entry, 0));
  }
  return scored;
}

}  // namespace

AttentionPooling ContractByAttention(const Graph& graph, const ConstRows& x, const AttentionWeights& weights) {
  AttentionPooling made;
  made.neighbours = MakeGraph(graph.node_count(), EdgesOf(graph), false);
  AttentionScores(made.neighbours, x, weights, made.scores);
  const ScoredEdges scored = ScoreEdges(made.neighbours, made.scores.alpha);
  made.contraction = ContractEdges(graph.node_count(), scored.edges, scored.scores);  // Eq. 8
  for (int q = 0; q < made.contraction.coarse_count(); ++q) {
    const int edge = made.contraction.edge[q];
    const bool slope = edge >= 0 && made.contraction.alpha[q] > kMinContractionAlpha;
    made.entry.push_back(slope ? scored.entries[edge] : -1);
  }
  made.coarse = MakeGraph(made.contraction.coarse_count(), CoarseEdges(made.contraction, scored.edges), true);
  return made;
}

void ContractByAttentionBackward(const AttentionPooling& pooling, const ConstRows& x, const AttentionWeights& weights,
                                 std::span<const float> dalpha, Rows* dx, AttentionGradients gradients) {
  RowMatrix dscores = RowMatrix::Zero(pooling.neighbours.entry_count(), 1);
  for (size_t q = 0; q < pooling.entry.size(); ++q) {
    if (pooling.entry[q] >= 0) dscores(pooling.entry[q], 0) = dalpha[q];
  }
  RowMatrix dU = RowMatrix::Zero(pooling.scores.U.rows(), pooling.scores.U.cols());
  AttentionScoresBackward(pooling.neighbours, x, weights, pooling.scores, dscores, std::move(dU), dx, gradients);
}

}  // namespace sinew::layers
