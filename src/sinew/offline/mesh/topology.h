// Analyses the kind of surface that a triangle mesh is: its islands, holes, handles, and everything that makes it less
// than a manifold. Only the connectivity counts here, so weld first (weld.h): a seam would look like a boundary.
#ifndef SINEW_OFFLINE_MESH_TOPOLOGY_H_
#define SINEW_OFFLINE_MESH_TOPOLOGY_H_

#include <optional>
#include <vector>

#include "sinew/offline/mesh/edges.h"

namespace sinew {

// A walk along boundary edges. Around a hole of a manifold it is closed; it can end (at a non-manifold edge) only where
// the mesh is broken. No edge is in two walks.
struct BoundaryLoop {
  std::vector<int> vertices;  // in order; the first is not repeated at the end
  bool closed = true;
};

// Triangles that are connected through shared vertices.
struct Island {
  int triangles = 0;
  int vertices = 0;
  int edges = 0;
  int boundary_edges = 0;      // with one triangle
  int boundary_loops = 0;      // closed ones
  int non_manifold_edges = 0;  // with more than two triangles
  bool manifold = true;        // no non-manifold edge or vertex
  bool orientable = true;      // false: a Moebius strip, whichever way the triangles are turned
  bool oriented = true;        // neighbours run through their common edge in opposite directions

  int euler_characteristic() const { return vertices - edges + triangles; }
  // Number of handles: 0 for a sphere, a disk, a tube. Only for orientable manifolds.
  std::optional<int> genus() const;
  // Encloses a volume: every edge has two triangles that run through it in opposite directions.
  bool watertight() const { return boundary_edges == 0 && non_manifold_edges == 0 && oriented; }
};

struct Topology {
  EdgeTable edges;
  std::vector<int> island_of;   // one per triangle; -1 for collapsed ones
  std::vector<Island> islands;  // in order of their lowest triangle
  std::vector<BoundaryLoop> boundary;
  // Edges, by index into `edges`, increasing.
  std::vector<int> boundary_edges;      // one triangle
  std::vector<int> non_manifold_edges;  // more than two triangles
  std::vector<int> flipped_edges;       // two triangles that run through it in the same direction
  // Vertices, increasing.
  std::vector<int> unused_vertices;        // no triangle; collapsed ones do not count
  std::vector<int> non_manifold_vertices;  // more than one fan of triangles: two cones that touch at their tips
  // Triangles, increasing.
  std::vector<int> collapsed_triangles;  // two equal corners; they are in nothing else here
  std::vector<int> duplicate_triangles;  // the same three vertices as an earlier triangle, in any order

  int euler_characteristic() const;
  // At least one island, and all of them enclose a volume.
  bool watertight() const;
};

// triangles: every index in [0, vertex_count).
Topology AnalyzeTopology(const Triangles& triangles, int vertex_count);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_TOPOLOGY_H_
