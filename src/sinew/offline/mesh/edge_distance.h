// Distances along the edges of a mesh.
#ifndef SINEW_OFFLINE_MESH_EDGE_DISTANCE_H_
#define SINEW_OFFLINE_MESH_EDGE_DISTANCE_H_

#include <vector>

#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

// Lowers distances to the shortest ways along edges by Dijkstra's algorithm. distances: in and out, one per point;
// those that are finite are where ways begin, the others are infinite and stay so if no way leads there. neighbours:
// one row per point. Real: float or double.
template <typename Real>
void WalkEdges(const Points& positions, const Csr& neighbours, std::vector<Real>& distances);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_EDGE_DISTANCE_H_
