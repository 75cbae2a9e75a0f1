#include "sinew/offline/autorig/rig_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/learn/model_values.h"

namespace sinew::autorig {
namespace {

constexpr const char* kKind = "rig";
constexpr int kVersion = 1;  // of features and answers: another version means other numbers
constexpr const char* kMean = "votes.mean";
constexpr const char* kDeviation = "votes.deviation";
constexpr const char* kShortest = "bones.shortest";
constexpr const char* kLongest = "bones.longest";
constexpr const char* kSpread = "votes.usual_spread";
constexpr const char* kRemedy = "train it again with `sinew learn rig`";

RigCard TakeCard(const learn::Model& model, const std::string& file) {
  const Json& settings = *model.settings;
  if (settings.value("kind", Json()) != kKind) {
    throw InputError(file, "settings", "is no rigging network", "give a model that `sinew learn rig` wrote");
  }
  const JsonFields fields(settings, file, "settings", kRemedy);
  if (settings.value("version", Json()) != kVersion) {
    fields.Fail(fmt::format("is of another version than {}, which this program is for", kVersion));
  }
  return {fields.String("network"), settings.value("training", Json::object()), model.recipe_hash, model.licence};
}

double TakePositive(const learn::Model& model, const char* name, const std::string& file) {
  const float value = learn::TakeVector(model, name, 1, file, kRemedy)[0];
  if (!(value > 0)) throw InputError(file, name, "is not positive", kRemedy);
  return value;
}

VoteScaling TakeScaling(const learn::Model& model, const std::string& file) {
  const std::vector<float>& mean = learn::TakeVector(model, kMean, kVoteColumns, file, kRemedy);
  VoteScaling scaling;
  for (int k = 0; k < kVoteColumns; ++k) scaling.mean(k / 3, k % 3) = mean[k];
  scaling.deviation = TakePositive(model, kDeviation, file);
  return scaling;
}

Usual TakeUsual(const learn::Model& model, const std::string& file) {
  Usual usual;
  const std::vector<float>&shortest = learn::TakeVector(model, kShortest, kJoints, file, kRemedy),
        &longest = learn::TakeVector(model, kLongest, kJoints, file, kRemedy);
  std::copy(shortest.begin(), shortest.end(), usual.shortest.begin());
  std::copy(longest.begin(), longest.end(), usual.longest.begin());
  usual.spread = TakePositive(model, kSpread, file);
  return usual;
}

}  // namespace

VoteScaling FitVotes(const std::vector<const JointPositions*>& joints) {
  VoteScaling scaling;
  if (joints.empty()) return scaling;
  for (const JointPositions* each : joints) scaling.mean += *each / static_cast<double>(joints.size());
  double sum = 0;
  for (const JointPositions* each : joints) sum += (*each - scaling.mean).squaredNorm();
  const double variance = sum / static_cast<double>(joints.size() * kVoteColumns);
  if (variance > 0) scaling.deviation = std::sqrt(variance);
  return scaling;
}

std::array<double, kJoints> BoneLengths(const JointPositions& joints) {
  std::array<double, kJoints> lengths = {};
  for (int j = 0; j < kJoints; ++j) {
    const int parent = BipedJoints()[j].parent;
    if (parent >= 0) lengths[j] = (joints.row(j) - joints.row(parent)).norm();
  }
  return lengths;
}

Usual FitBones(const std::vector<const JointPositions*>& joints) {
  Usual usual;
  for (size_t k = 0; k < joints.size(); ++k) {
    const std::array<double, kJoints> lengths = BoneLengths(*joints[k]);
    for (int j = 0; j < kJoints; ++j) {
      usual.shortest[j] = k == 0 ? lengths[j] : std::min(usual.shortest[j], lengths[j]);
      usual.longest[j] = std::max(usual.longest[j], lengths[j]);
    }
  }
  return usual;
}

RowMatrix TargetsOf(const Example& example, const VoteScaling& scaling) {
  RowMatrix targets(example.weights.rows(), kAnswerColumns);
  targets.leftCols(kJoints) = example.weights;
  const JointPositions scaled = (example.joints - scaling.mean) / scaling.deviation;
  for (int k = 0; k < kVoteColumns; ++k) {
    targets.col(kJoints + k).setConstant(static_cast<float>(scaled(k / 3, k % 3)));
  }
  return targets;
}

learn::Model MakeRigModel(const layers::DescribedNetwork& network, const std::vector<float>& parameters,
                          const VoteScaling& scaling, const Usual& usual, const RigCard& card, const Json& figures) {
  learn::Model model;
  model.architecture = JsonBox(network.description());
  model.settings =
      JsonBox(Json{{"kind", kKind}, {"version", kVersion}, {"network", card.network}, {"training", card.training}});
  model.recipe_hash = card.recipe_hash;
  model.licence = card.licence;
  model.figures = JsonBox(figures);
  model.tensors = network.ToTensors(parameters, learn::TensorPrecision::kFloat);
  model.tensors.push_back(
      learn::ToVector(kMean, std::span(scaling.mean.data(), static_cast<size_t>(scaling.mean.size()))));
  model.tensors.push_back(learn::ToVector(kDeviation, std::span(&scaling.deviation, 1)));
  model.tensors.push_back(learn::ToVector(kShortest, usual.shortest));
  model.tensors.push_back(learn::ToVector(kLongest, usual.longest));
  model.tensors.push_back(learn::ToVector(kSpread, std::span(&usual.spread, 1)));
  return model;
}

RigNetwork::RigNetwork(const learn::Model& model, const std::string& file)
    : network_(*model.architecture, file),
      parameters_(network_.ParametersOf(model, file)),
      scaling_(TakeScaling(model, file)),
      usual_(TakeUsual(model, file)),
      card_(TakeCard(model, file)) {
  if (network_.inputs() != kFeatureColumns || network_.outputs() != kAnswerColumns) {
    throw InputError(file, "architecture",
                     fmt::format("takes {} numbers of an edge and answers {}, but a rigging network takes {} and "
                                 "answers {}",
                                 network_.inputs(), network_.outputs(), kFeatureColumns, kAnswerColumns),
                     kRemedy);
  }
}

RigAnswer RigNetwork::Evaluate(const EdgeInput& input) const {
  return PoolVotes(network_.Evaluate(parameters_, input.features, {.rings = &input.rings}), input, scaling_);
}

RigAnswer RigNetwork::EvaluateBothWays(const EdgeInput& input) const {
  const RigAnswer straight = Evaluate(input);
  EdgeInput mirrored = input;
  mirrored.features.col(0) *= -1;
  mirrored.features.col(kPositionColumns) *= -1;  // of the normal
  const RigAnswer other = Evaluate(mirrored);
  RigAnswer both = straight;
  for (int j = 0; j < kJoints; ++j) {
    const int image = BipedJoints()[j].mirrored;
    const Eigen::RowVector3d back = other.joints.row(image).cwiseProduct(Eigen::RowVector3d(-1, 1, 1));
    both.joints.row(j) = (straight.joints.row(j) + back) / 2;
    both.spreads[j] = (straight.spreads[j] + other.spreads[image]) / 2;
    both.weights.col(j) = (straight.weights.col(j) + other.weights.col(image)) / 2;
  }
  return both;
}

double RigAnswer::MeanSpread() const { return std::accumulate(spreads.begin(), spreads.end(), 0.0) / kJoints; }

RigAnswer PoolVotes(const RowMatrix& answer, const EdgeInput& input, const VoteScaling& scaling) {
  RigAnswer rig;
  rig.weights = answer.leftCols(kJoints);
  for (int j = 0; j < kJoints; ++j) {
    const int parent = BipedJoints()[j].parent;
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    double total = 0, squares = 0;
    for (Eigen::Index e = 0; e < answer.rows(); ++e) {
      const double weight = input.areas[e] * (rig.weights(e, j) + (parent < 0 ? 0.0F : rig.weights(e, parent)));
      const Eigen::Vector3d vote = answer.row(e).segment<3>(kJoints + 3 * j).cast<double>().transpose();
      sum += weight * vote;
      squares += weight * vote.squaredNorm();
      total += weight;
    }
    if (!(total > 0)) continue;  // no edge follows the joint or its parent: it stays at its mean place
    const Eigen::Vector3d mean = sum / total;
    rig.joints.row(j) = scaling.mean.row(j) + scaling.deviation * mean.transpose();
    rig.spreads[j] = scaling.deviation * std::sqrt(std::max(0.0, squares / total - mean.squaredNorm()));
  }
  return rig;
}

}  // namespace sinew::autorig
