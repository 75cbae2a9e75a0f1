// Blocks of tetrahedra, and the surface of a mesh of tetrahedra.
#ifndef SINEW_OFFLINE_MESH_TET_BLOCK_H_
#define SINEW_OFFLINE_MESH_TET_BLOCK_H_

#include "sinew/offline/mesh/tet_mesh.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

// Returns a box of cubes of edge h from the origin, filled by a body-centred cubic lattice whose tetrahedra are cut in
// halves at the sides: it conforms to the box, and looks the same from all directions. cubes: all at least 1.
TetMesh MakeTetBlock(const Eigen::Vector3i& cubes, double h);

// Returns the faces that belong to one tetrahedron alone, counter-clockwise seen from outside, by nodes of the mesh.
// The order depends on the mesh alone.
Triangles SurfaceOf(const TetMesh& mesh);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_TET_BLOCK_H_
