// Tetrahedra that fill an implicit surface and conform to it: isosurface stuffing (F. Labelle, J. R. Shewchuk,
// "Isosurface Stuffing: Fast Tetrahedral Meshes with Good Dihedral Angles", 2007), with cells of one size.
//
// Tetrahedra of a body-centred cubic lattice that are inside are kept. Lattice nodes near the surface are moved onto
// it, and what is left of tetrahedra that it crosses is cut off there. Unlike in the paper, the diagonals of cut
// quadrilaterals go by the order of the nodes, which is simpler and gives a little smaller angles.
#ifndef SINEW_OFFLINE_MESH_FILL_SURFACE_H_
#define SINEW_OFFLINE_MESH_FILL_SURFACE_H_

#include "sinew/offline/mesh/implicit_surface.h"
#include "sinew/offline/mesh/tet_mesh.h"

namespace sinew {

// cell_size: edge of the lattice's cubes, in the surface's unit; parts and gaps narrower than it may be missed. The
// same inputs give the same bits whatever the number of threads. Throws UsageError for a cell size that is not positive
// or too small (MakeCubeGrid()), and FailedError if nothing is inside, or if what is inside falls apart into pieces
// that share no node.
TetMesh FillSurface(const ImplicitSurface& surface, double cell_size);

// Fills it with about `tets` tetrahedra, at least 100. Throws UsageError for fewer.
TetMesh FillWithTets(const ImplicitSurface& surface, int tets);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_FILL_SURFACE_H_
