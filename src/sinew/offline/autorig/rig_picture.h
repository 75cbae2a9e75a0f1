// Picture of a rig: the skeleton in a transparent body, and the body in four poses.
#ifndef SINEW_OFFLINE_AUTORIG_RIG_PICTURE_H_
#define SINEW_OFFLINE_AUTORIG_RIG_PICTURE_H_

#include <string>

#include "sinew/offline/character/character.h"
#include "sinew/offline/core/file.h"

namespace sinew::autorig {

// Returns a PNG. character: rigged, its joints known by name. turn: that of its BodyFrame, which the picture stands it
// up by. file: for messages.
Bytes DrawRig(const Character& character, const Eigen::Matrix3d& turn, const std::string& file);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_RIG_PICTURE_H_
