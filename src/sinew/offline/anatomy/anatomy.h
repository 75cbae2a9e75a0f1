// Anatomical joint limits, looked up by what a joint's name says it is. docs/formats/limits.md has the table of ranges
// with their sources.
#ifndef SINEW_OFFLINE_ANATOMY_ANATOMY_H_
#define SINEW_OFFLINE_ANATOMY_ANATOMY_H_

#include <optional>

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/anatomy/rest_body.h"

namespace sinew {

// Source of ranges: the table of published ranges alone, or that table widened to the turns of recorded motions
// (human_motion.h).
enum class RangeSource { kTable, kTableAndMotion };

// Returns the limit of joint `joint` by its name, or nothing if the name says nothing about a range. The limit is
// expressed in the joint's own frame, whatever its orientation, and measured from an anatomical neutral (straight
// knees, elbows and fingers; arms out, a little down and forward). It always contains the rest pose.
std::optional<JointLimit> AnatomicalLimit(const RestBody& body, int joint,
                                          RangeSource source = RangeSource::kTableAndMotion);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_ANATOMY_H_
