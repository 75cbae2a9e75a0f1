// Builds a real-time character from a mesh in one call, by running all stages in order. Manual: docs/build.md.
#ifndef SINEW_OFFLINE_PIPELINE_BUILD_H_
#define SINEW_OFFLINE_PIPELINE_BUILD_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/pipeline/chain.h"
#include "sinew/offline/pipeline/summary.h"

namespace sinew::pipeline {

struct BuildResult {
  std::vector<StageOutcome> stages;
  Summary summary;
};

// Returns which stages Build() would run, why, and about how long they would take. Writes nothing. Throws FailedError
// for a folder that exists and is not a build.
// folder: of the build; need not exist.
// stages: as MakeStages() returns them; must outlive the plan.
// redo: names of stages to run even if their results are up to date.
std::vector<PlannedStage> PlanBuild(const std::filesystem::path& folder, const std::vector<Stage>& stages,
                                    const std::vector<std::string>& redo);

// Runs all stages whose results are missing or outdated, and those named in `redo`, in `folder`, which is created if
// necessary. Throws FailedError for a folder that contains something other than a build, or in which another process
// is building.
BuildResult Build(const std::filesystem::path& folder, const Request& request, const std::vector<std::string>& redo);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_BUILD_H_
