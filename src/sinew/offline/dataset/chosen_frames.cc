#include "sinew/offline/dataset/chosen_frames.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"

namespace sinew::dataset {

void RequireShapes(const Dataset& dataset, const std::vector<int>& chosen) {
  for (const int i : chosen) {
    if (i >= 0 && i < dataset.frame_count() && dataset.frame(i).ok()) continue;
    throw InputError(dataset.path().string(), fmt::format("frame {}", i), "has no shape and is to be used",
                     "choose frames that have one; `sinew dataset info` names those that failed");
  }
}

TrainingFrames ChosenFrames(const Dataset& dataset, const lod::Hierarchy& hierarchy, const std::vector<int>& chosen) {
  RequireShapes(dataset, chosen);
  const TrainingFrames all = FramesOf(dataset, hierarchy);
  if (chosen.empty()) {
    throw InputError(dataset.path().string(), "frames", "none of them is chosen", "choose at least one");
  }
  const std::vector<int> ok = dataset.OkFrames();
  TrainingFrames frames;
  frames.name = all.name;
  frames.roles = all.roles;
  for (const int i : chosen) {
    const auto j = std::lower_bound(ok.begin(), ok.end(), i) - ok.begin();
    frames.poses.push_back(all.poses[j]);
    frames.motions.push_back(all.motions[j]);
    frames.motion_frames.push_back(all.motion_frames[j]);
    frames.hashes.push_back(all.hashes[j]);
    if (!all.weights.empty()) frames.weights.push_back(all.weights[j]);
  }
  frames.truth = [&dataset, chosen](int j) { return dataset.Shape(chosen[j]); };
  return frames;
}

}  // namespace sinew::dataset
