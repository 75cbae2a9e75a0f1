#include "sinew/offline/multires/dataset_frames.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"

namespace sinew {
namespace {

void CheckCharacter(const Dataset& dataset, const DatasetCharacter& character, const Hierarchy& hierarchy) {
  const Level& finest = hierarchy.levels.back();
  const int joints = finest.character.skeleton.joint_count();
  if (character.vertices == finest.vertex_count() && character.joints == joints) return;
  throw InputError(dataset.path().string(), fmt::format("character {}", character.name),
                   fmt::format("has {} vertices and {} joints, and the finest level of the hierarchy {} and {}",
                               character.vertices, character.joints, finest.vertex_count(), joints),
                   "use a dataset and a hierarchy of one character");
}

}  // namespace

TrainingFrames FramesOf(const Dataset& dataset, const Hierarchy& hierarchy) {
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

}  // namespace sinew
