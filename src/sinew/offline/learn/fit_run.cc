#include "sinew/offline/learn/fit_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/offline/core/error.h"
#include "sinew/offline/learn/adam.h"
#include "sinew/offline/learn/network_layers.h"
#include "sinew/offline/learn/schedule.h"

namespace sinew::learn {
namespace {

void CheckFit(const Samples& training, const Samples& validation, const FitOptions& options) {
  const bool fits = training.inputs.cols() == training.targets.cols() && training.count() > 0 &&
                    validation.inputs.cols() == validation.targets.cols() && options.width > 0 && options.steps > 0 &&
                    options.batch > 0 &&
                    (training.weights.empty() || static_cast<int>(training.weights.size()) == training.count());
  if (!fits) throw UsageError("training samples, validation samples and options of a network do not fit together");
}

}  // namespace

FitRun::Standard FitRun::StandardOf(const Samples& samples) {
  Standard standard;
  const auto count = static_cast<float>(samples.inputs.cols());
  standard.mean = samples.inputs.rowwise().sum() / count;
  const RowMatrix centred = samples.inputs.colwise() - standard.mean;
  standard.scale = (centred.rowwise().squaredNorm() / count).cwiseSqrt();
  // The noise of an input that hardly varies must not be amplified. An input that never varied is ignored (infinite
  // scale), since the response of the network to it would be arbitrary.
  // Both are judged against the input that varies most, and in absolute terms: inputs are features of rotations, of
  // magnitude 1 for a large turn. Where all joints of a region stand almost still, the one that varies most varies by
  // rounding, and dividing by that gives weights that no half float holds and a response that is noise.
  constexpr float kNever = 1e-3f, kHardly = 0.1f;             // shares of the largest variation
  constexpr float kNeverAtAll = 1e-4f, kHardlyAtAll = 2e-3f;  // turns by about 0.01 and 0.2 degrees
  const float most = standard.scale.maxCoeff();
  for (float& scale : standard.scale) {
    const bool never = scale <= std::max(kNever * most, kNeverAtAll);
    scale = never ? std::numeric_limits<float>::infinity() : std::max({scale, kHardly * most, kHardlyAtAll});
  }
  const double square = samples.targets.cast<double>().squaredNorm() / static_cast<double>(samples.targets.size());
  standard.target_scale = square > 0 ? static_cast<float>(std::sqrt(square)) : 1.0f;
  return standard;
}

// Returns the samples standardised, with the rest pose (all zero in the original units) as the last column of the
// inputs, and, if the network is free there, with the input that says which it is as their last row.
Samples FitRun::WithRest(const Samples& samples) const {
  Samples result;
  const Eigen::Index count = samples.inputs.cols();
  result.inputs.resize(samples.inputs.rows(), count + 1);
  result.inputs.leftCols(count) = samples.inputs;
  result.inputs.col(count).setZero();
  result.inputs = standard_.scale.cwiseInverse().asDiagonal() * (result.inputs.colwise() - standard_.mean);
  result.targets = samples.targets / standard_.target_scale;
  if (options_.free) {
    result.inputs.conservativeResize(samples.inputs.rows() + 1, Eigen::NoChange);
    result.inputs.bottomRows(1).setOnes();
    result.inputs(samples.inputs.rows(), count) = 0;
  }
  return result;
}

std::vector<float> FitRun::StartingParameters(Random& random) const {
  std::vector<float> parameters(shape_.parameter_count(), 0.0f);
  MutableLayers layers(shape_, parameters.data());
  // Initialisation of Glorot and Bengio 2010, for tanh.
  const auto fill = [&](auto& W) {
    const double bound = std::sqrt(6.0 / static_cast<double>(W.rows() + W.cols()));
    for (Eigen::Index i = 0; i < W.size(); ++i) W.data()[i] = static_cast<float>(random.Uniform(-bound, bound));
  };
  fill(layers.W1);
  fill(layers.W2);
  fill(layers.W3);
  for (Eigen::Index i = 0; i < layers.b1.size(); ++i) layers.b1[i] = static_cast<float>(random.Uniform(-0.5, 0.5));
  return parameters;
}

FitRun::FitRun(const Samples& training, const Samples& validation, const FitOptions& options)
    : options_(options), random_(options.seed, options.stream), order_(training.count()) {
  CheckFit(training, validation, options);
  shape_ = {static_cast<int>(training.inputs.rows()) + (options.free ? 1 : 0), options.width,
            static_cast<int>(training.targets.rows())};
  standard_ = StandardOf(training);
  seen_ = WithRest(training);
  held_ = validation.count() > 0 ? WithRest(validation) : seen_;
  unit_ = static_cast<double>(standard_.target_scale) * standard_.target_scale;
  best_ = StartingParameters(random_);
  batch_ = std::min(options.batch, training.count());
  std::iota(order_.begin(), order_.end(), 0);
  next_ = training.count();
  weights_ = training.weights;
  const float most = weights_.empty() ? 1.0f : *std::max_element(weights_.begin(), weights_.end());
  for (float& weight : weights_) weight /= most;
  fit_.validation = std::numeric_limits<double>::infinity();
}

void FitRun::DrawByWeight() {
  order_.clear();
  // Once, but for small sets of which too few were drawn to fill a batch.
  while (static_cast<int>(order_.size()) < batch_) {
    for (int i = 0; i < static_cast<int>(weights_.size()); ++i) {
      if (random_.Uniform(0, 1) < weights_[i]) order_.push_back(i);
    }
  }
}

std::span<const int> FitRun::NextBatch() {
  if (next_ + batch_ > static_cast<int>(order_.size())) {
    if (!weights_.empty()) DrawByWeight();
    for (uint32_t i = static_cast<uint32_t>(order_.size()); i > 1; --i)
      std::swap(order_[i - 1], order_[random_.Below(i)]);
    next_ = 0;
  }
  const std::span<const int> batch(order_.data() + next_, static_cast<size_t>(batch_));
  next_ += batch_;
  return batch;
}

FitRun::Step FitRun::StepAt(int step) const {
  const double rate = CosineRate(options_.rate, step, options_.steps);
  return {static_cast<float>(AdamScale(step, rate)), static_cast<float>(1 - rate * options_.decay)};
}

int FitRun::StepsToLook(int step) const {
  return std::min(kLookEvery - (step - 1) % kLookEvery, options_.steps - step + 1);
}

bool FitRun::Note(int step, double training, double validation) {
  fit_.steps = step;
  fit_.curve.push_back({step, training, validation});
  if (!(validation < fit_.validation)) return false;
  fit_.validation = validation;
  fit_.training = training;
  best_step_ = step;
  return true;
}

Fit FitRun::Finish() {
  fit_.network = Unstandardised();
  return std::move(fit_);
}

// Returns the best network with the standardisation folded into its weights and biases.
Network FitRun::Unstandardised() const {
  const ConstLayers layers(shape_, best_.data());
  Network network;
  const Eigen::Index inputs = standard_.scale.size();
  network.W1 = layers.W1.leftCols(inputs) * standard_.scale.cwiseInverse().asDiagonal();
  network.b1 = layers.b1 - network.W1 * standard_.mean;
  network.W2 = layers.W2;
  network.b2 = layers.b2;
  network.W3 = layers.W3 * standard_.target_scale;
  network.b3 = Eigen::VectorXf::Zero(shape_.outputs);
  network.b3 = -Evaluate(network, Eigen::MatrixXf::Zero(inputs, 1));
  if (options_.free) network.b1 += layers.W1.col(inputs);
  return network;
}

}  // namespace sinew::learn
