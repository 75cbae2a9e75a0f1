// Choice of the vertices to frame in a close picture of a joint.
#ifndef SINEW_OFFLINE_RENDER_FOCUS_H_
#define SINEW_OFFLINE_RENDER_FOCUS_H_

#include <string>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::render {

// Returns the joint that a user names (FindNamedJoint()). Throws UsageError, with the nearest names, if there is none,
// and if it has no surroundings.
int FocusJoint(const Character& character, const std::string& name);

// Returns for each vertex, parts in order, whether it is around the joint: of an elbow most of the upper arm and of the
// forearm, of a wrist the hand, of a head all of it. Around a joint is what its parent in the body and all that hangs
// from that carry, as far from the joint at rest as nine tenths of the longer of the two bones that meet in it, and
// as far as the limb there is thick (trunks are thicker than their bones are long). What hangs from a joint is seen
// whole if it reaches no farther than the bone before it, and at the end of a chain. Empty if that is nothing.
std::vector<bool> Surroundings(const Character& character, int joint);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_FOCUS_H_
