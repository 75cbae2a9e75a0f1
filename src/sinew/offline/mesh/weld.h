// Welding: which vertices are one point of the surface. Files split vertices at UV seams and hard edges; everything
// that asks about the surface itself (topology, distances, elasticity) works on welded vertices.
#ifndef SINEW_OFFLINE_MESH_WELD_H_
#define SINEW_OFFLINE_MESH_WELD_H_

#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

struct Welding {
  std::vector<int> welded_of;  // one per vertex: its welded vertex
  std::vector<int> first_of;   // one per welded vertex: the lowest vertex that became it; increasing

  int welded_count() const { return static_cast<int>(first_of.size()); }
};

// Welds equal positions (0 and -0 are equal). Welded vertices are numbered in order of first appearance.
Welding WeldEqual(const Points& positions);

// Each vertex, in order, joins the lowest earlier welded vertex whose position is at most `tolerance` away (the unit of
// the positions), or starts a new one. Nothing moves further than the tolerance: chains of close vertices do not
// collapse into one. A tolerance of 0 or less is WeldEqual.
Welding WeldWithin(const Points& positions, float tolerance);

// The triangles on welded vertices, in their order; some may now have equal corners.
Triangles Weld(const Triangles& triangles, const Welding& welding);
// Returns the mesh on welded vertices: the positions of first_of, and the triangles as above.
TriMesh Weld(const TriMesh& mesh, const Welding& welding);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_WELD_H_
