// A character as a hierarchy of one level, for what measures levels.
#ifndef SINEW_OFFLINE_LOD_SINGLE_LEVEL_H_
#define SINEW_OFFLINE_LOD_SINGLE_LEVEL_H_

#include <string>

#include "sinew/offline/lod/hierarchy.h"

namespace sinew::lod {

// Returns a hierarchy whose only level is the character itself. It has no level 0 and no operators (U is empty). file:
// name of the character in errors. Throws InputError for positions that are not finite, and if there is no triangle.
Hierarchy SingleLevel(const Character& character, const std::string& file);

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_SINGLE_LEVEL_H_
