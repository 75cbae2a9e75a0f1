// Body made from another one, with the way back: what is known of the source can be carried over.
#ifndef SINEW_OFFLINE_BODIES_MADE_BODY_H_
#define SINEW_OFFLINE_BODIES_MADE_BODY_H_

#include <string>

#include "sinew/offline/character/character.h"
#include "sinew/offline/mesh/surface_map.h"

namespace sinew::bodies {

struct MadeBody {
  Character character;
  // One entry per vertex of the character, all parts in order: its place on SourceSurface() of the source.
  SurfaceMap map;
};

// Returns the surface that maps lead to: one row per vertex of the character, all parts in order, in model space and
// the bind pose. At seams, where a file has several vertices at one place, triangles use the first of them.
// file: for messages. Throws InputError for positions that are not finite, or if there is no triangle.
TriMesh SourceSurface(const Character& source, const std::string& file);

}  // namespace sinew::bodies

#endif  // SINEW_OFFLINE_BODIES_MADE_BODY_H_
