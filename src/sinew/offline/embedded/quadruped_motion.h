// Joint limits and animations of the embedded quadruped.
#ifndef SINEW_OFFLINE_EMBEDDED_QUADRUPED_MOTION_H_
#define SINEW_OFFLINE_EMBEDDED_QUADRUPED_MOTION_H_

#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

// Returns one limit per joint of the figure; joints without a range of their own are free (JointLimit::free).
JointLimits QuadrupedLimits(const Figure& figure);
// Returns one animation, "walk": a loop of one second, walking on the spot, with paws flat on the ground while they
// bear weight. Rotations are clamped to QuadrupedLimits().
std::vector<Animation> QuadrupedAnimations(const Figure& figure);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_QUADRUPED_MOTION_H_
