// Options of training.
#ifndef SINEW_OFFLINE_MULTIRES_TRAIN_OPTIONS_H_
#define SINEW_OFFLINE_MULTIRES_TRAIN_OPTIONS_H_

#include <cstdint>

#include "sinew/offline/dataset/training_frames.h"
#include "sinew/offline/learn/fit_network.h"
#include "sinew/runtime/base/precision.h"
#include "sinew/runtime/pose/features.h"

namespace sinew::multires {

// Default of TrainOptions::epsilon, as a share of the root mean square displacement of the finest level.
constexpr double kShareLeft = 0.042;

// Number of blend shapes per joint that the paper found to suffice (Li et al. 2021, figure 12).
constexpr int kUsualShapes = 9;
constexpr int kMostShapes = 34;  // terms of the polynomials that they are found by (blend_shapes.cc)

// Smallest default of TrainOptions::epsilon. Displacements below it are rounding: where ground truth is skinning
// itself, as for a character of rigid pieces, a share of them would have networks learn noise.
constexpr double kSmallestEpsilon = 1e-5;

enum class TrainDevice {
  kCpu,
  kCuda  // networks are fitted on the device; everything else stays on the CPU
};

struct TrainOptions {
  TrainDevice device = TrainDevice::kCpu;
  // Uniform error threshold of equation 9, as a fraction of the body's height. 0: kShareLeft times the root mean square
  // of the finest level's displacements, divided by the height, and at least kSmallestEpsilon. Networks leave several
  // times that error on unseen
  // poses, however good the bases are, and smaller thresholds only make the bundle larger.
  double epsilon = 0;
  int max_modes = 64;  // upper limit of d_i^k, the number of modes of a basis
  // Upper limit of the width of the networks, which is 5 max(P_k, d_k) otherwise: wider networks are larger and slower
  // and no better on unseen poses (docs/papers/multires-deep-psd.md).
  int max_width = 32;
  runtime::PoseFeatures features = runtime::PoseFeatures::kQuaternion;
  double validation = 0.1;  // share of the frames used for validation
  // Outlier threshold, as a fraction of the body's height: frames with a displacement before skinning longer than this
  // at some point are left out as broken. Limbs that push each other away stay below it: leaving those frames out was
  // tried (0.05), and made every level worse.
  double outliers = 0.2;
  // Precision of the bundle that the deformer is meant for: residuals are computed against the runtime in this
  // precision.
  runtime::Precision precision = runtime::Precision::kI8;
  learn::FitOptions fit = {};  // width, seed and stream are set per network
  uint64_t seed = 1;
  // Ground truth of the same rig in poses that differ in the rotation of a single joint, which shows which joints
  // affect which region (JointProbe in cull_joints.h); networks then see no other joints. May be null.
  const dataset::TrainingFrames* probe = nullptr;
  // Whether mirror images of the frames are learned from, too, if the character is symmetric (TrainDataset()).
  bool mirror = true;
  // Whether every level is trained by itself (Bailey et al. 2018, as the paper compares with it), instead of on the
  // residual that the coarser levels leave.
  bool single_level = false;
  // Number of blend shapes per joint (blend_shapes.h), of which every level has its own; 0: regions of the hierarchy.
  int blend_shapes = 0;
};

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_TRAIN_OPTIONS_H_
