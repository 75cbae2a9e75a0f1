#include "sinew/offline/learn/fit_network.h"

#include <cmath>

#include "sinew/offline/learn/adam.h"
#include "sinew/offline/learn/fit_run.h"
#include "sinew/offline/learn/network_layers.h"

namespace sinew::learn {
namespace {

RowMatrix HiddenLayer(const ConstRows& W, const Eigen::Map<const Eigen::VectorXf>& b, const ConstRows& x) {
  RowMatrix h(W.rows(), x.cols());
  Product(W, x, h);
  h.colwise() += b;
  Tanh(h);
  return h;
}

// Gathers the samples of a step, with the rest pose as the last column.
void Gather(const Samples& samples, std::span<const int> chosen, Samples& batch) {
  const auto count = static_cast<Eigen::Index>(chosen.size());
  batch.inputs.resize(samples.inputs.rows(), count + 1);
  batch.targets.resize(samples.targets.rows(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    batch.inputs.col(i) = samples.inputs.col(chosen[i]);
    batch.targets.col(i) = samples.targets.col(chosen[i]);
  }
  batch.inputs.col(count) = samples.inputs.col(samples.targets.cols());
}

}  // namespace

double NetworkLoss(const NetworkShape& shape, const float* parameters, const ConstRows& inputs_and_rest,
                   const ConstRows& targets, float* gradient) {
  // Forward pass.
  const ConstLayers layers(shape, parameters);
  const Eigen::Index count = targets.cols();
  const RowMatrix h1 = HiddenLayer(layers.W1, layers.b1, inputs_and_rest);
  const RowMatrix h2 = HiddenLayer(layers.W2, layers.b2, h1);
  const RowMatrix change = h2.leftCols(count).colwise() - h2.col(count);
  RowMatrix error(shape.outputs, count);
  Product(layers.W3, change, error);
  error -= targets;
  const double loss = error.squaredNorm() / static_cast<double>(count);
  if (gradient == nullptr) return loss;

  // Backward pass. The rest pose is subtracted from every sample, so its gradient is minus the sum of theirs.
  MutableLayers d(shape, gradient);
  error *= 2.0f / static_cast<float>(count);
  ProductTransposed(error, change, d.W3);
  RowMatrix d2(shape.width, count + 1);
  Product(RowMatrix(layers.W3.transpose()), error, d2.leftCols(count));
  d2.col(count) = -d2.leftCols(count).rowwise().sum();
  ThroughTanh(h2, d2);
  ProductTransposed(d2, h1, d.W2);
  d.b2 = d2.rowwise().sum();
  RowMatrix d1(shape.width, count + 1);
  Product(RowMatrix(layers.W2.transpose()), d2, d1);
  ThroughTanh(h1, d1);
  ProductTransposed(d1, inputs_and_rest, d.W1);
  d.b1 = d1.rowwise().sum();
  return loss;
}

Fit FitNetwork(const Samples& training, const Samples& validation, const FitOptions& options) {
  FitRun run(training, validation, options);
  std::vector<float> parameters = run.start(), gradient(parameters.size());
  std::vector<float> first(parameters.size(), 0.0f), second(parameters.size(), 0.0f);
  Samples batch;
  for (int step = 1;;) {
    double losses = 0;
    const int steps = run.StepsToLook(step);
    for (const int end = step + steps; step < end; ++step) {
      Gather(run.seen(), run.NextBatch(), batch);
      losses += NetworkLoss(run.shape(), parameters.data(), batch.inputs, batch.targets, gradient.data());
      const FitRun::Step now = run.StepAt(step);
      AdvanceAdam<float>(gradient, now.scale, now.keep, {}, first, second, parameters);
    }
    const double validated =
        NetworkLoss(run.shape(), parameters.data(), run.held().inputs, run.held().targets, nullptr);
    if (!run.Look(step - 1, losses / steps, validated, [&] { return parameters; })) return run.Finish();
  }
}

}  // namespace sinew::learn
