// Isotropic remeshing of an implicit surface: nearly equilateral triangles of a size that varies slowly, with an exact
// number of vertices. After M. Botsch and L. Kobbelt, "A Remeshing Approach to Multiresolution Modeling", 2004: long
// edges are split, short ones collapsed, edges flipped towards valence 6, vertices moved tangentially to the centroid
// of their surroundings and back onto the surface; with sizes from size_field.h instead of one length, and projection
// by Newton's method on the implicit function instead of onto the input mesh.
#ifndef SINEW_OFFLINE_REMESH_REMESH_H_
#define SINEW_OFFLINE_REMESH_REMESH_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <vector>

#include "sinew/offline/mesh/extract_surface.h"
#include "sinew/offline/mesh/implicit_surface.h"
#include "sinew/offline/remesh/size_field.h"

namespace sinew {

struct RemeshOptions {
  int vertex_count = 0;
  // Boundary vertices lie on faces of this box and stay on them; the corner points where two faces meet stay put.
  Eigen::AlignedBox3d domain = Everywhere();
  // Whether the mesh is the half with x >= 0 of a symmetric one; vertex_count then counts the whole, after Mirror().
  bool half = false;
  SizeOptions size;
};

// Remeshes a surface. start: as ExtractSurface() gives it for the same domain. Throws FailedError if the number of
// vertices cannot be reached (too few to keep every part).
FineMesh Remesh(const ImplicitSurface& surface, const FineMesh& start, const RemeshOptions& options);

// Moves points onto the surface; those on a face of the domain stay on it. Three Newton steps at most.
void ProjectToSurface(const ImplicitSurface& surface, const Eigen::AlignedBox3d& domain,
                      std::vector<Eigen::Vector3d>& points);

// Moves the vertices of a mesh near the surface onto it and then along it, without changing the connectivity, until
// each lies among its neighbours as it does in `like`, a mesh of the same triangles with other positions. A mere copy
// of `like` at another size or place stays as it is. lengths: edge lengths in `like`, one per vertex; only their
// proportions matter. Vertices on faces of the domain stay on them. Returns the number of triangles that do not face
// the way the surface does in the end.
int RelaxOnSurface(const ImplicitSurface& surface, const Eigen::AlignedBox3d& domain, const FineMesh& like,
                   const std::vector<double>& lengths, int rounds, FineMesh& mesh);

// Returns the number of triangles of a mesh on the surface that do not face the way it does at their corners. On a mesh
// that is too coarse for its surface's details a few may be so without being folded over.
int CountTurned(const ImplicitSurface& surface, const FineMesh& mesh);

// Returns the faces of a box that a point lies on: bit 2 k for the low face of axis k, bit 2 k + 1 for the high one.
int DomainFaces(const Eigen::AlignedBox3d& domain, const Eigen::Vector3d& point);

}  // namespace sinew

#endif  // SINEW_OFFLINE_REMESH_REMESH_H_
