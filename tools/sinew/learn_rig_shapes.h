// The subcommand `learn rig-shapes`, one of those of rigging networks.
#ifndef SINEW_TOOLS_SINEW_LEARN_RIG_SHAPES_H_
#define SINEW_TOOLS_SINEW_LEARN_RIG_SHAPES_H_

#include "tools/sinew/command.h"

namespace sinew::cli {

void AddTrainRigShapes(Commands& commands);

}  // namespace sinew::cli

#endif  // SINEW_TOOLS_SINEW_LEARN_RIG_SHAPES_H_
