// How the embedded quadruped moves.
#ifndef SINEW_OFFLINE_EMBEDDED_QUADRUPED_MOTION_H_
#define SINEW_OFFLINE_EMBEDDED_QUADRUPED_MOTION_H_

#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

JointLimits QuadrupedLimits(const Figure& figure);
// "walk": in place, a second long, the paws planted flat while they bear weight.
std::vector<Animation> QuadrupedAnimations(const Figure& figure);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_QUADRUPED_MOTION_H_
