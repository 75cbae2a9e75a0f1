// Training of multi-resolution deep pose-space deformation (Zheng and Barbic 2024, sections 4 and 5), level by level.
#ifndef SINEW_OFFLINE_MULTIRES_TRAIN_H_
#define SINEW_OFFLINE_MULTIRES_TRAIN_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sinew/offline/dataset/training_frames.h"
#include "sinew/offline/deformer/deformer.h"
#include "sinew/offline/learn/fit_network.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/runtime/base/precision.h"

namespace sinew::multires {

constexpr double kShareLeft = 0.042;

enum class TrainDevice {
  kCpu,
  kCuda  // the networks; everything else stays on the CPU
};

struct TrainOptions {
  TrainDevice device = TrainDevice::kCpu;
  // The uniform threshold of equation 9, as a fraction of the body's height. 0: kShareLeft of what there is to learn,
  // the root mean square of the finest level's displacements. Networks leave several times that on unseen poses,
  // whatever the bases could do, and smaller ones only make the bundle larger.
  double epsilon = 0;
  int max_modes = 64;  // d_i^k at most
  // Of the networks, which otherwise is 5 max(P_k, d_k): wider ones are larger and slower and no better on unseen poses
  // (docs/papers/multires-deep-psd.md).
  int max_width = 32;
  runtime::PoseFeatures features = runtime::PoseFeatures::kQuaternion;
  double validation = 0.1;  // of the frames
  // Frames in which the truth is farther than this from skinning somewhere, before skinning, as a fraction of the
  // body's height, are left out as broken. Limbs that push each other away stay below it: leaving those frames out was
  // tried (0.05), and made every level worse.
  double outliers = 0.2;
  // Of the bundle that the deformer is meant for: residuals are taken against what the runtime does in it.
  runtime::Precision precision = runtime::Precision::kI8;
  learn::FitOptions fit = {};
  uint64_t seed = 1;
  // Not null: truths of the same rig in poses that differ in one joint alone, which say what joints matter where
  // (JointProbe in cull_joints.h); networks then see no others.
  const dataset::TrainingFrames* probe = nullptr;
  // Every level by itself, from nothing (Bailey et al. 2018, as the paper compares with it), instead of residuals.
  bool single_level = false;
};

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
  // The networks that an earlier run finished, in a deformer that lacks the others.
  const deformer::Deformer* resume = nullptr;
  // Called from time to time, from one thread at once, with all that is finished; its settings["kept"] are what a run
  // that goes on needs beside it.
  std::function<void(const deformer::Deformer&)> checkpoint = {};
  double checkpoint_seconds = 20;
};

// Throws InputError for poses that do not fit the skeleton, InputError for truths that do not fit the finest level.
Training Train(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames, const TrainOptions& options,
               const TrainHooks& hooks = {});

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_TRAIN_H_
