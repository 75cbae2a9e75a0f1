#include "sinew/offline/dataset/training_frames.h"

#include <fmt/format.h>

#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"

namespace sinew::dataset {
namespace {

void CheckCharacter(const Dataset& dataset, const DatasetCharacter& character, const lod::Hierarchy& hierarchy) {
  const lod::Level& finest = hierarchy.levels.back();
  const int joints = finest.character.skeleton.joint_count();
  if (character.vertices == finest.vertex_count() && character.joints == joints) return;
  throw InputError(dataset.path().string(), fmt::format("character {}", character.name),
                   fmt::format("has {} vertices and {} joints, and the finest level of the hierarchy {} and {}",
                               character.vertices, character.joints, finest.vertex_count(), joints),
                   "use a dataset and a hierarchy of one character");
}

}  // namespace

TrainingFrames FramesOf(const Dataset& dataset, const lod::Hierarchy& hierarchy) {
  const std::vector<int> ok = dataset.OkFrames();
  if (ok.empty()) {
    throw InputError(dataset.path().string(), "frames", "none of them has a shape", "see `sinew dataset info`");
  }
  TrainingFrames frames;
  frames.name = dataset.path().string();
  for (const int i : ok) {
    const DatasetFrame& frame = dataset.frame(i);
    CheckCharacter(dataset, dataset.manifest().characters[frame.character], hierarchy);
    frames.poses.push_back(dataset.pose(i));
    frames.motions.push_back(dataset.manifest().motions[frame.motion].timed ? frame.motion : -1);
    frames.hashes.push_back(frame.hash);
  }
  frames.truth = [&dataset, ok](int j) { return dataset.Shape(ok[j]); };
  return frames;
}

FrameSplit SplitFrames(const TrainingFrames& frames, double validation, uint64_t seed) {
  constexpr int kRun = 24;  // frames of a motion that are kept together
  FrameSplit split;
  Random random(seed, 77);
  for (int j = 0; j < frames.count();) {
    const int motion = frames.motions.empty() ? -1 : frames.motions[j];
    int end = j + 1;
    while (motion >= 0 && end < frames.count() && end - j < kRun && frames.motions[end] == motion) ++end;
    const bool held = random.Uniform() < validation;
    // The ends of a held run touch trained frames.
    const int margin = end - j > 4 ? 1 : 0;
    for (int f = j; f < end; ++f) {
      if (!held) {
        split.training.push_back(f);
      } else if (f >= j + margin && f < end - margin) {
        split.validation.push_back(f);
      }
    }
    j = end;
  }
  // Few frames, or bad luck: one of each kind at least.
  if (split.validation.empty() && split.training.size() > 1) {
    split.validation.push_back(split.training.back());
    split.training.pop_back();
  }
  if (split.training.empty()) std::swap(split.training, split.validation);
  return split;
}

}  // namespace sinew::dataset
