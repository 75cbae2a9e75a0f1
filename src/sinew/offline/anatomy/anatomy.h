// How far the joints of bodies turn, by what they are called. docs/formats/limits.md has the ranges with their sources.
#ifndef SINEW_OFFLINE_ANATOMY_ANATOMY_H_
#define SINEW_OFFLINE_ANATOMY_ANATOMY_H_

#include <optional>

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/anatomy/rest_body.h"

namespace sinew {

// The limit of a joint of known name, in its own frame whatever that is, measured from anatomical neutral (straight
// knees, elbows and fingers; arms out, a little down and forward) and never leaving out the rest pose. None if the name
// says nothing about a range.
std::optional<JointLimit> AnatomicalLimit(const RestBody& body, int joint);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_ANATOMY_H_
