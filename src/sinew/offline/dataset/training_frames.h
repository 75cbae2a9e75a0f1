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
  std::vector<int> motions;         // which motion each frame is of; -1: a pose by itself. Empty: all are
  std::vector<int> motion_frames;   // the number of each frame in its motion. Empty: in the order of the frames
  std::vector<std::string> hashes;  // one per frame

  int count() const { return static_cast<int>(poses.size()); }
};

// The frames that have a shape. Throws InputError where there is none, and where the dataset is of another character
// than the hierarchy's finest level. The dataset must outlive the frames.
TrainingFrames FramesOf(const Dataset& dataset, const lod::Hierarchy& hierarchy);

// Frames to learn from and to validate with (split_frames.h); one of each at least, where there are two frames.
struct FrameSplit {
  std::vector<int> training, validation;
};
FrameSplit SplitFrames(const TrainingFrames& frames, double validation, uint64_t seed);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_TRAINING_FRAMES_H_
