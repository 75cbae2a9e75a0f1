// Signed distances of a rigid collider on a grid, as docs/formats/distance-grid.md has them.
#ifndef SINEW_OFFLINE_ELASTICITY_COLLIDER_GRID_H_
#define SINEW_OFFLINE_ELASTICITY_COLLIDER_GRID_H_

#include "sinew/offline/elasticity/rigid_collider.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::elasticity {

// Samples the signed distance of a closed mesh. spacing: between samples, above 0, in the mesh's unit. margin: how far
// the grid reaches beyond the mesh on all sides, at least 0. Throws UsageError for other numbers and for a grid of over
// 2^27 samples, Error (kInput) for a mesh without triangles.
DistanceGrid MakeDistanceGrid(const TriMesh& mesh, double spacing, double margin);

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_COLLIDER_GRID_H_
