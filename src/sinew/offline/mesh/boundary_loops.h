// Boundary edges strung together.
#ifndef SINEW_OFFLINE_MESH_BOUNDARY_LOOPS_H_
#define SINEW_OFFLINE_MESH_BOUNDARY_LOOPS_H_

#include <span>
#include <vector>

#include "sinew/offline/mesh/topology.h"

namespace sinew {

// boundary_edges: indices into edges. Walks that cannot close come first, then loops, each from its lowest edge. Where
// several loops touch at a vertex the walk leaves by the lowest edge that is free, and splits off a loop whenever it
// comes back to a vertex it has visited: no loop passes a vertex twice.
std::vector<BoundaryLoop> StringBoundary(const EdgeTable& edges, std::span<const int> boundary_edges);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_BOUNDARY_LOOPS_H_
