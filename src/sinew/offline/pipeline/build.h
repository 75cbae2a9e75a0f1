// Builds a real-time character from a mesh in one call, by running all stages in order. Manual: docs/build.md.
#ifndef SINEW_OFFLINE_PIPELINE_BUILD_H_
#define SINEW_OFFLINE_PIPELINE_BUILD_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/pipeline/chain.h"
#include "sinew/offline/pipeline/summary.h"

namespace sinew::pipeline {

struct BuildOptions {
  std::vector<std::string> redo = {};  // names of stages to run even if their results are up to date
  // Whether results of more than a minute's work may be deleted because the folder was built from another character or
  // with other settings.
  bool replace = false;
};

struct BuildPlan {
  std::vector<Stage> stages;
  std::vector<PlannedStage> planned;  // one per stage
  Calibration calibration;            // what the estimates are based on
  bool calibrated = false;            // whether anything was measured for it; not if no ground truth is to be made
  // Reason why Build() would refuse: what would be deleted, and what to do; empty if it would not.
  std::string refusal = {};

  double seconds() const;  // estimated duration of all stages
};

// Returns which stages Build() would run, why, and about how long they would take, which is measured for it
// (calibrate.h). Writes nothing. Throws FailedError for a folder that exists and is not a build.
// folder: of the build; need not exist.
BuildPlan PlanBuild(const std::filesystem::path& folder, Request request, const BuildOptions& options = {});

struct BuildResult {
  std::vector<StageOutcome> stages;
  Summary summary;
};

// Runs all stages whose results are missing or outdated, and those named in options.redo, in `folder`, which is created
// if necessary. Throws FailedError for a folder that contains something other than a build, or in which another process
// is building, and UsageError if results would be deleted that options.replace does not allow to delete.
BuildResult Build(const std::filesystem::path& folder, Request request, const BuildOptions& options = {});

// Returns the settings that a build in `folder` starts from: those of the folder's last build, which includes its
// character and seed, or the preset's if it has none. With `anew` the preset's in either case, but for the character,
// the seed and what belongs to the character: its unit, skin, skeleton and joints placed by hand. character: what the
// call names, which drops those of another one; may be empty.
Config StartingConfig(const std::filesystem::path& folder, Preset preset, bool anew, const std::string& character);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_BUILD_H_
