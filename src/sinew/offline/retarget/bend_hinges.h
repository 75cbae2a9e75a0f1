// Correction of retargeted poses so that elbows and knees bend as hinges. A motion from another rig determines where
// upper arm and forearm point, but how the upper arm is twisted about its bone comes from that rig's joint frames; on
// this body an elbow may then bend sideways. The twist of the upper arm decides which way the elbow bends: here it is
// chosen such that the joint bends inside its limit, while all bones keep their directions.
//
// Recorded arms are often twisted far one way at the shoulder and back again at the wrist, which no skin survives.
// Twists beyond a limit are passed along the arm to where there is room, while hands keep their orientation.
#ifndef SINEW_OFFLINE_RETARGET_BEND_HINGES_H_
#define SINEW_OFFLINE_RETARGET_BEND_HINGES_H_

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/limits.h"

namespace sinew::retarget {

// Returns the pose with upper arms and thighs rotated about their own bones, and forearms and shins rotated back by as
// much. Joints are identified by name; limits: one per joint. The rotation leaves no joint's twist further outside its
// limit than it was. It fades out where the elbow or knee is nearly straight, so that noise does not decide it, and
// where it would exceed a third of a circle. Then twists beyond the limits are passed along the arms: from the upper
// arm to an elbow that is nearly straight, and between elbow and wrist. Continuous in the pose.
Pose BendHinges(const Articulation& articulation, const JointLimits& limits, const Pose& pose);

}  // namespace sinew::retarget

#endif  // SINEW_OFFLINE_RETARGET_BEND_HINGES_H_
