// The frames of a dataset as training and evaluation take them, and how they are split.
#ifndef SINEW_OFFLINE_DATASET_TRAINING_FRAMES_H_
#define SINEW_OFFLINE_DATASET_TRAINING_FRAMES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::dataset {

// Frames to learn from, however they are kept.
struct TrainingFrames {
  std::string name;  // what errors call them
  std::vector<Pose> poses;
  // The truth of frame j on the finest level's vertices, in the order of its file, parts in order. May be called from
  // several threads at once.
  std::function<Points(int j)> truth;
  std::vector<int> motions;         // which motion each frame is of; -1: a pose by itself
  std::vector<std::string> hashes;  // one per frame

  int count() const { return static_cast<int>(poses.size()); }
};

// The frames that have a shape. Throws InputError where there is none, and where the dataset is of another character
// than the hierarchy's finest level. The dataset must outlive the frames.
TrainingFrames FramesOf(const Dataset& dataset, const lod::Hierarchy& hierarchy);

// Frames in the order that training wants them: those to learn from, then those to validate with. Motions are cut into
// runs of frames of which whole ones are taken, so that no validation frame is the neighbour of a trained one but at
// the runs' ends, and those are left out of both.
struct FrameSplit {
  std::vector<int> training, validation;
};
FrameSplit SplitFrames(const TrainingFrames& frames, double validation, uint64_t seed);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_TRAINING_FRAMES_H_
