#include "rig_loss.h"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace sinew_torch {
namespace {

using Matrix = std::array<double, 9>;

Matrix Product(const Matrix& a, const float* b) {
  Matrix c{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) c[3 * i + j] += a[3 * i + k] * b[3 * k + j];
    }
  }
  return c;
}

Tensor Upload(const std::vector<float>& values, at::IntArrayRef shape, torch::Device device) {
  return torch::from_blob(const_cast<float*>(values.data()), shape, torch::kFloat).clone().to(device);
}

// The largest weights of every row, renormalised.
Tensor Strongest(const Tensor& weights, int64_t count) {
  if (count <= 0 || count >= weights.size(1)) return weights;
  const Tensor largest = std::get<1>(weights.detach().topk(count, 1));
  const Tensor kept = torch::zeros_like(weights).scatter(1, largest, weights.gather(1, largest));
  constexpr double kLeast = 1e-12;
  return kept / kept.sum(1, true).clamp_min(kLeast);
}

// Eqs. 2 and 3: every point by the blend of what joints do to it; points x poses x 3. transforms: poses x joints x 3
// x 4.
Tensor Skin(const Tensor& transforms, const Tensor& points, const Tensor& weights) {
  const int64_t poses = transforms.size(0), joints = transforms.size(1);
  const Tensor by_joint = transforms.transpose(0, 1).reshape({joints, poses * 12});
  const Tensor blended = weights.matmul(by_joint).view({-1, poses, 3, 4});  // Eq. 2
  const Tensor turned = (blended.slice(3, 0, 3) * points.view({-1, 1, 1, 3})).sum(3);
  return turned + blended.select(3, 3);  // Eq. 3
}

}  // namespace

// Down the columns first: a sum of everything at once is cut by the number of threads.
Tensor WeightedSquares(const Tensor& residuals, const Tensor& shares) {
  const Tensor rows = residuals.square().reshape({residuals.size(0), -1});
  return (rows * shares.unsqueeze(1)).sum(0);
}

RowEnds MakeRowEnds(const int* ends, int64_t rows, int points, torch::Device device) {
  if (ends == nullptr || points < 1) throw std::runtime_error("a mesh has no points that its rows end at");
  std::vector<int64_t> first, second;
  std::vector<float> counts(points, 0);
  for (int64_t r = 0; r < 2 * rows; ++r) {
    if (ends[r] < 0 || ends[r] >= points) {
      throw std::runtime_error("row " + std::to_string(r / 2) + " ends at point " + std::to_string(ends[r]) +
                               ", which there is not");
    }
    (r % 2 == 0 ? first : second).push_back(ends[r]);
    ++counts[ends[r]];
  }
  for (float& count : counts) count = 1 / std::max(1.0F, count);
  return {MakeRowMap(first, points, device), MakeRowMap(second, points, device), Upload(counts, {points, 1}, device)};
}

RigLoss::RigLoss(const SinewTorchRig& given, torch::Device device)
    : joints_(given.joints),
      deviation_(given.deviation),
      scale_(given.scale),
      weights_(given.weights),
      offsets_(given.offsets),
      root_(given.root),
      device_(device) {
  if (!IsSkeleton(given.parents, given.joints)) throw std::runtime_error("the loss of a rig has no skeleton");
  const auto positive = [](double x) { return std::isfinite(x) && x >= 0; };
  bool good = given.means != nullptr && positive(deviation_) && positive(scale_) && positive(weights_) &&
              positive(offsets_) && positive(root_) && given.poses >= 0 &&
              (given.poses == 0 || given.pose_factors != nullptr);
  for (int k = 0; good && k < given.poses; ++k) good = positive(given.pose_factors[k]);
  for (int k = 0; good && k < 3 * joints_; ++k) good = std::isfinite(given.means[k]);
  if (!good) throw std::runtime_error("an option of the loss of a rig is outside of its range");
  parents_.assign(given.parents, given.parents + joints_);
  factors_.assign(given.pose_factors, given.pose_factors + given.poses);
  means_ = Upload({given.means, given.means + 3 * joints_}, {joints_, 3}, device);
  chains_ = MakeSkeleton(given.parents, joints_, 0, device).chains;
  std::vector<float> differences(joints_ * joints_, 0);
  for (int j = 0; j < joints_; ++j) {
    differences[j * joints_ + j] = 1;
    if (parents_[j] >= 0) differences[j * joints_ + parents_[j]] = -1;
  }
  offsets_of_ = Upload(differences, {joints_, joints_}, device);
  std::vector<float> factors;
  for (const double factor : factors_) factors.push_back(static_cast<float>(factor * scale_ * scale_));
  pose_factors_ = Upload(factors, {given.poses}, device);
}

