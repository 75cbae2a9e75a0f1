// The mesh of one figure carried to another shape of it: same connectivity, triangles as good as they were.
#ifndef SINEW_OFFLINE_EMBEDDED_CARRY_H_
#define SINEW_OFFLINE_EMBEDDED_CARRY_H_

#include "sinew/offline/embedded/implicit.h"
#include "sinew/offline/mesh/extract_surface.h"

namespace sinew::embedded {

// One side of a carrying: a shape's surface, and the box whose faces the mesh's boundary lies on.
struct CarryEnd {
  const Implicit& surface;
  Eigen::AlignedBox3d domain;
};

// mesh: on from.surface. Every vertex goes where its solids go, then onto the new surface, then vertices are moved
// along it until sizes are spread as they were. `folded`: how many more
// triangles than before do not face the way the surface does; none if all is well.
FineMesh CarryMesh(const CarryEnd& from, const FineMesh& mesh, const CarryEnd& to, int& folded);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_CARRY_H_
