#include "adjacency.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>

namespace sinew_torch {
namespace {

[[noreturn]] void Refuse(int level, const std::string& what) {
  throw std::runtime_error("level " + std::to_string(level) + " of the mesh " + what);
}

void CheckStarts(const SinewTorchLevel& level, int number) {
  if (level.vertices < 1 || level.starts == nullptr) Refuse(number, "has no vertices");
  if (level.starts[0] != 0) Refuse(number, "has neighbours that do not begin at 0");
  for (int i = 0; i < level.vertices; ++i) {
    if (level.starts[i + 1] < level.starts[i])
      Refuse(number, "has fewer than no neighbours of vertex " + std::to_string(i));
  }
  if (level.starts[level.vertices] > 0 && level.neighbours == nullptr) Refuse(number, "has no list of neighbours");
}

Adjacency ReadAdjacency(const SinewTorchLevel& level, int number) {
  CheckStarts(level, number);
  for (int i = 0; i < level.vertices; ++i) {
    for (int e = level.starts[i]; e < level.starts[i + 1]; ++e) {
      const int j = level.neighbours[e];
      if (j < 0 || j >= level.vertices || j == i) {
        Refuse(number, "has vertex " + std::to_string(j) + " as a neighbour of vertex " + std::to_string(i));
      }
    }
  }
  Adjacency read;
  read.starts.assign(level.starts, level.starts + level.vertices + 1);
  read.columns.assign(level.neighbours, level.neighbours + level.starts[level.vertices]);
  return read;
}

std::vector<int64_t> ReadMap(const SinewTorchLevel& level, const SinewTorchLevel& next, int number) {
  if (level.coarser == nullptr) Refuse(number, "has no map to the next one");
  std::vector<char> reached(std::max(next.vertices, 0), 0);
  for (int i = 0; i < level.vertices; ++i) {
    const int c = level.coarser[i];
    if (c < 0 || c >= next.vertices) Refuse(number, "maps vertex " + std::to_string(i) + " outside of the next one");
    reached[c] = 1;
  }
  if (std::find(reached.begin(), reached.end(), 0) != reached.end()) {
    Refuse(number + 1, "has a vertex that no vertex of the finer one is mapped to");
  }
  return {level.coarser, level.coarser + level.vertices};
}

// Shares that are given, or equal ones.
std::vector<float> ReadShares(const SinewTorchLevel& level, const SinewTorchLevel& next, int number) {
  std::vector<double> sums(next.vertices, 0);
  for (int i = 0; i < level.vertices; ++i) sums[level.coarser[i]] += level.shares == nullptr ? 1 : level.shares[i];
  std::vector<float> shares(level.vertices);
  for (int i = 0; i < level.vertices; ++i) {
    const double sum = sums[level.coarser[i]];
    shares[i] = level.shares == nullptr ? static_cast<float>(1 / sum) : level.shares[i];
    if (!(shares[i] >= 0) || (level.shares != nullptr && !(std::abs(sum - 1) < 1e-3))) {
      Refuse(number, "has a share of vertex " + std::to_string(i) + " that is negative, or does not sum to 1");
    }
  }
  return shares;
}

std::vector<int64_t> ReadRings(const SinewTorchLevel& level, int number) {
  if (level.rings == nullptr) return {};
  if (level.ring_sets < 1) Refuse(number, "has rings and no set of them");
  const auto edges = static_cast<int64_t>(level.vertices);
  std::vector<int64_t> rings(4 * edges * level.ring_sets);
  for (int64_t k = 0; k < static_cast<int64_t>(rings.size()); ++k) {
    const int64_t set = k / (4 * edges), edge = k / 4 % edges;
    if (level.rings[k] < -1 || level.rings[k] >= level.vertices) {
      Refuse(number, "has edge " + std::to_string(level.rings[k]) + " in the ring of edge " + std::to_string(edge));
    }
    rings[(4 * set + k % 4) * edges + edge] = level.rings[k];
  }
  return rings;
}

// An edge with the score that counts for it.
struct Candidate {
  float score;
  int64_t low, high, edge;
};

std::vector<Candidate> SortedEdges(const EdgeList& edges, const std::vector<float>& scores) {
  std::vector<Candidate> candidates;
  candidates.reserve(scores.size());
  for (size_t e = 0; e < scores.size(); ++e) {
    const int64_t i = edges.rows[e], j = edges.columns[e];
    const float score = std::isnan(scores[e]) ? -std::numeric_limits<float>::infinity() : scores[e];
    candidates.push_back({score, std::min(i, j), std::max(i, j), static_cast<int64_t>(e)});
  }
  // Both directions of an edge are in the list: the one with the larger score comes first, and takes both vertices.
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(b.score, a.low, a.high, a.edge) < std::tie(a.score, b.low, b.high, b.edge);
  });
  return candidates;
}

