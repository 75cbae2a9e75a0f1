#include "sinew/offline/autorig/joint_refiner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "sinew/offline/learn/model_values.h"

namespace sinew::autorig {
namespace {

constexpr int kRoundsOfFirst = 2;
constexpr double kFarthestMove = 0.04;                        // in a round, in heights
constexpr double kUsualError = 0.008, kSpreadOfErrors = 0.6;  // of joints to train with; in heights, and a logarithm

JointPositions Mirrored(const JointPositions& joints) {
  JointPositions image;
  for (int j = 0; j < kJoints; ++j) {
    image.row(j) = joints.row(BipedJoints()[j].mirrored).cwiseProduct(Eigen::RowVector3d(-1, 1, 1));
  }
  return image;
}

// Moves of all joints, in the axes of the view.
JointPositions MovesInView(const learn::Network& network, const SurfaceQuery& surface, const JointPositions& joints,
                           const BodyFrame& frame, bool mirrored) {
  const std::vector<float> soundings = TakeSoundings(surface, joints, frame, mirrored);
  const Eigen::MatrixXf answer =
      learn::Evaluate(network, Eigen::Map<const Eigen::MatrixXf>(soundings.data(), kSoundings, 1));
  const std::array<Eigen::Matrix3d, kJoints> axes = JointAxes(JointsInView(joints, frame, mirrored));
  JointPositions moves;
  for (int j = 0; j < kJoints; ++j) {
    moves.row(j) = (axes[j] * answer.col(0).segment<3>(3 * Eigen::Index{j}).cast<double>()).transpose();
  }
  return moves;
}

constexpr const char* kPrefix = "refiner";

std::string PrefixOf(size_t network) {
  return network == 0 ? std::string(kPrefix) : fmt::format("{}_{}", kPrefix, network + 1);
}

}  // namespace

JointRefiner JointRefiner::Of(const learn::Model& model, const std::string& file) {
  JointRefiner refiner;
  for (size_t k = 0; learn::HasNetwork(model, PrefixOf(k)); ++k) {
    refiner.Add(learn::TakeNetwork(model, PrefixOf(k), kSoundings, 3 * kJoints, file));
  }
  return refiner;
}

void JointRefiner::Store(learn::Model& model) const {
  std::erase_if(model.tensors, [](const learn::Tensor& tensor) { return tensor.name.starts_with(kPrefix); });
  for (size_t k = 0; k < networks_.size(); ++k) learn::PutNetwork(networks_[k], PrefixOf(k), model);
}

JointPositions JointRefiner::Refine(const SurfaceQuery& surface, const JointPositions& joints) const {
  JointPositions refined = joints;
  for (size_t k = 0; k < networks_.size(); ++k) {
    for (int round = 0; round < (k == 0 ? kRoundsOfFirst : 1); ++round) {
      const std::optional<BodyFrame> frame = RefinedFrame(refined);
      if (!frame) return joints;
      const JointPositions straight = MovesInView(networks_[k], surface, refined, *frame, false);
      const JointPositions image = Mirrored(MovesInView(networks_[k], surface, refined, *frame, true));
      for (int j = 0; j < kJoints; ++j) {
        Eigen::Vector3d move = (straight.row(j) + image.row(j)).transpose() / 2;
        if (move.norm() > kFarthestMove) move *= kFarthestMove / move.norm();
        refined.row(j) += frame->height * (frame->turn.transpose() * move).transpose();
      }
    }
  }
  return refined;
}

JointPositions DrawErrors(double strength, Random& random) {
  JointPositions errors;
  for (int j = 0; j < kJoints; ++j) {
    const int parent = BipedJoints()[j].parent;
    // Error shared with the joint above, and the error of its own.
    for (int r = 0; r < 3; ++r) {
      const double above = parent >= 0 ? 0.6 * errors(parent, r) : 0;
      errors(j, r) = above + (parent >= 0 ? 0.8 : 1) * strength * random.Normal() / std::sqrt(3.0);
    }
  }
  return errors;
}

void AddSamples(const JointRefiner& refiner, const SurfaceQuery& surface, const JointPositions& joints, Random& random,
                SoundingSamples& samples) {
  const std::optional<BodyFrame> own = RefinedFrame(joints);
  if (!own) return;
  const double strength = kUsualError * std::exp(kSpreadOfErrors * random.Normal());
  const JointPositions wrong = refiner.Refine(surface, joints + own->height * DrawErrors(strength, random));
  const std::optional<BodyFrame> frame = RefinedFrame(wrong);
  if (!frame) return;
  for (const bool mirrored : {false, true}) {
    const JointPositions found = JointsInView(wrong, *frame, mirrored), right = JointsInView(joints, *frame, mirrored);
    const std::array<Eigen::Matrix3d, kJoints> axes = JointAxes(found);
    std::vector<float> moves;
    for (int j = 0; j < kJoints; ++j) {
      const Eigen::Vector3d move = axes[j].transpose() * (right.row(j) - found.row(j)).transpose();
      for (int r = 0; r < 3; ++r) moves.push_back(static_cast<float>(move[r]));
    }
    samples.soundings.push_back(TakeSoundings(surface, wrong, *frame, mirrored));
    samples.moves.push_back(std::move(moves));
  }
}

}  // namespace sinew::autorig
