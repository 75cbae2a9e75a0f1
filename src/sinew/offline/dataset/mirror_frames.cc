#include "sinew/offline/dataset/mirror_frames.h"

#include <memory>
#include <utility>

#include "sinew/offline/character/symmetry.h"

namespace sinew::dataset {

bool AddMirrorImages(const Character& character, TrainingFrames& frames) {
  std::optional<Symmetry> found = FindSymmetry(character);
  if (!found) return false;
  const auto symmetry = std::make_shared<const Symmetry>(std::move(*found));
  const int count = frames.count();
  for (int j = 0; j < count; ++j) {
    frames.poses.push_back(MirrorPose(*symmetry, character.skeleton, frames.poses[j]));
  }
  frames.truth = [truth = frames.truth, symmetry, count](int j) {
    return j < count ? truth(j) : MirrorShape(*symmetry, truth(j - count));
  };
  const auto twice = [](auto& values) {
    const auto once = values;
    values.insert(values.end(), once.begin(), once.end());
  };
  twice(frames.motions);
  twice(frames.motion_frames);
  twice(frames.weights);
  if (!frames.hashes.empty()) frames.hashes.resize(2 * frames.hashes.size());
  frames.images = count;
  return true;
}

}  // namespace sinew::dataset
