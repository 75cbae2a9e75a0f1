// Strings boundary edges together to loops.
#ifndef SINEW_OFFLINE_MESH_BOUNDARY_LOOPS_H_
#define SINEW_OFFLINE_MESH_BOUNDARY_LOOPS_H_

#include <span>
#include <vector>

#include "sinew/offline/mesh/topology.h"

namespace sinew {

// Returns walks along the boundary: first those that cannot close, then loops, each from its lowest edge. Where several
// loops touch at a vertex, the walk leaves by the lowest edge that is free, and splits off a loop whenever it comes
// back to a vertex that it has visited: no loop passes a vertex twice. boundary_edges: indices into edges.
std::vector<BoundaryLoop> StringBoundary(const EdgeTable& edges, std::span<const int> boundary_edges);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_BOUNDARY_LOOPS_H_
