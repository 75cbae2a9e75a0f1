#include "sinew/offline/mesh/adjacency.h"

#include <algorithm>

namespace sinew {

Csr VertexTriangles(const Triangles& triangles, int vertex_count) {
  return BuildCsr(vertex_count, [&](const auto& put) {
    for (int t = 0; t < triangles.rows(); ++t) {
      const int a = triangles(t, 0), b = triangles(t, 1), c = triangles(t, 2);
      put(a, t);
      if (b != a) put(b, t);
      if (c != a && c != b) put(c, t);
    }
  });
}

Csr VertexVertices(const EdgeTable& edges, int vertex_count) {
  // Lower ends first: those are the smaller neighbours, so that every row comes out sorted.
  return BuildCsr(vertex_count, [&](const auto& put) {
    for (const auto& [lower, upper] : edges.vertices) put(upper, lower);
    for (const auto& [lower, upper] : edges.vertices) put(lower, upper);
  });
}

Csr TriangleTriangles(const EdgeTable& edges) {
  const int triangle_count = static_cast<int>(edges.edge_of.size() / 3);
  Csr csr;
  csr.offsets.push_back(0);
  std::vector<int> row;
  for (int t = 0; t < triangle_count; ++t) {
    row.clear();
    for (int h = 3 * t; h < 3 * t + 3 && edges.edge_of[h] >= 0; ++h) {
      for (const int other : edges.half_edges[edges.edge_of[h]]) {
        if (other / 3 != t) row.push_back(other / 3);
      }
    }
    std::sort(row.begin(), row.end());
    csr.items.insert(csr.items.end(), row.begin(), std::unique(row.begin(), row.end()));
    csr.offsets.push_back(static_cast<int>(csr.items.size()));
  }
  return csr;
}

}  // namespace sinew
