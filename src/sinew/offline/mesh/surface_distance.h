// How far two surfaces are apart.
#ifndef SINEW_OFFLINE_MESH_SURFACE_DISTANCE_H_
#define SINEW_OFFLINE_MESH_SURFACE_DISTANCE_H_

#include <cstdint>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

struct SurfaceDistance {
  double rms = 0, max = 0;  // in the unit of the positions
};

// From points spread evenly over the area of `from`, and from its vertices, to the nearest point of `to`. Neither may
// be without triangles. Same seed, same points.
SurfaceDistance OneSidedDistance(const TriMesh& from, const TriMesh& to, int samples, uint64_t seed = 1);

// Both ways, as many samples each: the mean of the squares, and the larger of the two largest.
SurfaceDistance TwoSidedDistance(const TriMesh& a, const TriMesh& b, int samples, uint64_t seed = 1);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_SURFACE_DISTANCE_H_
