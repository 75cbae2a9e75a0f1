// From a mesh to a real-time character in one call. docs/build.md.
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

// What would be done, and about how long it would take. Writes nothing. stages: must outlive the plan.
std::vector<PlannedStage> PlanBuild(const std::filesystem::path& folder, const std::vector<Stage>& stages,
                                    const std::vector<std::string>& redo);

// Throws FailedError for a folder that holds something else than a build, or that another program builds in.
BuildResult Build(const std::filesystem::path& folder, const Request& request, const std::vector<std::string>& redo);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_BUILD_H_
