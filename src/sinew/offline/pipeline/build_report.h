// The page that a build ends with: what went in, what came out, and how good it is, for people to read. One HTML file
// that stands alone.
#ifndef SINEW_OFFLINE_PIPELINE_BUILD_REPORT_H_
#define SINEW_OFFLINE_PIPELINE_BUILD_REPORT_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/runtime/asset/bundle.h"

namespace sinew::pipeline {

// Where the methods stand in an evaluation, and so the number of each one's colour in every plot.
inline constexpr size_t kLinear = 0, kDual = 1, kSinew = 2, kSingle = 3;

// A dataset of the build, and what the page calls it: "unseen poses".
struct ReportedDataset {
  std::string name;
  const dataset::Dataset* dataset = nullptr;
};

// A trained and baked method.
struct ReportedBundle {
  const runtime::Bundle* bundle = nullptr;  // null: there is none
  size_t bytes = 0;                         // of its file
  Json training = Json::object();           // training.json of its deformer; empty: no curves
  Json timings = Json::object();            // TimingsJson(); empty: it was not timed
};

// Pointers must outlive the call. What is empty is left out of the page.
struct BuildReportInput {
  std::string name;             // of the character
  std::string conclusion = {};  // what the command also prints; the page adds where Sinew does not beat skinning
  // What went in, in the order to show it: file, unit, counts, where weights and limits came from.
  std::vector<std::pair<std::string, std::string>> facts = {};
  const lod::Hierarchy* hierarchy = nullptr;
  ReportedBundle sinew = {};
  ReportedBundle single_level = {};            // may have no bundle
  std::vector<ReportedDataset> unseen = {};    // what is measured on; none of their frames was trained on
  std::vector<ReportedDataset> training = {};  // only for the frames that failed
  Json settings = Json::object();              // {"section": {"key": value}}, or {"section.key": value}
  Json versions = Json::object();              // {"sinew": "0.1.0"}
  uint64_t seed = 1;
  std::vector<std::pair<std::string, double>> stage_seconds = {};  // how long stages took
  bool pictures = true;
  std::string no_pictures = {};  // why there are none though they were asked for
  int picture_height = 600;      // of one body, in pixels
};

// Evaluates the bundles on all unseen frames and writes the page, whole or not at all. Throws InputError where bundles,
// hierarchy and datasets are not of one character.
void WriteBuildReport(const BuildReportInput& input, const std::filesystem::path& path);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_BUILD_REPORT_H_
