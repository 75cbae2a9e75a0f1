#include "sinew/offline/mesh/edges.h"

#include <algorithm>

namespace sinew {
namespace {

struct Upper {
  int vertex;
  int half_edge;
  bool operator<(const Upper& other) const {
    return vertex != other.vertex ? vertex < other.vertex : half_edge < other.half_edge;
  }
};

// All half-edges, in one row per lower vertex.
Csr ByLowerVertex(const Triangles& triangles, int vertex_count) {
  return BuildCsr(vertex_count, [&](const auto& put) {
    for (int t = 0; t < triangles.rows(); ++t) {
      if (IsCollapsed(triangles, t)) continue;
      for (int h = 3 * t; h < 3 * t + 3; ++h) put(std::min(Tail(triangles, h), Head(triangles, h)), h);
    }
  });
}

}  // namespace

bool IsCollapsed(const Triangles& triangles, int t) {
  const int a = triangles(t, 0), b = triangles(t, 1), c = triangles(t, 2);
  return a == b || b == c || c == a;
}

EdgeTable BuildEdges(const Triangles& triangles, int vertex_count) {
  const Csr rows = ByLowerVertex(triangles, vertex_count);
  EdgeTable edges;
  edges.edge_of.assign(3 * triangles.rows(), -1);
  edges.vertices.reserve(rows.items.size() / 2 + 1);
  edges.half_edges.items.reserve(rows.items.size());
  std::vector<Upper> row;
  for (int lower = 0; lower < vertex_count; ++lower) {
    row.clear();
    for (const int h : rows[lower]) row.push_back({std::max(Tail(triangles, h), Head(triangles, h)), h});
    std::sort(row.begin(), row.end());
    for (size_t i = 0; i < row.size(); ++i) {
      if (i == 0 || row[i].vertex != row[i - 1].vertex) {
        edges.vertices.push_back({lower, row[i].vertex});
        edges.half_edges.offsets.push_back(static_cast<int>(edges.half_edges.items.size()));
      }
      edges.edge_of[row[i].half_edge] = edges.edge_count() - 1;
      edges.half_edges.items.push_back(row[i].half_edge);
    }
  }
  edges.half_edges.offsets.push_back(static_cast<int>(edges.half_edges.items.size()));
  return edges;
}

}  // namespace sinew
