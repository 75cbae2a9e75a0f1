// Everyday poses of a build: how near each method comes to the truth, pose by pose. They judge the result alone: they
// are not learned from, and no setting is chosen by them.
#ifndef SINEW_OFFLINE_PIPELINE_EVERYDAY_H_
#define SINEW_OFFLINE_PIPELINE_EVERYDAY_H_

#include <optional>
#include <string>

#include "sinew/offline/core/json.h"
#include "sinew/offline/pipeline/judged_set.h"
#include "sinew/offline/report/page.h"

namespace sinew::pipeline {

// As JudgeSet(), of the dataset of everyday poses; none if no pose has a true shape.
std::optional<JudgedSet> JudgeEveryday(const dataset::Dataset& dataset, const lod::Hierarchy& hierarchy,
                                       const runtime::Bundle& bundle, const std::vector<evaluate::Method>& methods);

// Returns the index among the set's frames of the pose with this name; -1 if it is not among them.
int FindEveryday(const JudgedSet& set, const std::string& name);

// Returns what people call the pose of a frame of the dataset.
std::string LabelOf(const dataset::Dataset& dataset, int index);

// Returns {"dataset", "frames", "failed_frames", "exact_mm", "poses"}; per pose "name", "label" and either "failure",
// or per method "rms_mm" and "of_linear_blend" on the finest level, as in EvaluationJson(), or "trained" if it was also
// learned from and is not measured. set: of JudgeEveryday().
Json EverydayJson(const dataset::Dataset& dataset, const std::optional<JudgedSet>& set);

// Adds the same as a table to a section of a page.
void AddEverydayTable(const dataset::Dataset& dataset, const std::optional<JudgedSet>& set, report::Page& page);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_EVERYDAY_H_
