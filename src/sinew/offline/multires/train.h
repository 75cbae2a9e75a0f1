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

// Result of training one level.
struct LevelSummary {
  int networks = 0;           // number of networks: regions that were not culled
  int failed = 0;             // number of regions left out because their networks were not finite
  int dimensions = 0;         // sum of d_i^k over the regions, without the level's own modes
  int own_dimensions = 0;     // number of the level's own modes (RegionCorrective::own)
  size_t basis_values = 0;    // number of entries of all bases, own modes included
  size_t network_values = 0;  // number of weights and biases of all networks
  // Root mean squares over points and frames, before skinning, in the character's unit: of the residual to be learned;
  // of the residual that the bases leave; of the error after training, on training and on validation frames.
  double residual = 0, after_basis = 0, training = 0, validation = 0;
  // Reason why the level could not be stored for the runtime and was left out: it only has the correctives of coarser
  // levels. Empty: it was not.
  std::string left_out = {};
};

struct Training {
  deformer::Deformer deformer;
  int training_frames = 0, validation_frames = 0, outliers = 0;  // numbers of frames
  // Number of mirror images among the training frames, and ImageMisfit() of all there were; 0: there were none.
  int images = 0;
  double image_misfit = 0;
  double epsilon = 0;                // threshold that was used
  std::vector<LevelSummary> levels;  // [i - 1] is level i
  // Training curves, without the networks: [level - 1][region of the deformer].
  std::vector<std::vector<learn::Fit>> fits;

  // Whether no level has a network: ground truth is skinning itself, up to epsilon.
  bool nothing_to_correct() const;
};

// Checkpointing of a training run.
struct TrainHooks {
  // Checkpoint of an earlier run of the same call, to resume from; null: start from the beginning.
  const Checkpoint* resume = nullptr;
  // Called about every checkpoint_seconds with everything that is finished; never by two threads at once. May be empty.
  std::function<void(const Checkpoint&)> checkpoint = {};
  double checkpoint_seconds = 10;
};

// Trains a deformer for all levels of the hierarchy. A region whose network fails and a level that cannot be stored are
// left out, which LevelSummary tells: one of them is not worth the hours that the others took. Throws InputError for
// poses that do not fit the skeleton, for ground truth that does not fit the finest level, for too few usable frames,
// and for a probe without poses that differ in a single joint.
Training Train(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames, const TrainOptions& options,
               const TrainHooks& hooks = {});

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_TRAIN_H_
