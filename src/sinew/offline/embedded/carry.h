// Transfers the mesh of a figure to another shape of the same kind, keeping connectivity and triangle quality.
#ifndef SINEW_OFFLINE_EMBEDDED_CARRY_H_
#define SINEW_OFFLINE_EMBEDDED_CARRY_H_

#include "sinew/offline/embedded/implicit.h"
#include "sinew/offline/mesh/extract_surface.h"

namespace sinew::embedded {

// Source or target shape of a transfer: its surface, and the box on whose faces the mesh's boundary lies.
struct CarryEnd {
  const Implicit& surface;
  Eigen::AlignedBox3d domain;
};

// Returns `mesh`, which lies on from.surface, transferred to to.surface. Every vertex first moves with the solids that
// own it, then onto the new surface; then the vertices slide along the surface until triangle sizes are distributed as
// they were before.
// folded: receives the number of triangles that face against the surface's normal, beyond those that did so in `mesh`;
// 0 if the transfer succeeded.
FineMesh CarryMesh(const CarryEnd& from, const FineMesh& mesh, const CarryEnd& to, int& folded);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_CARRY_H_
