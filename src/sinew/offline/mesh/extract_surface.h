// Extracts the zero surface of an implicit function as triangles, by marching tetrahedra on a regular grid (cubes cut
// into six tetrahedra along one diagonal): always manifold, whatever the function does. Only cubes near the surface are
// visited.
#ifndef SINEW_OFFLINE_MESH_EXTRACT_SURFACE_H_
#define SINEW_OFFLINE_MESH_EXTRACT_SURFACE_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <limits>
#include <vector>

#include "sinew/offline/mesh/implicit_surface.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

inline Eigen::AlignedBox3d Everywhere() {
  const double infinity = std::numeric_limits<double>::infinity();
  return {Eigen::Vector3d::Constant(-infinity), Eigen::Vector3d::Constant(infinity)};
}

// A surface in full precision, as extraction and remeshing pass it on.
struct FineMesh {
  std::vector<Eigen::Vector3d> positions;
  std::vector<Eigen::Vector3i> triangles;  // counter-clockwise seen from outside
};

TriMesh ToTriMesh(const FineMesh& mesh);

// Returns both halves of a symmetric mesh, given the one with x >= 0; they share its vertices at x = 0. The vertices of
// the half come first, in their order; then the mirror images of those with x > 0, in the same order.
FineMesh Mirror(const FineMesh& half);

// Extracts the surface inside `domain`. Where the surface leaves the domain it is open, with boundary vertices exactly
// on the domain's faces. spacing: of the grid; parts and gaps narrower than it may be missed. The triangles are badly
// shaped: see remesh.h.
FineMesh ExtractSurface(const ImplicitSurface& surface, double spacing,
                        const Eigen::AlignedBox3d& domain = Everywhere());

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_EXTRACT_SURFACE_H_
