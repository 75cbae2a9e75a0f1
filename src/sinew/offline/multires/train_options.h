// Settings of training.
#ifndef SINEW_OFFLINE_MULTIRES_TRAIN_OPTIONS_H_
#define SINEW_OFFLINE_MULTIRES_TRAIN_OPTIONS_H_

#include <cstdint>

#include "sinew/offline/dataset/training_frames.h"
#include "sinew/offline/learn/fit_network.h"
#include "sinew/runtime/base/precision.h"
#include "sinew/runtime/pose/features.h"

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

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_TRAIN_OPTIONS_H_
