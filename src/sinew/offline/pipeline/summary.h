// What a build came to: errors, times and memory of skinning and Sinew beside each other, and what follows from them.
#ifndef SINEW_OFFLINE_PIPELINE_SUMMARY_H_
#define SINEW_OFFLINE_PIPELINE_SUMMARY_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"

namespace sinew::pipeline {

struct Summary {
  Json json;  // {"levels": [...], "conclusion": "..."}
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // one per level and method
  std::string conclusion;                      // says where Sinew is no better than skinning

  std::string Text() const;
};

// evaluation, bundle: the files of those names; frames: Times' entry "frames".
Summary Summarize(const Json& evaluation, const Json& bundle, const Json& frames);
Summary ReadSummary(const std::filesystem::path& folder);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_SUMMARY_H_
