// Correction of motions that were not made for a rig: those of other skeletons, and recordings on its own.
#ifndef SINEW_OFFLINE_RETARGET_CORRECT_MOTION_H_
#define SINEW_OFFLINE_RETARGET_CORRECT_MOTION_H_

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/character/clip.h"

namespace sinew::retarget {

// Makes elbows and knees of a motion bend as hinges (bend_hinges.h), and brings back joints that a recording lost
// (Articulation::BringBackLost()), if the motion was retargeted or is recorded, which it returns. A motion of the same
// skeleton is recorded, and not made for this rig, if it comes from a BVH file, which has no skin, and if in more than
// a tenth of its frames joints have to turn by more than ten degrees for elbows and knees to bend as hinges: markers
// place bones, and know nothing of a rig's axes. limits: one per joint. clip: of the skeleton of `articulation`.
bool CorrectMotion(const Articulation& articulation, const JointLimits& limits, bool retargeted, Clip& clip);

}  // namespace sinew::retarget

#endif  // SINEW_OFFLINE_RETARGET_CORRECT_MOTION_H_
