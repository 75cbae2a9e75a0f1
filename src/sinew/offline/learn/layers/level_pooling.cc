#include "sinew/offline/learn/layers/level_pooling.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"

namespace sinew::layers {
namespace {

// Returns the number of coarse nodes.
int CheckMap(const Graph& fine, const std::vector<int>& coarse_of, std::span<const float> weights) {
  const auto nodes = static_cast<size_t>(fine.node_count());
  if (coarse_of.size() != nodes || weights.size() != nodes || nodes == 0) {
    throw UsageError(
        fmt::format("a map of {} nodes with {} weights for a graph of {}", coarse_of.size(), weights.size(), nodes));
  }
  const int count = *std::max_element(coarse_of.begin(), coarse_of.end()) + 1;
  std::vector<bool> reached(nodes, false);
  for (const int q : coarse_of) {
    if (q < 0 || q >= fine.node_count()) throw UsageError(fmt::format("a node is mapped to coarse node {}", q));
    reached[q] = true;
  }
  if (std::find(reached.begin(), reached.begin() + count, false) != reached.begin() + count) {
    throw UsageError("a coarse node has no member");
  }
  return count;
}

std::vector<float> SharesOf(const CoarserGraph& coarser, std::span<const float> weights) {
  std::vector<float> shares(weights.size());
  for (int q = 0; q < coarser.members.row_count(); ++q) {
    double sum = 0;
    for (const int i : coarser.members[q]) {
      if (!(weights[i] >= 0)) throw UsageError(fmt::format("node {} has a negative weight", i));
      sum += weights[i];
    }
    const double equal = 1.0 / static_cast<double>(coarser.members[q].size());
    for (const int i : coarser.members[q]) shares[i] = static_cast<float>(sum > 0 ? weights[i] / sum : equal);
  }
  return shares;
}

}  // namespace

CoarserGraph MakeCoarserGraph(const Graph& fine, std::vector<int> coarse_of, std::span<const float> weights) {
  const int count = CheckMap(fine, coarse_of, weights);
  CoarserGraph coarser;
  coarser.coarse_of = std::move(coarse_of);
  coarser.members = BuildCsr(count, [&](const auto& put) {
    for (int i = 0; i < coarser.fine_count(); ++i) put(coarser.coarse_of[i], i);
  });
  coarser.shares = SharesOf(coarser, weights);
  std::vector<std::array<int, 2>> edges;
  bool loops = false;
  for (int entry = 0; entry < fine.entry_count(); ++entry) {
    const int i = fine.row_of[entry], j = fine.neighbours.items[entry];
    loops |= i == j;
    if (i < j) edges.push_back({coarser.coarse_of[i], coarser.coarse_of[j]});
  }
  coarser.graph = MakeGraph(count, edges, loops);
  return coarser;
}

void PoolLevel(const CoarserGraph& coarser, const ConstRows& x, Rows y) {
  ParallelFor(coarser.members.row_count(), kTileRows, [&](int q) {
    y.row(q).setZero();
    for (const int i : coarser.members[q]) y.row(q) += coarser.shares[i] * x.row(i);
  });
}

void PoolLevelBackward(const CoarserGraph& coarser, const ConstRows& dy, Rows dx) {
  ParallelFor(coarser.fine_count(), kTileRows,
              [&](int i) { dx.row(i) += coarser.shares[i] * dy.row(coarser.coarse_of[i]); });
}

void UnpoolLevel(const CoarserGraph& coarser, const ConstRows& x, Rows y) {
  ParallelFor(coarser.fine_count(), kTileRows, [&](int i) { y.row(i) = x.row(coarser.coarse_of[i]); });
}

void UnpoolLevelBackward(const CoarserGraph& coarser, const ConstRows& dy, Rows dx) {
  ParallelFor(coarser.members.row_count(), kTileRows, [&](int q) {
    for (const int i : coarser.members[q]) dx.row(q) += dy.row(i);
  });
}

}  // namespace sinew::layers
