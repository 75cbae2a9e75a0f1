#include "shape_loss.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace sinew_torch {
namespace {

constexpr int kMaxJoints = 1024, kMaxWidth = 1024;

const ShapePose& PoseAt(const ShapeTruth& truth, int number) {
  if (number < 0 || number >= static_cast<int>(truth.poses.size())) {
    throw std::runtime_error("a frame has no pose " + std::to_string(number));
  }
  return truth.poses[number];
}

}  // namespace

ShapeLoss::ShapeLoss(const SinewTorchShapes& given, torch::Device device)
    : joints_(given.joints),
      shapes_(given.shapes),
      widths_{9, given.widths[0], given.widths[1], given.shapes},
      slope_(given.slope),
      rate_(given.rate),
      scale_(given.scale),
      device_(device) {
  const auto positive = [](double x) { return std::isfinite(x) && x >= 0; };
  bool good = joints_ >= 1 && joints_ <= kMaxJoints && positive(slope_) && positive(rate_) && positive(scale_);
  for (const int width : widths_) good = good && width >= 1 && width <= kMaxWidth;
  if (!good) throw std::runtime_error("an option of the loss of shapes is outside of its range");
}

void ShapeLoss::AddSlots(Network& network) {
  first_slot_ = static_cast<int>(network.slots().size());
  const auto rate = static_cast<float>(rate_ > 0 ? rate_ : 1);
  for (size_t k = 0; k + 1 < widths_.size(); ++k) {
    network.AddOwn(static_cast<int64_t>(joints_) * widths_[k], widths_[k + 1], true, rate);
    network.AddOwn(joints_, widths_[k + 1], false, rate);
  }
}

ShapePose ShapeLoss::MakePose(const Tensor& rotations, const Tensor& turns, const Tensor& off) const {
  const Tensor rest = torch::eye(3, rotations.options()).view({1, 9});
  return {rotations - rest, turns.view({-1, 3, 3}), off};
}

// Joints x poses x shapes: what the joints' networks give, less what they give at rest. rotations: R - I of each pose.
Tensor ShapeLoss::Coefficients(const std::vector<Tensor>& tensors, const std::vector<Tensor>& rotations) const {
  std::vector<Tensor> seen = rotations;
  seen.push_back(torch::zeros_like(rotations[0]));
  Tensor x = torch::stack(seen, 1);
  for (size_t k = 0; k + 1 < widths_.size(); ++k) {
    const Tensor &W = tensors[first_slot_ + 2 * k], &b = tensors[first_slot_ + 2 * k + 1];
    if (k > 0) x = torch::where(x > 0, x, slope_ * x);
    x = x.bmm(W.view({joints_, widths_[k], widths_[k + 1]})) + b.unsqueeze(1);
  }
  const auto poses = static_cast<int64_t>(rotations.size());
  return x.slice(1, 0, poses) - x.slice(1, poses, poses + 1);
}

std::vector<Tensor> ShapeLoss::Of(const Value& outputs, const std::vector<Tensor>& tensors,
                                  const std::vector<const RowEnds*>& ends, const std::vector<const ShapeTruth*>& truths,
                                  const SinewTorchPoses& chosen) const {
  if (chosen.numbers == nullptr || chosen.count < 1) throw std::runtime_error("the loss of shapes needs poses");
  const std::vector<int64_t>& starts = outputs.graph->mesh_starts;
  const int64_t poses = chosen.count;
  std::vector<Tensor> losses;
  for (size_t f = 0; f < truths.size(); ++f) {
    const ShapeTruth& truth = *truths[f];
    std::vector<Tensor> rotations, turns, off;
    for (int64_t p = 0; p < poses; ++p) {
      const ShapePose& pose = PoseAt(truth, chosen.numbers[static_cast<int64_t>(f) * poses + p]);
      rotations.push_back(pose.rotations);
      turns.push_back(pose.turns);
      off.push_back(pose.off);
    }
    const Tensor rows = outputs.rows.slice(0, starts[f], starts[f + 1]);
    const Tensor B = ((Sum(rows, ends[f]->first) + Sum(rows, ends[f]->second)) * ends[f]->shares);
    const Tensor alpha = Coefficients(tensors, rotations).reshape({joints_, poses * shapes_});
    // Eq. 5, for all poses at once.
    const Tensor mixed = truth.masks.matmul(alpha).view({-1, poses, shapes_, 1});
    const Tensor added = (mixed * B.view({-1, 1, shapes_, 3})).sum(2);
    const Tensor turned = (torch::stack(turns, 1) * added.unsqueeze(2)).sum(3);
    const Tensor residual = turned + torch::stack(off, 1);
    losses.push_back(WeightedSquares(residual, truth.shares).sum() *
                     (scale_ * scale_ / static_cast<double>(poses)));  // Eq. 4
  }
  return losses;
}

}  // namespace sinew_torch