// Per vertex the edge that it is merged by, or -1.
std::vector<int64_t> Match(int64_t vertices, const std::vector<Candidate>& candidates) {
  std::vector<int64_t> edge_of(vertices, -1);
  for (const Candidate& c : candidates) {
    if (edge_of[c.low] < 0 && edge_of[c.high] < 0) edge_of[c.low] = edge_of[c.high] = c.edge;
  }
  return edge_of;
}

Adjacency CoarseAdjacency(const Adjacency& fine, const std::vector<int64_t>& coarse, int64_t count) {
  std::vector<std::vector<int64_t>> neighbours(count);
  for (int64_t i = 0; i < fine.vertices(); ++i) {
    for (int64_t e = fine.starts[i]; e < fine.starts[i + 1]; ++e) {
      const int64_t j = coarse[fine.columns[e]];
      if (j != coarse[i]) neighbours[coarse[i]].push_back(j);
    }
  }
  Adjacency made;
  for (std::vector<int64_t>& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    made.columns.insert(made.columns.end(), list.begin(), list.end());
    made.starts.push_back(static_cast<int64_t>(made.columns.size()));
  }
  return made;
}

}  // namespace

Mesh ReadMesh(const SinewTorchLevel* levels, int level_count) {
  if (levels == nullptr || level_count < 1) throw std::runtime_error("a mesh needs a level");
  Mesh mesh;
  for (int l = 0; l < level_count; ++l) {
    Level level{ReadAdjacency(levels[l], l), {}, {}, ReadRings(levels[l], l)};
    if (l + 1 < level_count) {
      level.coarser = ReadMap(levels[l], levels[l + 1], l);
      level.shares = ReadShares(levels[l], levels[l + 1], l);
    }
    mesh.levels.push_back(std::move(level));
  }
  return mesh;
}

void Append(const Adjacency& from, Adjacency* to) {
  const int64_t first_vertex = to->vertices(), first_edge = static_cast<int64_t>(to->columns.size());
  for (int64_t i = 1; i <= from.vertices(); ++i) to->starts.push_back(from.starts[i] + first_edge);
  for (const int64_t j : from.columns) to->columns.push_back(j + first_vertex);
}

EdgeList EdgesOf(const Adjacency& adjacency, bool self) {
  EdgeList edges;
  for (int64_t i = 0; i < adjacency.vertices(); ++i) {
    if (self) {
      edges.rows.push_back(i);
      edges.columns.push_back(i);
    }
    for (int64_t e = adjacency.starts[i]; e < adjacency.starts[i + 1]; ++e) {
      edges.rows.push_back(i);
      edges.columns.push_back(adjacency.columns[e]);
    }
  }
  return edges;
}

Contraction Contract(const Adjacency& adjacency, const EdgeList& edges, const std::vector<float>& scores) {
  const std::vector<int64_t> edge_of = Match(adjacency.vertices(), SortedEdges(edges, scores));
  Contraction made;
  made.coarse.assign(adjacency.vertices(), -1);
  for (int64_t i = 0; i < adjacency.vertices(); ++i) {
    if (made.coarse[i] >= 0) continue;
    const auto number = static_cast<int64_t>(made.edge.size());
    made.edge.push_back(edge_of[i]);
    made.coarse[i] = number;
    if (edge_of[i] < 0) continue;
    made.coarse[edges.rows[edge_of[i]]] = made.coarse[edges.columns[edge_of[i]]] = number;
  }
  made.adjacency = CoarseAdjacency(adjacency, made.coarse, static_cast<int64_t>(made.edge.size()));
  return made;
}

}  // namespace sinew_torch
