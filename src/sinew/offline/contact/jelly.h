// The jelly of the paper's table 2: a block of tetrahedra that eighteen points and a frame move, by generalised
// biharmonic coordinates.
#ifndef SINEW_OFFLINE_CONTACT_JELLY_H_
#define SINEW_OFFLINE_CONTACT_JELLY_H_

#include "sinew/offline/contact/loaded_solid.h"

namespace sinew::contact {

// Points are at the corners, the middles of edges and of sides, and the middle of the block, half way up and on top;
// the frame holds the middle of the base, as a foot. The jelly is 1 m wide and deep and 0.6 m high. Throws UsageError
// for fewer than 500 tetrahedra.
LoadedSolid MakeJelly(const SolidOptions& options);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_JELLY_H_
