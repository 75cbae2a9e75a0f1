#include "sinew/offline/pipeline/everyday.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/evaluate/evaluation_text.h"
#include "sinew/offline/poses/everyday_poses.h"

namespace sinew::pipeline {
namespace {

const std::string& NameOf(const dataset::Dataset& dataset, int index) {
  return dataset.manifest().motions[dataset.frame(index).motion].name;
}

// Returns the index among the set's frames of a frame of the dataset; -1 if it is not measured.
int MeasuredAs(const std::optional<JudgedSet>& set, int index) {
  if (!set) return -1;
  const auto found = std::find(set->indices.begin(), set->indices.end(), index);
  return found == set->indices.end() ? -1 : static_cast<int>(found - set->indices.begin());
}

}  // namespace

std::optional<JudgedSet> JudgeEveryday(const dataset::Dataset& dataset, const lod::Hierarchy& hierarchy,
                                       const runtime::Bundle& bundle, const std::vector<evaluate::Method>& methods) {
  if (dataset.OkFrames().empty()) return {};
  return JudgeSet("everyday poses", dataset, hierarchy, bundle, methods);
}

int FindEveryday(const JudgedSet& set, const std::string& name) {
  for (size_t f = 0; f < set.indices.size(); ++f) {
    if (NameOf(*set.dataset, set.indices[f]) == name) return static_cast<int>(f);
  }
  return -1;
}

std::string LabelOf(const dataset::Dataset& dataset, int index) { return poses::EverydayLabel(NameOf(dataset, index)); }

Json EverydayJson(const dataset::Dataset& dataset, const std::optional<JudgedSet>& set) {
  Json json = {{"dataset", dataset.path().filename().string()},
               {"frames", set ? set->frames.count() : 0},
               {"failed_frames", dataset.frame_count() - dataset.OkFrames().size()}};
  if (set) json["exact_mm"] = set->to_mm() * set->evaluation.exact();
  for (int i = 0; i < dataset.frame_count(); ++i) {
    Json& pose = json["poses"].emplace_back();
    pose = {{"name", NameOf(dataset, i)}, {"label", LabelOf(dataset, i)}};
    const int frame = MeasuredAs(set, i);
    if (!dataset.frame(i).ok()) pose["failure"] = dataset.frame(i).failure;
    if (dataset.frame(i).ok() && (frame < 0 || set->trained > 0)) pose["trained"] = true;
    if (frame < 0) continue;
    const double linear = set->FrameRms(kLinear, frame);
    for (size_t m = 0; m < set->evaluation.methods.size(); ++m) {
      const double rms = set->FrameRms(m, frame);
      pose[set->evaluation.methods[m]] = {
          {"rms_mm", set->to_mm() * rms},
          {"of_linear_blend", linear > set->evaluation.exact() ? Json(rms / linear) : Json()}};
    }
  }
  return json;
}

void AddEverydayTable(const dataset::Dataset& dataset, const std::optional<JudgedSet>& set, report::Page& page) {
  std::vector<std::string> header = {"pose"};
  if (set) {
    for (const std::string& method : set->evaluation.methods) header.push_back(method + ", mm");
  }
  header.emplace_back("Sinew's share of linear blend's");
  std::vector<std::vector<std::string>> rows;
  for (int i = 0; i < dataset.frame_count(); ++i) {
    std::vector<std::string>& row = rows.emplace_back();
    row.push_back(LabelOf(dataset, i));
    const int frame = MeasuredAs(set, i);
    if (frame < 0) {
      row.push_back(dataset.frame(i).ok() ? "was learned from, too" : "has no true shape: " + dataset.frame(i).failure);
      continue;
    }
    for (size_t m = 0; m < set->evaluation.methods.size(); ++m) {
      row.push_back(fmt::format("{:.3f}", set->to_mm() * set->FrameRms(m, frame)));
    }
    row.push_back(
        evaluate::ShareText(set->FrameRms(kSinew, frame), set->FrameRms(kLinear, frame), set->evaluation.exact()));
  }
  page.Table(header, rows, {.caption = "Root mean square distance from the truth on the finest level"});
}

}  // namespace sinew::pipeline
