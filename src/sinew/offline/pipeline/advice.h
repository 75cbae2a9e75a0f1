// Sentences of a build's conclusion that say what may make it better.
#ifndef SINEW_OFFLINE_PIPELINE_ADVICE_H_
#define SINEW_OFFLINE_PIPELINE_ADVICE_H_

#include <string>

#include "sinew/offline/core/json.h"

namespace sinew::pipeline {

// A value counts as smaller only if it is below this share of the other one; smaller differences are ignored.
inline constexpr double kBetter = 0.98;

// Returns a sentence that more poses would help, if networks know the frames that they were trained on much better than
// those kept for validation: if on some level more than half of the squared error of the latter is not there on the
// former. Otherwise empty. training: training.json of the deformer; may be an empty object.
std::string AdviseMorePoses(const Json& training);

// Returns sentences that say how much better the single-level method is on the finest level, what that method is, and
// which file has it. Empty if it is not better there, or was not measured. levels: as in Summary::json.
std::string AdviseSingleLevel(const Json& levels);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_ADVICE_H_
