// Frames of a dataset in the form that training and evaluation take, and their split into training and validation.
#ifndef SINEW_OFFLINE_DATASET_TRAINING_FRAMES_H_
#define SINEW_OFFLINE_DATASET_TRAINING_FRAMES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sinew/offline/anatomy/roles.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::dataset {

// Frames to learn from, whatever their storage.
struct TrainingFrames {
  std::string name;         // name of the frames in error messages
  std::vector<Pose> poses;  // one per frame
  // Returns the ground truth of frame j in model space, one row per vertex of the finest level in the order of its
  // file, parts in order. May be called from several threads at once.
  std::function<Points(int j)> truth;
  // Motion that each frame belongs to; -1: a single pose, not part of a motion. Empty: all frames are single poses.
  std::vector<int> motions;
  std::vector<int> motion_frames;   // number of each frame within its motion; empty: frames are numbered in order
  std::vector<std::string> hashes;  // HashFrame() of each frame; empty for a mirror image
  std::vector<float> weights;       // how much each frame counts in training, above 0, at most 1; empty: all count 1
  // Role of each vertex of the finest level, in the order of its file. Empty: everything is flesh.
  std::vector<Role> roles;
  // Number of mirror images (mirror_frames.h). They come last: the first image is that of the first frame, and so on.
  int images = 0;

  int count() const { return static_cast<int>(poses.size()); }
};

// Throws InputError if character c of the dataset has other joints than a skeleton, or the same in another order, by
// their names.
void RequireJoints(const Dataset& dataset, int c, const Skeleton& wanted);

// Returns the role of every vertex of a character, in the order of its file. given: roles of parts, in place of those
// that are found.
std::vector<Role> RolesOfVertices(const Character& character, const std::vector<GivenRole>& given);

// Returns the frames of the dataset that have a shape. Throws InputError if there is none, or if the dataset is of
// another character than the hierarchy's finest level (other numbers of vertices, other joints). Roles are found in the
// dataset's character, after those that the dataset was made with (its setting "parts"). The dataset must outlive the
// frames.
TrainingFrames FramesOf(const Dataset& dataset, const lod::Hierarchy& hierarchy);

// Indices of the frames to train on and to validate on, split as split_frames.h describes; at least one of each if
// there are at least two frames. Mirror images are trained on if the frames that they are of are, and not used
// otherwise. validation: share of the frames, 0 to 1.
struct FrameSplit {
  std::vector<int> training, validation;
};
FrameSplit SplitFrames(const TrainingFrames& frames, double validation, uint64_t seed);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_TRAINING_FRAMES_H_
