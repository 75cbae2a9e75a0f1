// The subcommands `learn refine-rig` and `learn refine-weights`, which put right what a rigging network finds.
#ifndef SINEW_TOOLS_SINEW_LEARN_RIG_REFINE_H_
#define SINEW_TOOLS_SINEW_LEARN_RIG_REFINE_H_

#include "tools/sinew/command.h"

namespace sinew::cli {

void AddLearnRigRefine(Commands& commands);

}  // namespace sinew::cli

#endif  // SINEW_TOOLS_SINEW_LEARN_RIG_REFINE_H_
