// Summary of a build: errors, times and memory of skinning, of what ships ("sinew") and of the method that it is
// compared with, and a conclusion.
#ifndef SINEW_OFFLINE_PIPELINE_SUMMARY_H_
#define SINEW_OFFLINE_PIPELINE_SUMMARY_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"

namespace sinew::pipeline {

struct Summary {
  Json json;  // {"levels": [...], "conclusion": "...", "roles": {role: share of the finest level's points},
              // "shipped": as in bundle.json, if training.method is not "sinew",
              // "left_out": sentences about levels that could not be made, if there are any}
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // one per level and method
  std::string conclusion;  // names the levels on which Sinew is no better than skinning, and says what may help

  // Returns the table and the conclusion as plain text.
  std::string Text() const;
};

// evaluation, bundle: contents of evaluation.json and bundle.json.
// frames: entry "frames" of the group "measured" of Times; may be an empty object. left_out: sentences about levels of
// detail that could not be made. training: training.json of Sinew's deformer; may be an empty object.
Summary Summarize(const Json& evaluation, const Json& bundle, const Json& frames,
                  const std::vector<std::string>& left_out = {}, const Json& training = Json::object());
// Summarizes a finished build from the files in its folder.
Summary ReadSummary(const std::filesystem::path& folder);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_SUMMARY_H_
