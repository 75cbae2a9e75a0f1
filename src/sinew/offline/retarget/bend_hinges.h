// Elbows and knees that bend as hinges. A motion from another rig says where upper arm and forearm point, but its own
// joints' frames say how the upper arm is turned about itself; laid on this body, an elbow may bend sideways. Which way
// an elbow bends is how the upper arm is turned: here that turn is chosen so that the joint bends inside its limit, and
// all bones keep their directions.
#ifndef SINEW_OFFLINE_RETARGET_BEND_HINGES_H_
#define SINEW_OFFLINE_RETARGET_BEND_HINGES_H_

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/limits.h"

namespace sinew::retarget {

// Turns upper arms and thighs about their own bones, forearms and shins back by as much. A turn leaves no joint's twist
// further outside its limit than it was, fades out where the joint is nearly straight, so that noise there decides
// nothing, and where it would be more than a third of a circle. Continuous in the pose. Joints are known by name.
Pose BendHinges(const Articulation& articulation, const JointLimits& limits, const Pose& pose);

}  // namespace sinew::retarget

#endif  // SINEW_OFFLINE_RETARGET_BEND_HINGES_H_
