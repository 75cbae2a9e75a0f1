// Carries what vertices show (UVs, colours) from a surface to a remeshed one, without smearing it across seams.
#ifndef SINEW_OFFLINE_BODIES_CARRY_WEDGES_H_
#define SINEW_OFFLINE_BODIES_CARRY_WEDGES_H_

#include "sinew/offline/lod/surface.h"
#include "sinew/offline/remesh/remesh_triangles.h"

namespace sinew::bodies {

// Returns the remeshed surface with wedges. Each triangle takes its attributes from one side of a seam: where a corner
// lies beyond it, those of the nearest place on that side. remeshed: of `source`, with parts as labels.
lod::Surface CarryWedges(const lod::Surface& source, const RemeshedTriangles& remeshed);

}  // namespace sinew::bodies

#endif  // SINEW_OFFLINE_BODIES_CARRY_WEDGES_H_
