// One line per subcommand, in the order that --help lists them.
#ifndef SINEW_TOOLS_SINEW_SUBCOMMANDS_H_
#define SINEW_TOOLS_SINEW_SUBCOMMANDS_H_

#include "tools/sinew/command.h"

namespace sinew::cli {

void AddBuildCommand(Commands& commands);
void AddInspectCommand(Commands& commands);
void AddConvertCommand(Commands& commands);
void AddCharacterCommand(Commands& commands);
void AddBodyCommand(Commands& commands);
void AddLimitsCommand(Commands& commands);
void AddPosesCommand(Commands& commands);
void AddRigCommand(Commands& commands);
void AddSkinCommand(Commands& commands);
void AddLodCommand(Commands& commands);
void AddSimulateCommand(Commands& commands);
void AddTeachCommand(Commands& commands);
void AddDatasetCommand(Commands& commands);
void AddCorpusCommand(Commands& commands);
void AddContactCommand(Commands& commands);
void AddDynamicsCommand(Commands& commands);
void AddTrainCommand(Commands& commands);
void AddLearnCommand(Commands& commands);
void AddLearnAblateCommand(Commands& commands);
void AddLearnRigCommands(Commands& commands);
void AddEvaluateCommand(Commands& commands);
void AddFrontsCommand(Commands& commands);
void AddBakeCommand(Commands& commands);
void AddDeformCommand(Commands& commands);
void AddBenchCommand(Commands& commands);
void AddExportCommand(Commands& commands);
void AddSkinMeshCommand(Commands& commands);
void AddRenderCommand(Commands& commands);
void AddCompareCommand(Commands& commands);
void AddViewCommand(Commands& commands);

inline void AddAllCommands(Commands& commands) {
  AddBuildCommand(commands);
  AddInspectCommand(commands);
  AddConvertCommand(commands);
  AddCharacterCommand(commands);
  AddBodyCommand(commands);
  AddLimitsCommand(commands);
  AddPosesCommand(commands);
  AddRigCommand(commands);
  AddSkinCommand(commands);
  AddLodCommand(commands);
  AddSimulateCommand(commands);
  AddTeachCommand(commands);
  AddDatasetCommand(commands);
  AddCorpusCommand(commands);
  AddContactCommand(commands);
  AddDynamicsCommand(commands);
  AddTrainCommand(commands);
  AddLearnCommand(commands);
  AddLearnAblateCommand(commands);
  AddLearnRigCommands(commands);
  AddEvaluateCommand(commands);
  AddFrontsCommand(commands);
  AddBakeCommand(commands);
  AddDeformCommand(commands);
  AddBenchCommand(commands);
  AddExportCommand(commands);
  AddSkinMeshCommand(commands);
  AddRenderCommand(commands);
  AddCompareCommand(commands);
  AddViewCommand(commands);
}

}  // namespace sinew::cli

#endif  // SINEW_TOOLS_SINEW_SUBCOMMANDS_H_
