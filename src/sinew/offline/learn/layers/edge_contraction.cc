#include "sinew/offline/learn/layers/edge_contraction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/offline/core/error.h"

namespace sinew::layers {
namespace {

void CheckEdges(int node_count, std::span<const std::array<int, 2>> edges, size_t scores) {
  if (edges.size() != scores) throw UsageError(fmt::format("{} scores for {} edges", scores, edges.size()));
  for (const auto& [a, b] : edges) {
    if (a < 0 || b < 0 || a >= node_count || b >= node_count || a == b) {
      throw UsageError(fmt::format("an edge joins nodes {} and {} of a graph of {}", a, b, node_count));
    }
  }
}

// Edges from the highest score down.
std::vector<int> ByScore(std::span<const float> scores) {
  const auto key = [&](int e) { return std::isnan(scores[e]) ? -std::numeric_limits<float>::infinity() : scores[e]; };
  std::vector<int> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) > key(b); });
  return order;
}

// Calls body(q, i) for every coarse node q and each of its fine nodes i, from several threads at once.
template <typename Body>
void ForMembers(const Contraction& contraction, const Body& body) {
  ParallelFor(contraction.coarse_count(), kTileRows, [&](int q) {
    for (const int i : contraction.members[q]) {
      if (i >= 0) body(q, i);
    }
  });
}

// A plain loop, for a sum in a fixed order.
float RowDot(const ConstRows& x, int i, const ConstRows& y, int j) {
  float sum = 0;
  for (Eigen::Index c = 0; c < x.cols(); ++c) sum += x(i, c) * y(j, c);
  return sum;
}

}  // namespace

Contraction ContractEdges(int node_count, std::span<const std::array<int, 2>> edges, std::span<const float> scores) {
  CheckEdges(node_count, edges, scores.size());
  std::vector<int> edge_of(node_count, -1);  // the contracted edge at every node
  for (const int e : ByScore(scores)) {
    const auto& [a, b] = edges[e];
    if (edge_of[a] < 0 && edge_of[b] < 0) edge_of[a] = edge_of[b] = e;
  }
  Contraction result;
  result.coarse_of.resize(node_count);
  for (int i = 0; i < node_count; ++i) {
    const int e = edge_of[i];
    const int other = e < 0 ? -1 : edges[e][0] + edges[e][1] - i;
    if (other >= 0 && other < i) {
      result.coarse_of[i] = result.coarse_of[other];
      continue;
    }
    result.coarse_of[i] = result.coarse_count();
    result.members.push_back({i, other});
    result.edge.push_back(e);
    const bool sound = e >= 0 && scores[e] > kMinContractionAlpha;
    result.alpha.push_back(e < 0 ? 1 : sound ? scores[e] : kMinContractionAlpha);
  }
  return result;
}

std::vector<std::array<int, 2>> CoarseEdges(const Contraction& contraction, std::span<const std::array<int, 2>> edges) {
  std::vector<std::array<int, 2>> coarse;
  for (const auto& [a, b] : edges) {
    const auto [low, high] = std::minmax(contraction.coarse_of[a], contraction.coarse_of[b]);
    if (low != high) coarse.push_back({low, high});
  }
  std::sort(coarse.begin(), coarse.end());
  coarse.erase(std::unique(coarse.begin(), coarse.end()), coarse.end());
  return coarse;
}

void Pool(const Contraction& contraction, const ConstRows& x, Rows y) {
  y.setZero();
  ForMembers(contraction, [&](int q, int i) { y.row(q) += contraction.alpha[q] * x.row(i); });
}

void PoolBackward(const Contraction& contraction, const ConstRows& x, const ConstRows& dy, Rows dx,
                  std::span<float> dalpha) {
  ForMembers(contraction, [&](int q, int i) {
    dx.row(i) += contraction.alpha[q] * dy.row(q);
    if (!dalpha.empty()) dalpha[q] += RowDot(x, i, dy, q);
  });
}

void Unpool(const Contraction& contraction, const ConstRows& x, Rows y) {
  ForMembers(contraction, [&](int q, int i) { y.row(i) = x.row(q) / contraction.alpha[q]; });
}

void UnpoolBackward(const Contraction& contraction, const ConstRows& x, const ConstRows& dy, Rows dx,
                    std::span<float> dalpha) {
  ForMembers(contraction, [&](int q, int i) {
    const float alpha = contraction.alpha[q];
    dx.row(q) += dy.row(i) / alpha;
    if (!dalpha.empty()) dalpha[q] -= RowDot(x, q, dy, i) / (alpha * alpha);
  });
}

}  // namespace sinew::layers
