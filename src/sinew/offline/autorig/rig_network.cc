#include "sinew/offline/autorig/rig_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/learn/model_values.h"

namespace sinew::autorig {
namespace {

constexpr const char* kKind = "rig";
// Version of features and answers: another one means other numbers. Version 2 has networks that vote, and no areas.
constexpr int kVersion = 3, kOldestVersion = 2;
constexpr const char* kMean = "votes.mean";
constexpr const char* kDeviation = "votes.deviation";
constexpr const char* kShortest = "bones.shortest";
constexpr const char* kLongest = "bones.longest";
constexpr const char* kDoubts = "doubts.usual";
constexpr const char* kLimit = "doubts.limit";
constexpr const char* kRemedy = "train it again with `sinew learn rig`";

RigCard TakeCard(const learn::Model& model, const std::string& file) {
  const Json& settings = *model.settings;
  if (settings.value("kind", Json()) != kKind) {
    throw InputError(file, "settings", "is no rigging network", "give a model that `sinew learn rig` wrote");
  }
  const JsonFields fields(settings, file, "settings", kRemedy);
  const Json version = settings.value("version", Json());
  if (version != kVersion && version != kOldestVersion) {
    fields.Fail(
        fmt::format("is of another version than {} or {}, which this program is for", kOldestVersion, kVersion));
  }
  return {fields.String("network"), settings.value("training", Json::object()), model.recipe_hash, model.licence};
}

double TakePositive(const learn::Model& model, const char* name, const std::string& file) {
  const float value = learn::TakeVector(model, name, 1, file, kRemedy)[0];
  if (!(value > 0)) throw InputError(file, name, "is not positive", kRemedy);
  return value;
}

VoteScaling TakeScaling(const learn::Model& model, const std::string& file) {
  const std::vector<float>& mean = learn::TakeVector(model, kMean, kPlaceColumns, file, kRemedy);
  VoteScaling scaling;
  for (int k = 0; k < kPlaceColumns; ++k) scaling.mean(k / 3, k % 3) = mean[k];
  scaling.deviation = TakePositive(model, kDeviation, file);
  return scaling;
}

Usual TakeUsual(const learn::Model& model, const std::string& file) {
  Usual usual;
  const std::vector<float>&shortest = learn::TakeVector(model, kShortest, kJoints, file, kRemedy),
        &longest = learn::TakeVector(model, kLongest, kJoints, file, kRemedy);
  std::copy(shortest.begin(), shortest.end(), usual.shortest.begin());
  std::copy(longest.begin(), longest.end(), usual.longest.begin());
  const std::vector<float>& doubts = learn::TakeVector(model, kDoubts, 5, file, kRemedy);
  usual.doubts = {doubts[0], doubts[1], doubts[2], doubts[3], doubts[4]};
  usual.limit = TakePositive(model, kLimit, file);
  return usual;
}

}  // namespace

VoteScaling FitVotes(const std::vector<const JointPositions*>& joints) {
  VoteScaling scaling;
  if (joints.empty()) return scaling;
  for (const JointPositions* each : joints) scaling.mean += *each / static_cast<double>(joints.size());
  double sum = 0;
  for (const JointPositions* each : joints) sum += (*each - scaling.mean).squaredNorm();
  const double variance = sum / static_cast<double>(joints.size() * kPlaceColumns);
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

std::vector<float> PlacesOf(const JointPositions& joints, const VoteScaling& scaling) {
  std::vector<float> places(kPooledColumns, 0);  // spreads should be zero
  const JointPositions scaled = (joints - scaling.mean) / scaling.deviation;
  for (int k = 0; k < kPlaceColumns; ++k) places[k] = static_cast<float>(scaled(k / 3, k % 3));
  return places;
}

double Doubt(const Doubts& doubts, const Usual& usual) {
  const auto ratio = [](double value, double known) { return std::log(std::max(value, 1e-9) / std::max(known, 1e-9)); };
  // One joint outside is nothing: without it, none would be infinitely less than a few.
  constexpr double kOne = 1.0 / kJoints;
  return std::exp((ratio(doubts.spread, usual.doubts.spread) + ratio(doubts.moved, usual.doubts.moved) +
                   ratio(doubts.sides, usual.doubts.sides) + ratio(doubts.distance, usual.doubts.distance) +
                   ratio(kOne + doubts.outside, kOne + usual.doubts.outside)) /
                  5);
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
  const Doubts& known = usual.doubts;
  model.tensors.push_back(
      learn::ToVector(kDoubts, std::array{known.spread, known.moved, known.sides, known.distance, known.outside}));
  model.tensors.push_back(learn::ToVector(kLimit, std::span(&usual.limit, 1)));
  return model;
}

RigNetwork::RigNetwork(const learn::Model& model, const std::string& file)
    : network_(*model.architecture, file),
      parameters_(network_.ParametersOf(model, file)),
      scaling_(TakeScaling(model, file)),
      usual_(TakeUsual(model, file)),
      refiner_(JointRefiner::Of(model, file)),
      weight_refiner_(WeightRefiner::Of(model, file)),
      card_(TakeCard(model, file)) {
  const bool known_inputs = network_.inputs() == kFeatureColumns || network_.inputs() == kSurfaceColumns;
  const bool known_answer = network_.outputs() == kAnswerColumns || network_.outputs() == kOffsetAnswerColumns;
  if (!known_inputs || !known_answer || !network_.answers_rows() || network_.reach() > kWideRings) {
    throw InputError(file, "architecture",
                     fmt::format("takes {} numbers of an edge and answers {}, but a rigging network takes {} or {} and "
                                 "answers {} or {} for every edge",
                                 network_.inputs(), network_.outputs(), kFeatureColumns, kSurfaceColumns,
                                 kAnswerColumns, kOffsetAnswerColumns),
                     kRemedy);
  }
}

RigAnswer RigNetwork::Look(const EdgeInput& input) const {
  const layers::Domain domain{.rings = &input.edges->rings, .wide = input.edges->wide};
  return ReadAnswer(network_.Evaluate(parameters_, NetworkInput(input, network_.inputs()), domain), scaling_);
}

RowMatrix NetworkInput(const EdgeInput& input, int columns) {
  if (columns == kFeatureColumns) return input.features;
  RowMatrix seen(input.features.rows(), kSurfaceColumns);
  seen.leftCols(kFeatureColumns) = input.features;
  const auto edges = static_cast<float>(input.areas.size());
  for (Eigen::Index e = 0; e < seen.rows(); ++e) seen(e, kFeatureColumns) = edges * input.areas[e];
  return seen;
}

RigAnswer RigNetwork::LookBothWays(const EdgeInput& input) const {
  std::array<RigAnswer, 2> looks;
  ParallelFor(2, 1, [&](int k) { looks[k] = Look(k == 0 ? input : Mirrored(input)); });
  const auto& [straight, other] = looks;
  RigAnswer both = straight;
  for (int j = 0; j < kJoints; ++j) {
    const int image = BipedJoints()[j].mirrored;
    const Eigen::RowVector3d back = other.joints.row(image).cwiseProduct(Eigen::RowVector3d(-1, 1, 1));
    both.joints.row(j) = (straight.joints.row(j) + back) / 2;
    both.spreads[j] = (straight.spreads[j] + other.spreads[image]) / 2;
    both.weights.col(j) = (straight.weights.col(j) + other.weights.col(image)) / 2;
    both.sides += (straight.joints.row(j) - back).norm() / kJoints;
  }
  return both;
}

RigAnswer RigNetwork::Rig(const EdgeInput& input) const {
  const RigAnswer first = LookBothWays(InFrame(input, BodyFrame{}, false));
  const std::optional<BodyFrame> frame = RefinedFrame(first.joints);
  if (!frame) return first;
  RigAnswer second = RigInFrame(input, *frame);
  for (int j = 0; j < kJoints; ++j) second.moved += (second.joints.row(j) - first.joints.row(j)).norm() / kJoints;
  return second;
}

RigAnswer RigNetwork::RigInFrame(const EdgeInput& input, const BodyFrame& frame) const {
  RigAnswer answer = LookBothWays(InFrame(input, frame, true));
  for (int j = 0; j < kJoints; ++j) {
    answer.joints.row(j) = frame.ToFile(answer.joints.row(j).transpose()).transpose();
    answer.spreads[j] *= frame.height;
  }
  answer.sides *= frame.height;
  answer.frame = frame;
  return answer;
}

double RigAnswer::MeanSpread() const { return std::accumulate(spreads.begin(), spreads.end(), 0.0) / kJoints; }

RigAnswer ReadAnswer(const RowMatrix& answer, const VoteScaling& scaling) {
  RigAnswer rig;
  rig.weights = answer.leftCols(kJoints);
  for (int j = 0; j < kJoints; ++j) {
    const Eigen::RowVector3d place = answer.row(0).segment<3>(kJoints + 3 * j).cast<double>();
    rig.joints.row(j) = scaling.mean.row(j) + scaling.deviation * place;
    if (answer.cols() < kAnswerColumns) continue;
    rig.spreads[j] = scaling.deviation / kSpreadScale * answer(0, kJoints + kPlaceColumns + j);
  }
  return rig;
}

}  // namespace sinew::autorig
