// Joint limits and animations of the embedded quadruped.
#ifndef SINEW_OFFLINE_EMBEDDED_QUADRUPED_MOTION_H_
#define SINEW_OFFLINE_EMBEDDED_QUADRUPED_MOTION_H_

#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

// Returns one limit per joint; joints without a range of their own are free.
JointLimits QuadrupedLimits(const Figure& figure);
// Returns one animation, "walk": a walk in place of one second, with paws flat on the ground while they bear weight.
std::vector<Animation> QuadrupedAnimations(const Figure& figure);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_QUADRUPED_MOTION_H_
