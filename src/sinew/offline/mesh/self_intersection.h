// Finds where a surface passes through itself.
#ifndef SINEW_OFFLINE_MESH_SELF_INTERSECTION_H_
#define SINEW_OFFLINE_MESH_SELF_INTERSECTION_H_

#include <array>
#include <limits>
#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

// Returns whether triangles s and t of the mesh meet in more than the vertices and edges that they share. Exact.
// Touching counts: a vertex that lies on a foreign triangle is an intersection. Triangles without area meet nothing.
bool TrianglesIntersect(const TriMesh& mesh, int s, int t);

// Two triangles by their index, the lower one first.
using TrianglePairs = std::vector<std::array<int, 2>>;

// Returns all pairs of triangles that intersect so, sorted; of more than max_pairs (at least 1) the first, without
// looking for the others, in memory for a small multiple of max_pairs. Without max_pairs the memory is that of all
// pairs, which may be as many as the square of the triangles. Weld first (weld.h): along an open seam every pair of
// neighbours would touch.
TrianglePairs SelfIntersections(const TriMesh& welded, int max_pairs = std::numeric_limits<int>::max());

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_SELF_INTERSECTION_H_
