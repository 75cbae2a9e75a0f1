// Joint limits of a character, from the first source that has one for a joint: the character's file, known joint names,
// the range of the file's own animations made wider, a cautious default cone. Each limit records its source (origin).
//
// Limits by name are widened to contain the file's own animations where these go further than a degree beyond them.
// Both uses of animations call Enclose() of limits.h.
#ifndef SINEW_OFFLINE_ANATOMY_FIND_LIMITS_H_
#define SINEW_OFFLINE_ANATOMY_FIND_LIMITS_H_

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/character/character.h"

namespace sinew {

// Finds limits from all four sources. The file's own are in extras.sinew.limits (docs/formats/limits.md); throws
// InputError that names `file` if these are invalid.
JointLimits FindLimits(const Character& character, const std::string& file);

// The same, of all animations only what is in these motions.
JointLimits FindLimits(const Character& character, const std::string& file, const std::vector<Motion>& motions);

// Finds limits from names, animations and the default cone only.
JointLimits FindLimits(const Skeleton& skeleton, const std::vector<Animation>& animations);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_FIND_LIMITS_H_
