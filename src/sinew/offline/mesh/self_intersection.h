// Finds where a surface passes through itself.
#ifndef SINEW_OFFLINE_MESH_SELF_INTERSECTION_H_
#define SINEW_OFFLINE_MESH_SELF_INTERSECTION_H_

#include <array>
#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

// Returns whether triangles s and t of the mesh meet in more than the vertices and edges that they share. Exact.
// Touching counts: a vertex that lies on a foreign triangle is an intersection. Triangles without area meet nothing.
bool TrianglesIntersect(const TriMesh& mesh, int s, int t);

// Returns all pairs of triangles that intersect so (lower triangle first, sorted). Weld first (weld.h): along an open
// seam every pair of neighbours would touch.
std::vector<std::array<int, 2>> SelfIntersections(const TriMesh& welded);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_SELF_INTERSECTION_H_
