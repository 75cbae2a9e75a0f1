// Whether a file seems to hold several bodies.
#ifndef SINEW_OFFLINE_AUTORIG_SEPARATE_BODIES_H_
#define SINEW_OFFLINE_AUTORIG_SEPARATE_BODIES_H_

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::autorig {

// Returns the number of groups of islands that have at least a third of the largest one's area, where islands whose
// bounding boxes touch are one group. Small islands, such as eyes and buttons, do not count. 0 for a surface without
// area.
int CountSeparateBodies(const TriMesh& surface);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_SEPARATE_BODIES_H_
