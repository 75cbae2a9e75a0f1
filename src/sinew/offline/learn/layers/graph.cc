#include "sinew/offline/learn/layers/graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"

namespace sinew::layers {
namespace {

// Sorts every row and drops items that are there twice.
Csr Unique(const Csr& csr) {
  Csr unique;
  unique.offsets.push_back(0);
  for (int row = 0; row < csr.row_count(); ++row) {
    std::vector<int> items(csr[row].begin(), csr[row].end());
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    unique.items.insert(unique.items.end(), items.begin(), items.end());
    unique.offsets.push_back(static_cast<int>(unique.items.size()));
  }
  return unique;
}

}  // namespace

Graph MakeGraph(int node_count, std::span<const std::array<int, 2>> edges, bool self_loops) {
  for (const auto& [a, b] : edges) {
    if (a < 0 || b < 0 || a >= node_count || b >= node_count) {
      throw UsageError(fmt::format("an edge joins nodes {} and {} of a graph of {}", a, b, node_count));
    }
  }
  Graph graph;
  graph.neighbours = Unique(BuildCsr(node_count, [&](const auto& put) {
    for (int i = 0; self_loops && i < node_count; ++i) put(i, i);
    for (const auto& [a, b] : edges) {
      if (a == b) continue;
      put(a, b);
      put(b, a);
    }
  }));
  const std::vector<int>& items = graph.neighbours.items;
  graph.seen_by = BuildCsr(node_count, [&](const auto& put) {
    for (int entry = 0; entry < graph.entry_count(); ++entry) put(items[entry], entry);
  });
  for (int i = 0; i < node_count; ++i) graph.row_of.insert(graph.row_of.end(), graph.neighbours[i].size(), i);
  return graph;
}

}  // namespace sinew::layers
