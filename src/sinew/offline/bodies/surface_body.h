// Turns a remeshed surface of a character back into a character.
#ifndef SINEW_OFFLINE_BODIES_SURFACE_BODY_H_
#define SINEW_OFFLINE_BODIES_SURFACE_BODY_H_

#include "sinew/offline/bodies/made_body.h"
#include "sinew/offline/lod/surface.h"
#include "sinew/offline/remesh/remesh_triangles.h"

namespace sinew::bodies {

// Returns the surface as it is, every point in place; points without a triangle are left out.
RemeshedTriangles Unchanged(const lod::Surface& source);

// Returns the character with the remeshed surface in place of its own; everything that vertices carry comes from the
// places that the map leads to. source: surface of the character. remeshed: of that, with parts as labels.
MadeBody ToBody(const Character& character, const lod::Surface& source, const RemeshedTriangles& remeshed);

}  // namespace sinew::bodies

#endif  // SINEW_OFFLINE_BODIES_SURFACE_BODY_H_
