// Writes the report of a build: inputs, results and their quality, as one self-contained HTML page.
#ifndef SINEW_OFFLINE_PIPELINE_BUILD_REPORT_H_
#define SINEW_OFFLINE_PIPELINE_BUILD_REPORT_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/evaluate/methods.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/pipeline/next_steps.h"
#include "sinew/runtime/asset/bundle.h"

namespace sinew::pipeline {

constexpr int kPictureWidth = 2200;  // most pixels of a picture of the page

// A dataset of the build, with its name on the page, such as "unseen poses".
struct ReportedDataset {
  std::string name;
  const dataset::Dataset* dataset = nullptr;
};

// Trained and baked method with what was measured of it.
struct ReportedBundle {
  const runtime::Bundle* bundle = nullptr;  // null: there is none
  size_t bytes = 0;                         // size of its file
  Json training = Json::object();           // training.json of its deformer; empty: the page shows no loss curves
  Json timings = Json::object();            // as measure::TimingsJson() returns; empty: not timed
};

// Contents of the page. Pointers must outlive the call. Fields that are empty are left out of the page.
struct BuildReportInput {
  std::string name;             // name of the character
  std::string conclusion = {};  // as the command prints it; the page adds where Sinew does not beat skinning
  // Facts about the inputs as (label, text), in display order: file, unit, counts, origin of weights and limits.
  std::vector<std::pair<std::string, std::string>> facts = {};
  const lod::Hierarchy* hierarchy = nullptr;
  ReportedBundle sinew = {};
  // Method that Sinew's bundle is compared with, and its name (evaluate/methods.h). bundle may be null: no comparison.
  ReportedBundle compared = {};
  std::string compared_name = evaluate::kSingleLevel;
  Json rig = Json::object();                 // rig.json of a mesh that came without a skeleton
  Bytes rig_picture = {};                    // PNG of that skeleton in the body
  Json contact = Json::array();              // contact.json: what was learned of each collider
  std::vector<Bytes> contact_pictures = {};  // PNG per collider of the skin that was pressed; may be empty
  std::vector<ReportedDataset> unseen = {};  // datasets of the evaluation; none of their frames was trained on
  // Everyday poses (everyday.h), which are judged pose by pose; null for characters that are no bipeds.
  const dataset::Dataset* everyday = nullptr;
  std::vector<ReportedDataset> training = {};  // only used to list the frames that failed
  Json settings = Json::object();              // {"section": {"key": value}}, or {"section.key": value}
  Json versions = Json::object();              // {"sinew": "0.1.0"}
  uint64_t seed = 1;
  NextSteps next_steps = {};
  std::vector<std::pair<std::string, double>> stage_seconds = {};  // (stage, wall clock time)
  bool pictures = true;
  std::string no_pictures = {};  // reason why there are none although they were requested
  int picture_height = 600;      // height of one body, pixels
};

// Evaluates the bundles on all unseen frames and writes the page atomically. Throws InputError if bundles, hierarchy
// and datasets are not of the same character.
void WriteBuildReport(const BuildReportInput& input, const std::filesystem::path& path);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_BUILD_REPORT_H_
