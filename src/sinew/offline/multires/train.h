// Training of multi-resolution deep pose-space deformation (Zheng and Barbic 2024, sections 4 and 5), level by level.
#ifndef SINEW_OFFLINE_MULTIRES_TRAIN_H_
#define SINEW_OFFLINE_MULTIRES_TRAIN_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sinew/offline/multires/checkpoint.h"
#include "sinew/offline/multires/train_options.h"

namespace sinew::multires {

// What one level came to.
struct LevelSummary {
  int networks = 0;
  int dimensions = 0;         // sum of d_i^k, those of the level alone not included
  int own_dimensions = 0;     // those
  size_t basis_values = 0;    // entries of all V
  size_t network_values = 0;  // weights and biases of all networks
  // Root mean square over points and frames, before skinning, in the character's unit: of what is to be learned; of
  // what the bases leave; of what is left after training, on training and on validation frames.
  double residual = 0, after_basis = 0, training = 0, validation = 0;
};

struct Training {
  deformer::Deformer deformer;
  int training_frames = 0, validation_frames = 0, outliers = 0;
  double epsilon = 0;  // that was used
  std::vector<LevelSummary> levels;
  std::vector<std::vector<learn::Fit>> fits;  // [level][region of the deformer], without the networks: the curves
};

// How training says what it does, and keeps what it has done.
struct TrainHooks {
  // What an earlier run of the same call finished; null: nothing.
  const Checkpoint* resume = nullptr;
  // Called from time to time, from one thread at once, with all that is finished. May be empty.
  std::function<void(const Checkpoint&)> checkpoint = {};
  double checkpoint_seconds = 20;
};

// Throws InputError for poses that do not fit the skeleton, InputError for truths that do not fit the finest level.
Training Train(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames, const TrainOptions& options,
               const TrainHooks& hooks = {});

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_TRAIN_H_
