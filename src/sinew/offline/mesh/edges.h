// The edges of a triangle mesh and which triangles meet at them.
//
// A half-edge is one triangle's side of an edge, numbered 3 * triangle + k: from the triangle's corner k to its corner
// (k + 1) % 3.
#ifndef SINEW_OFFLINE_MESH_EDGES_H_
#define SINEW_OFFLINE_MESH_EDGES_H_

#include <array>
#include <vector>

#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

struct EdgeTable {
  std::vector<std::array<int, 2>> vertices;  // lower vertex first; sorted
  Csr half_edges;                            // one row per edge, increasing
  std::vector<int> edge_of;                  // one per half-edge; -1 in triangles with equal corners

  int edge_count() const { return static_cast<int>(vertices.size()); }
};

// True if two corners are the same vertex. Such a triangle has no area and takes no part in the edge table.
bool IsCollapsed(const Triangles& triangles, int t);

EdgeTable BuildEdges(const Triangles& triangles, int vertex_count);

// Vertex at which a half-edge starts.
inline int Tail(const Triangles& triangles, int half_edge) { return triangles(half_edge / 3, half_edge % 3); }
// Vertex at which it ends.
inline int Head(const Triangles& triangles, int half_edge) { return triangles(half_edge / 3, (half_edge + 1) % 3); }
// Half-edge that follows it around its triangle.
inline int NextAround(int half_edge) { return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1; }
// Third corner of its triangle. (half_edge % 3 + 1) % 3 is (half_edge + 1) % 3, since 3 divides 3 * triangle.
inline int Opposite(const Triangles& triangles, int half_edge) { return triangles(half_edge / 3, (half_edge + 2) % 3); }

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_EDGES_H_
