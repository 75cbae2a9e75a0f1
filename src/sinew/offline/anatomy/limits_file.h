// Joint limits as JSON, in a file of their own or in a GLB's scene extras under sinew.limits: docs/formats/limits.md.
#ifndef SINEW_OFFLINE_ANATOMY_LIMITS_FILE_H_
#define SINEW_OFFLINE_ANATOMY_LIMITS_FILE_H_

#include <string>
#include <string_view>

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/character/character.h"
#include "sinew/offline/core/json.h"

namespace sinew {

Json LimitsToJson(const Skeleton& skeleton, const JointLimits& limits);

// Replaces the limits of the joints that `json` names; fields that it leaves out keep their value. Limits become of
// origin kFile, or of the origin that the file itself records. Throws InputError that names `file` and the joint.
// Joints that the skeleton lacks are warned of once, unless none is known, which is an error.
void ApplyLimits(const Json& json, const std::string& file, const Skeleton& skeleton, JointLimits& limits);

// The same from the text of a file; trusts nothing. For fuzzing too.
void ApplyLimitsText(std::string_view text, const std::string& file, const Skeleton& skeleton, JointLimits& limits);

// One edit as the command line takes it: "left_knee.bend=0,120", "left_knee.free=true". Angles in degrees. Throws
// UsageError.
void EditLimit(const std::string& edit, const Skeleton& skeleton, JointLimits& limits);

// Null if the character's file carries none.
const Json* LimitsInExtras(const Character& character);
void StoreLimitsInExtras(const JointLimits& limits, Character& character);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_LIMITS_FILE_H_
