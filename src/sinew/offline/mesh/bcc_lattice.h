// Tetrahedra around any surface, without a mesher that could fail: the tetrahedra of a body-centred cubic lattice that
// touch the surface or lie inside it. They do not conform to the surface; it is embedded in them (embedding.h).
#ifndef SINEW_OFFLINE_MESH_BCC_LATTICE_H_
#define SINEW_OFFLINE_MESH_BCC_LATTICE_H_

#include "sinew/offline/mesh/tet_mesh.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

// Covers every triangle and vertex of the surface, and its inside by the generalized winding number, so holes,
// non-manifold edges and crossing parts do no harm. An open sheet is covered by one layer.
//
// cell_size: the edge of the lattice's cubes, in the surface's unit. A cube has the volume of 12 tetrahedra, all of one
// shape: two edges of one cell size and four of sqrt(3)/2. The lattice is centred on the surface's bounding box, so a
// symmetric body gets symmetric tetrahedra.
//
// Throws UsageError for a cell size that is not positive, or so small that the box would hold more than 2^27 cubes, and
// for positions that are not finite. An empty surface gives an empty mesh.
TetMesh CoverByLattice(const TriMesh& surface, double cell_size);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_BCC_LATTICE_H_
