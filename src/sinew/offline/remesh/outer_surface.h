// One closed surface around any triangles: what is seen of a character from outside, without the layers, eyes, teeth
// and crossing parts below it.
//
// The triangles are thickened by half a gap, so that holes and gaps close; what encloses the result is moved back by as
// much (a morphological closing). Sheets without an inside, as capes and hair, vanish.
#ifndef SINEW_OFFLINE_REMESH_OUTER_SURFACE_H_
#define SINEW_OFFLINE_REMESH_OUTER_SURFACE_H_

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

// gap, spacing: widest gap that closes, and the distance of the grid's points, as shares of the diagonal of the
// bounding box.
struct OuterOptions {
  double gap = 0.01;
  double spacing = 0.005;
};

// Returns closed surfaces that face outwards, none inside another. Empty if the triangles enclose nothing, or have no
// extent.
TriMesh OuterSurface(const TriMesh& mesh, const OuterOptions& options = {});

}  // namespace sinew

#endif  // SINEW_OFFLINE_REMESH_OUTER_SURFACE_H_
