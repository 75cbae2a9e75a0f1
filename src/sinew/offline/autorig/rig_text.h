// A rig in words and as JSON: how the body stands, where its joints are, and what speaks for and against it.
#ifndef SINEW_OFFLINE_AUTORIG_RIG_TEXT_H_
#define SINEW_OFFLINE_AUTORIG_RIG_TEXT_H_

#include <string>

#include "sinew/offline/autorig/rig_character.h"
#include "sinew/offline/core/json.h"

namespace sinew::autorig {

// Returns {"joints": {name: {"position", "spread"}}, "frame": {"left", "up", "front", "height"}, "verdicts": [...],
// "islands": [...]}; positions are in the file's space.
Json JsonOf(const Rig& rig);
// Returns the axis of the file that a direction is along, or along about: "+y", "about -z".
std::string AxisText(const Eigen::RowVector3d& direction);
// Returns lines for the command line, each indented by two blanks.
std::string TextOf(const Rig& rig);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_RIG_TEXT_H_
