#include "sinew/offline/graphnet/coarser_levels.h"

#include "sinew/offline/learn/layers/edge_contraction.h"

namespace sinew::graphnet {
namespace {

constexpr int kContractions = 2;  // per level, each of which leaves about half of the points

using layers::CoarserGraph;
using layers::Graph;

std::vector<std::array<int, 2>> EdgesOf(const Graph& graph) {
  std::vector<std::array<int, 2>> edges;
  for (int entry = 0; entry < graph.entry_count(); ++entry) {
    const int i = graph.row_of[entry], j = graph.neighbours.items[entry];
    if (i < j) edges.push_back({i, j});
  }
  return edges;
}

// Returns the coarse node of each node.
std::vector<int> ContractShortest(const Graph& graph, const Points& rest) {
  const std::vector<std::array<int, 2>> edges = EdgesOf(graph);
  std::vector<float> scores;
  scores.reserve(edges.size());
  for (const auto& [i, j] : edges) scores.push_back(-(rest.row(i) - rest.row(j)).norm());
  return layers::ContractEdges(graph.node_count(), edges, scores).coarse_of;
}

// Places and areas of merged points.
void Merge(const CoarserGraph& coarser, Points& rest, std::vector<float>& areas) {
  Points places(coarser.graph.node_count(), 3);
  PoolLevel(coarser, rest, places);
  std::vector<float> sums(coarser.graph.node_count(), 0.0f);
  for (int i = 0; i < coarser.fine_count(); ++i) sums[coarser.coarse_of[i]] += areas[i];
  rest = places;
  areas = sums;
}

}  // namespace

Graph GraphOf(const Csr& neighbours) {
  std::vector<std::array<int, 2>> edges;
  for (int i = 0; i < neighbours.row_count(); ++i) {
    for (const int j : neighbours[i]) {
      if (i < j) edges.push_back({i, j});
    }
  }
  return layers::MakeGraph(neighbours.row_count(), edges, true);
}

std::vector<CoarserGraph> MakeCoarserLevels(const Graph& graph, const Points& rest, const std::vector<float>& areas,
                                            int levels) {
  std::vector<CoarserGraph> made;
  Points places = rest;
  std::vector<float> sums = areas;
  for (int level = 0; level < levels; ++level) {
    const Graph& fine = made.empty() ? graph : made.back().graph;
    const std::vector<float> weights = sums;
    std::vector<int> coarse_of(fine.node_count());
    for (int i = 0; i < fine.node_count(); ++i) coarse_of[i] = i;
    Graph now = fine;
    for (int k = 0; k < kContractions; ++k) {
      CoarserGraph half = layers::MakeCoarserGraph(now, ContractShortest(now, places), sums);
      Merge(half, places, sums);
      for (int& q : coarse_of) q = half.coarse_of[q];
      now = std::move(half.graph);
    }
    made.push_back(layers::MakeCoarserGraph(fine, std::move(coarse_of), weights));
  }
  return made;
}

}  // namespace sinew::graphnet
