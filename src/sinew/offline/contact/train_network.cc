#include "sinew/offline/contact/train_network.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sinew/offline/core/json.h"
#include "sinew/offline/core/progress.h"

namespace sinew::contact {
namespace {

using Clock = std::chrono::steady_clock;
using learn::RowMatrix;
using learn::TrainingState;

// Streams of random numbers; that of step t is kSteps + t.
enum Stream : uint64_t { kStart, kSteps };
constexpr int kLooks = 40;      // over a training
constexpr int kTimedSteps = 5;  // by which the number of steps is found
constexpr int64_t kFewestSteps = 100;
constexpr double kSecondsPerCheckpoint = 60;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// One step; returns the loss before it.
double Step(const layers::DescribedNetwork& network, const std::function<void(Random&, RowBatch&)>& make,
            const TrainOptions& options, int64_t steps, RowBatch& batch, TrainingState& state) {
  Random random(options.seed, kSteps + state.step);
  make(random, batch);
  std::vector<float> gradient(network.parameter_count(), 0.0f);
  const double loss = BatchLoss(network, state.parameters, batch, &gradient);
  AdvanceTraining(gradient, learn::CosineRate(options.rate, state.step + 1, steps), 0, {}, state);
  return loss;
}

// Returns how many steps take options.minutes, by doing a few that are then forgotten.
int64_t StepsFor(const layers::DescribedNetwork& network, const std::function<void(Random&, RowBatch&)>& make,
                 const TrainOptions& options, TrainingState state) {
  RowBatch batch;
  Step(network, make, options, kTimedSteps, batch, state);
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < kTimedSteps; ++i) Step(network, make, options, kTimedSteps + 1, batch, state);
  const double seconds = SecondsSince(start) / kTimedSteps;
  return std::max(kFewestSteps, static_cast<int64_t>(60 * options.minutes / std::max(seconds, 1e-6)));
}

}  // namespace

double BatchLoss(const layers::DescribedNetwork& network, std::span<const float> parameters, const RowBatch& batch,
                 std::vector<float>* gradient) {
  const layers::NetworkTrace trace = network.Forward(parameters, batch.inputs, {}, gradient != nullptr);
  const RowMatrix error = trace.output() - batch.targets;
  RowMatrix dy(error.rows(), error.cols());
  double loss = 0;
  for (Eigen::Index i = 0; i < error.rows(); ++i) {
    loss += batch.weights[i] * static_cast<double>(error.row(i).squaredNorm());
    dy.row(i) = 2 * batch.weights[i] * error.row(i);
  }
  for (size_t e = 0; e < batch.edges.size(); ++e) {
    const auto [a, b] = batch.edges[e];
    const Eigen::RowVectorXf difference = error.row(a) - error.row(b);
    loss += batch.edge_weights[e] * static_cast<double>(difference.squaredNorm());
    dy.row(a) += 2 * batch.edge_weights[e] * difference;
    dy.row(b) -= 2 * batch.edge_weights[e] * difference;
  }
  if (gradient != nullptr) network.Backward(parameters, trace, {}, dy, *gradient);
  return loss;
}

Trained TrainNetwork(const layers::DescribedNetwork& network, const std::function<void(Random&, RowBatch&)>& make,
                     const RowBatch& validation, const TrainOptions& options) {
  Random start(options.seed, kStart);
  TrainingState state = learn::StartTraining(network.InitialParameters(start), start);
  if (!options.checkpoint.empty() && std::filesystem::exists(options.checkpoint)) {
    state = learn::ReadTrainingState(options.checkpoint, options.inputs);
  } else {
    const int64_t steps = options.steps > 0 ? options.steps : StepsFor(network, make, options, state);
    state.trainer = Json{{"steps", steps}};
  }
  const int64_t steps = (*state.trainer).value("steps", options.steps);
  const int64_t look_every = std::max<int64_t>(1, steps / kLooks);
  const Clock::time_point begin = Clock::now();
  Clock::time_point kept = begin;
  const auto keep = [&] {
    if (!options.checkpoint.empty()) WriteTrainingState(state, options.inputs, options.checkpoint);
    kept = Clock::now();
  };
  Progress progress(options.label, steps - state.step, "steps");
  RowBatch batch;
  const int64_t first = state.step;
  while (state.step < steps) {
    const double loss = Step(network, make, options, steps, batch, state);
    progress.Advance();
    if (state.step % look_every == 0 || state.step == steps) {
      const double held = BatchLoss(network, state.parameters, validation, nullptr);
      const double rate = learn::CosineRate(options.rate, state.step, steps);
      NoteLook({.step = state.step, .training = loss, .validation = held, .rate = rate}, steps + 1, state);
    }
    if (SecondsSince(kept) > kSecondsPerCheckpoint) keep();
  }
  if (state.step > first) keep();
  return {.parameters = state.best.empty() ? state.parameters : state.best,
          .steps = state.step,
          .seconds = SecondsSince(begin),
          .history = state.history};
}

}  // namespace sinew::contact
