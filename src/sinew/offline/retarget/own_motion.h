// Motions of the same body in other joint frames, as a BVH file of it has them: nothing about the motion is guessed.
#ifndef SINEW_OFFLINE_RETARGET_OWN_MOTION_H_
#define SINEW_OFFLINE_RETARGET_OWN_MOTION_H_

#include <optional>
#include <vector>

#include "sinew/offline/character/clip.h"

namespace sinew::retarget {

// Returns the frames of a motion in the target's local frames if it is the target's own: the motion's skeleton has
// every joint of the target by name, below the same one, at the same place at rest, and beyond them only joints that
// carry no weight. Scale stays that of rest. Returns nothing for any other skeleton.
std::optional<std::vector<Pose>> OwnMotion(const Clip& clip, const Skeleton& target);

}  // namespace sinew::retarget

#endif  // SINEW_OFFLINE_RETARGET_OWN_MOTION_H_
