// Loss of a network that answers blend shapes of meshes, through coefficients that depend on the pose.
//
// Reference: P. Li et al., "Learning Skeletal Articulations with Neural Blend Shapes", 2021, Eqs. 4 and 5. The same in
// plain C++: learn/layers/shape_loss.h. Symbols: B shapes, alpha coefficients, m masks, R local rotations of joints.
#ifndef SINEW_OFFLINE_LEARN_TORCH_SHAPE_LOSS_H_
#define SINEW_OFFLINE_LEARN_TORCH_SHAPE_LOSS_H_

#include <vector>

#include "rig_loss.h"

namespace sinew_torch {

// A frame in a pose.
struct ShapePose {
  Tensor rotations;  // R - I: joints x 9
  Tensor turns;      // what skinning does to what is added at rest: points x 3 x 3
  Tensor off;        // the posed surface without shapes, less the true one: points x 3
};

struct ShapeTruth {
  Tensor masks;   // points x joints
  Tensor shares;  // points; their sum is 1
  std::vector<ShapePose> poses;
};

class ShapeLoss {
 public:
  // Throws std::runtime_error for options out of range.
  ShapeLoss(const SinewTorchShapes& given, torch::Device device);

  int joints() const { return joints_; }
  int columns() const { return 3 * shapes_; }  // of a network's output
  // Appends the tensors of the joints' networks to those of the layers.
  void AddSlots(Network& network);
  ShapePose MakePose(const Tensor& rotations, const Tensor& turns, const Tensor& off) const;
  // Loss of each frame. tensors: one per slot. outputs: of the network, for all frames. ends, truths: one per frame.
  std::vector<Tensor> Of(const Value& outputs, const std::vector<Tensor>& tensors,
                         const std::vector<const RowEnds*>& ends, const std::vector<const ShapeTruth*>& truths,
                         const SinewTorchPoses& chosen) const;

 private:
  Tensor Coefficients(const std::vector<Tensor>& tensors, const std::vector<Tensor>& rotations) const;

  int joints_, shapes_;
  std::vector<int> widths_;  // 9, those of the hidden layers, shapes
  double slope_, rate_, scale_;
  int first_slot_ = 0;
  torch::Device device_;
};

}  // namespace sinew_torch

#endif  // SINEW_OFFLINE_LEARN_TORCH_SHAPE_LOSS_H_
