// The stage of a taught build that simulates a few of the poses to learn from, those that differ most. Networks are
// tuned to them before they teach the others (truths.few_shot).
#ifndef SINEW_OFFLINE_PIPELINE_FEW_SHOT_H_
#define SINEW_OFFLINE_PIPELINE_FEW_SHOT_H_

#include <optional>

#include "sinew/offline/pipeline/chain.h"

namespace sinew::pipeline {

// Name of its dataset in the folder of a build. If no flesh can be made, none of its frames has a shape.
inline constexpr const char* kFewTruths = "few.dataset";

// Returns no stage if the build is not taught, or asks for none. Throws UsageError for a single pose.
std::optional<Stage> FewTruthsStage(const Request& request, const Subject& subject);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_FEW_SHOT_H_
