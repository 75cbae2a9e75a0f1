// Reading and writing joint limits as JSON, in a file of their own or in a GLB's scene extras under sinew.limits:
// docs/formats/limits.md.
#ifndef SINEW_OFFLINE_ANATOMY_LIMITS_FILE_H_
#define SINEW_OFFLINE_ANATOMY_LIMITS_FILE_H_

#include <string>
#include <string_view>

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/character/character.h"
#include "sinew/offline/core/json.h"

namespace sinew {

// Returns the limits of all joints as JSON, angles in degrees. limits: one per joint of the skeleton.
Json LimitsToJson(const Skeleton& skeleton, const JointLimits& limits);

// Replaces the limits of the joints that `json` names. Fields that it leaves out keep their value, except that `origin`
// becomes kFile, `free` false, `known_as` empty, and, if `bone` is given, `neutral` the identity. Throws InputError
// that names `file` if the JSON has another format or version, and also the joint if a limit is invalid. Warns once if
// some of the joints are not in the skeleton; if none of them is, throws InputError.
void ApplyLimits(const Json& json, const std::string& file, const Skeleton& skeleton, JointLimits& limits);

// Parses `text`, the content of a limits file, and calls ApplyLimits(). Any text is safe to pass (fuzzing calls this):
// throws InputError if it is not JSON.
void ApplyLimitsText(std::string_view text, const std::string& file, const Skeleton& skeleton, JointLimits& limits);

// Applies one edit JOINT.FIELD=VALUE as given on the command line: "left_knee.bend=0,120", "left_knee.free=true".
// Angles in degrees. The joint's other fields stay as they are, but its origin becomes kFile. Throws UsageError if the
// edit, the joint or the value is invalid.
void EditLimit(const std::string& edit, const Skeleton& skeleton, JointLimits& limits);

// Returns the JSON of the limits in the character's scene extras, unchecked, or null if there is none.
const Json* LimitsInExtras(const Character& character);
// Writes limits (one per joint) into the character's scene extras.
void StoreLimitsInExtras(const JointLimits& limits, Character& character);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_LIMITS_FILE_H_
