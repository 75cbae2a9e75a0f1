#include "sinew/offline/autorig/joint_refiner.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "sinew/offline/learn/model_values.h"

namespace sinew::autorig {
namespace {

constexpr int kRounds = 2;
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

constexpr const char* kNames[] = {"refiner.W1", "refiner.b1", "refiner.W2", "refiner.b2", "refiner.W3", "refiner.b3"};

}  // namespace

JointRefiner JointRefiner::Of(const learn::Model& model, const std::string& file) {
  const learn::Tensor* const first = model.Find(kNames[0]);
  if (first == nullptr) return {};
  const int width = first->shape[0];
  const auto take = [&](int k, int rows, int columns) -> Eigen::MatrixXf {
    const std::vector<float>& values =
        learn::TakeVector(model, kNames[k], size_t(rows) * size_t(columns), file, "train it again");
    return Eigen::Map<const learn::RowMatrix>(values.data(), rows, columns);
  };
  learn::Network network;
  network.W1 = take(0, width, kSoundings);
  network.b1 = take(1, width, 1);
  network.W2 = take(2, width, width);
  network.b2 = take(3, width, 1);
  network.W3 = take(4, 3 * kJoints, width);
  network.b3 = take(5, 3 * kJoints, 1);
  return JointRefiner(std::move(network));
}

void JointRefiner::Store(learn::Model& model) const {
  std::erase_if(model.tensors, [](const learn::Tensor& tensor) {
    return std::find(std::begin(kNames), std::end(kNames), tensor.name) != std::end(kNames);
  });
  const auto add = [&](int k, const Eigen::MatrixXf& numbers) {
    const learn::RowMatrix rows = numbers;
    std::vector<int> shape = {static_cast<int>(rows.rows()), static_cast<int>(rows.cols())};
    if (rows.cols() == 1) shape.pop_back();
    model.tensors.push_back({kNames[k], shape, {rows.data(), rows.data() + rows.size()}});
  };
  add(0, network_.W1);
  add(1, network_.b1);
  add(2, network_.W2);
  add(3, network_.b2);
  add(4, network_.W3);
  add(5, network_.b3);
}

JointPositions JointRefiner::Refine(const SurfaceQuery& surface, const JointPositions& joints) const {
  if (!is_trained()) return joints;
  JointPositions refined = joints;
  for (int round = 0; round < kRounds; ++round) {
    const std::optional<BodyFrame> frame = RefinedFrame(refined);
    if (!frame) return joints;
    const JointPositions straight = MovesInView(network_, surface, refined, *frame, false);
    const JointPositions image = Mirrored(MovesInView(network_, surface, refined, *frame, true));
    for (int j = 0; j < kJoints; ++j) {
      Eigen::Vector3d move = (straight.row(j) + image.row(j)).transpose() / 2;
      if (move.norm() > kFarthestMove) move *= kFarthestMove / move.norm();
      refined.row(j) += frame->height * (frame->turn.transpose() * move).transpose();
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

void AddSamples(const SurfaceQuery& surface, const JointPositions& joints, Random& random, SoundingSamples& samples) {
  const std::optional<BodyFrame> own = RefinedFrame(joints);
  if (!own) return;
  const double strength = kUsualError * std::exp(kSpreadOfErrors * random.Normal());
  const JointPositions wrong = joints + own->height * DrawErrors(strength, random);
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
