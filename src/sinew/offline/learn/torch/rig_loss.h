// Loss of a network that rigs meshes, from weights and joints alone or through poses.
//
// Reference: P. Li et al., "Learning Skeletal Articulations with Neural Blend Shapes", 2021, Eqs. 2 to 4 and 6. The
// same in plain C++, with its gradient by hand: learn/layers/rig_loss.h.
#ifndef SINEW_OFFLINE_LEARN_TORCH_RIG_LOSS_H_
#define SINEW_OFFLINE_LEARN_TORCH_RIG_LOSS_H_

#include <vector>

#include "network.h"

namespace sinew_torch {

// Points that the rows of a mesh end at.
struct RowEnds {
  RowMap first, second;
  Tensor shares;  // points x 1: 1 / number of rows that end there
};
// Throws std::runtime_error for a point that does not exist.
RowEnds MakeRowEnds(const int* ends, int64_t rows, int points, torch::Device device);

// What is true of a frame.
struct RigTruth {
  Tensor points;   // points x 3
  Tensor weights;  // points x joints
  Tensor shares;   // points; their sum is 1
  Tensor joints;   // joints x 3
};

// Sums over points of the squares of residuals, by column. residuals: a row per point, of any shape. shares: of points.
Tensor WeightedSquares(const Tensor& residuals, const Tensor& shares);

class RigLoss {
 public:
  // Throws std::runtime_error for options out of range.
  RigLoss(const SinewTorchRig& given, torch::Device device);

  int joints() const { return joints_; }
  // Of a frame's rotations.
  int64_t numbers_per_frame() const { return static_cast<int64_t>(factors_.size()) * joints_ * 9; }
  // Loss of each frame. outputs: of the network, for all frames. ends, truths: one per frame.
  std::vector<Tensor> Of(const Value& outputs, const std::vector<const RowEnds*>& ends,
                         const std::vector<const RigTruth*>& truths, const SinewTorchPoses& drawn) const;

 private:
  // What joints do to points: frames x poses x joints x 3 x 4.
  struct Turned {
    Tensor turns;   // frames x poses x joints x 3 x 3
    Tensor slides;  // the same: how a joint's place moves what hangs from it
  };
  Turned TurnsOf(const float* rotations, int64_t frames) const;
  Tensor TransformsOf(const Turned& turned, const Tensor& places) const;
  Tensor OfFrame(const Tensor& weights, const Tensor& places, const RigTruth& truth) const;

  int joints_;
  std::vector<int> parents_;
  std::vector<double> factors_;  // of poses
  double deviation_, scale_, weights_, offsets_, root_;
  torch::Device device_;
  Tensor means_;       // joints x 3
  Tensor chains_;      // Skeleton::chains
  Tensor offsets_of_;  // joints x joints: makes offsets of places
  Tensor pose_factors_;
};

}  // namespace sinew_torch

#endif  // SINEW_OFFLINE_LEARN_TORCH_RIG_LOSS_H_
