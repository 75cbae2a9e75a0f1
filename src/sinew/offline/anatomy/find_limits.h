// Where joint limits come from, in this order: the character's file, known joint names, the file's own animations
// widened, a cautious default cone. Each limit records which it was. Those by name are widened, where the file's own
// animations go further than a degree beyond them, to hold what these do. Both by Enclose() of limits.h.
#ifndef SINEW_OFFLINE_ANATOMY_FIND_LIMITS_H_
#define SINEW_OFFLINE_ANATOMY_FIND_LIMITS_H_

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/character/character.h"

namespace sinew {

// All four sources. The file's are in extras.sinew.limits (docs/formats/limits.md); where they are wrong, InputError
// that names `file`.
JointLimits FindLimits(const Character& character, const std::string& file);

// Names, animations, default.
JointLimits FindLimits(const Skeleton& skeleton, const std::vector<Animation>& animations);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_FIND_LIMITS_H_