// Forward kinematics of the rotations alone, which are known: in double, on the processor.
RigLoss::Turned RigLoss::TurnsOf(const float* rotations, int64_t frames) const {
  if (rotations == nullptr) throw std::runtime_error("the loss of a rig needs poses");
  const auto poses = static_cast<int64_t>(factors_.size());
  std::vector<float> turns, slides;
  std::vector<Matrix> whole(joints_);
  for (int64_t pose = 0; pose < frames * poses; ++pose) {
    for (int j = 0; j < joints_; ++j) {
      const Matrix above = parents_[j] < 0 ? Matrix{1, 0, 0, 0, 1, 0, 0, 0, 1} : whole[parents_[j]];
      whole[j] = Product(above, rotations + (pose * joints_ + j) * 9);
      for (int k = 0; k < 9; ++k) {
        turns.push_back(static_cast<float>(whole[j][k]));
        slides.push_back(static_cast<float>(above[k] - whole[j][k]));
      }
    }
  }
  const std::array<int64_t, 5> shape = {frames, poses, joints_, 3, 3};
  return {Upload(turns, shape, device_), Upload(slides, shape, device_)};
}

// With turn_p that of the parent and p_j the joint, move_j = move_p + (turn_p - turn_j) p_j: a joint stays where its
// parent moves it. places: frames x joints x 3.
Tensor RigLoss::TransformsOf(const Turned& turned, const Tensor& places) const {
  const Tensor own = (turned.slides * places.unsqueeze(1).unsqueeze(3)).sum(4);
  const Tensor moves = torch::matmul(chains_, own);
  return torch::cat({turned.turns, moves.unsqueeze(4)}, 4);
}

// Eq. 6: weights, and offsets of joints from their parents.
Tensor RigLoss::OfFrame(const Tensor& weights, const Tensor& places, const RigTruth& truth) const {
  const Tensor off = offsets_of_.matmul(places - truth.joints).square() * (scale_ * scale_);
  const Tensor root = (places - truth.joints).slice(0, 0, 1).square() * (scale_ * scale_);
  return weights_ * WeightedSquares(weights - truth.weights, truth.shares).sum() + offsets_ * off.sum() +
         root_ * root.sum();
}

std::vector<Tensor> RigLoss::Of(const Value& outputs, const std::vector<const RowEnds*>& ends,
                                const std::vector<const RigTruth*>& truths, const SinewTorchPoses& drawn) const {
  const std::vector<int64_t>& starts = outputs.graph->mesh_starts;
  const auto frames = static_cast<int64_t>(truths.size());
  std::vector<Tensor> all_places, all_true;
  for (int64_t f = 0; f < frames; ++f) {
    const Tensor shared = outputs.rows.slice(0, starts[f], starts[f] + 1).slice(1, joints_, 4 * joints_);
    all_places.push_back(shared.reshape({joints_, 3}) * deviation_ + means_);
    all_true.push_back(truths[f]->joints);
  }
  Tensor transforms, true_transforms;
  if (!factors_.empty()) {
    const Turned turned = TurnsOf(drawn.rotations, frames);
    transforms = TransformsOf(turned, torch::stack(all_places));
    true_transforms = TransformsOf(turned, torch::stack(all_true));
  }
  std::vector<Tensor> losses;
  for (int64_t f = 0; f < frames; ++f) {
    const RigTruth& truth = *truths[f];
    const Tensor edges = outputs.rows.slice(0, starts[f], starts[f + 1]).slice(1, 0, joints_);
    const Tensor means = (Sum(edges, ends[f]->first) + Sum(edges, ends[f]->second)) * ends[f]->shares;
    const Tensor weights = Strongest(means, drawn.influences);
    Tensor loss = OfFrame(weights, all_places[f], truth);
    if (!factors_.empty()) {
      const Tensor residual =
          Skin(transforms[f], truth.points, weights) - Skin(true_transforms[f], truth.points, truth.weights);
      const Tensor by_pose = WeightedSquares(residual, truth.shares).view({-1, 3}).sum(1);  // Eq. 4
      loss = loss + (by_pose * pose_factors_).sum();
    }
    losses.push_back(loss);
  }
  return losses;
}

}  // namespace sinew_torch
