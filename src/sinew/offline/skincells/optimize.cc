#include "sinew/offline/skincells/optimize.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/learn/adam.h"
#include "sinew/offline/skincells/field_file.h"
#include "sinew/offline/skincells/parameters.h"

namespace sinew::skincells {
namespace {

// Epsilon of Adam, added to the root of the corrected second moment. It is small because losses are small numbers, and
// so are their gradients.
constexpr double kEpsilon = 1e-10;
constexpr double kGain = 1e-3;      // smallest relative decrease of the loss that counts as a gain
constexpr double kLastRate = 0.05;  // last step size over the first

std::span<double> AsSpan(Eigen::VectorXd& values) { return {values.data(), static_cast<size_t>(values.size())}; }
std::span<const double> AsSpan(const Eigen::VectorXd& values) {
  return {values.data(), static_cast<size_t>(values.size())};
}

// Hash of inputs, settings and initial field: a checkpoint is usable only where all of these are the same.
std::string HashInputs(const TrainingSet& set, const SkinField& initial, const OptimizeOptions& options) {
  Bytes bytes = EncodeField(initial);
  const auto add = [&](const auto* data, size_t count) {
    const auto raw = std::as_bytes(std::span(data, count));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  };
  const double settings[] = {double(options.steps),     double(options.seed),  options.weights.dm,
                             options.weights.loc,       options.weights.sp,    options.place_rate,
                             options.shape_rate,        options.relaxed,       double(options.measure_every),
                             double(options.patience),  options.weights.guide, options.weights.col,
                             options.mirror ? 1.0 : 0.0};
  add(settings, std::size(settings));
  add(set.points.data(), set.points.size());
  add(set.neighbors.items.data(), set.neighbors.items.size());
  for (const TrainingPose& pose : set.poses) {
    for (const Eigen::Affine3d& T : pose.T) add(T.data(), 16);
  }
  for (const Guide& guide : set.guides) {
    const double numbers[] = {double(guide.vertex), double(guide.joint), guide.target, guide.strength};
    add(numbers, std::size(numbers));
  }
  if (set.collider) {
    add(set.collider->margins.data(), set.collider->margins.size());
    for (const PosedBody& body : set.collider->bodies) add(body.points().data(), body.points().size());
  }
  return HashHex(bytes);
}

// Poses of each step: every pose comes once before any comes again, in a new order each round.
class Batches {
 public:
  Batches(int poses, uint64_t seed) : seed_(seed), order_(poses) {}

  std::vector<int> Take(int step) {
    const int per_round = static_cast<int>(order_.size()) / kBatch, round = step / per_round;
    if (round != round_) Shuffle(round);
    const auto begin = order_.begin() + step % per_round * kBatch;
    return {begin, begin + kBatch};
  }

 private:
  void Shuffle(int round) {
    round_ = round;
    std::iota(order_.begin(), order_.end(), 0);
    Random random(seed_, round);
    for (size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random.Below(static_cast<uint32_t>(i))]);
  }

  const uint64_t seed_;
  std::vector<int> order_;
  int round_ = -1;
};

// Step size of every parameter before the schedule.
Eigen::VectorXd Rates(int cells, int sites, const OptimizeOptions& options) {
  Eigen::VectorXd rates = Eigen::VectorXd::Constant(cells * CellSize(sites), options.shape_rate);
  for (int j = 0; j < cells; ++j) {
    for (int k = 0; k < sites; ++k) {
      rates.segment<3>(j * CellSize(sites) + 2 + k * kSiteSize).setConstant(options.place_rate);
    }
  }
  return rates;
}

// Clamps logarithms to what floats and the field file can hold, so that cells stay of a size with the body.
void KeepInRange(int cells, int sites, Eigen::VectorXd& parameters) {
  for (int j = 0; j < cells; ++j) {
    const int at = j * CellSize(sites);
    parameters[at] = std::clamp(parameters[at], -3.0, 3.0);
    parameters[at + 1] = std::clamp(parameters[at + 1], -15.0, 1.0);
    for (int k = 0; k < sites; ++k) {
      const int site = at + 2 + k * kSiteSize;
      for (const int n : {0, 2, 5}) {
        double& diagonal = parameters[site + kSiteF + n];
        diagonal = std::clamp(diagonal, -4.0, 4.0);
      }
      parameters[site + kSiteT] = std::clamp(parameters[site + kSiteT], -9.0, 1.0);
    }
  }
}

class Optimizer {
 public:
  Optimizer(const TrainingSet& set, const SkinField& initial, const OptimizeOptions& options)
      : options_(options),
        initial_(initial),
        cells_(static_cast<int>(initial.cells.size())),
        sites_(static_cast<int>(initial.cells[0].sites.size())),
        objective_(set, sites_, initial.l, options.weights),
        batches_(static_cast<int>(set.poses.size()) - kBatch, options.seed),
        rates_(Rates(cells_, sites_, options)),
        inputs_(options.checkpoint.empty() ? "" : HashInputs(set, initial, options)) {
    measured_.resize(kBatch);
    std::iota(measured_.begin(), measured_.end(), static_cast<int>(set.poses.size()) - kBatch);
  }

  OptimizeResult Run() {
    Start();
    const int resumed_at = state_.step;
    std::optional<Progress> progress;
    if (options_.progress) progress.emplace("optimise weights", options_.steps, "steps");
    if (progress) progress->Advance(state_.step);
    auto saved = std::chrono::steady_clock::now();
    while (state_.step < options_.steps && state_.stale < options_.patience) {
      Step();
      if (progress) progress->Advance();
      if (state_.step % options_.measure_every == 0 || state_.step == options_.steps) Measure();
      const auto now = std::chrono::steady_clock::now();
      if (options_.checkpoint.empty() || now - saved < std::chrono::duration<double>(options_.checkpoint_seconds))
        continue;
      WriteCheckpoint(state_, inputs_, options_.checkpoint);
      saved = now;
    }
    return Finish(resumed_at);
  }

 private:
  void Start() {
    Eigen::VectorXd parameters = ToParameters(initial_);
    if (options_.mirror) options_.mirror->Symmetrize(parameters);
    const auto found = ReadCheckpoint(options_.checkpoint, inputs_, static_cast<int>(parameters.size()));
    if (found) {
      state_ = *found;
      return;
    }
    state_.parameters = state_.best = parameters;
    state_.first = state_.second = Eigen::VectorXd::Zero(parameters.size());
    const Losses losses = objective_.Evaluate(parameters, measured_, 0, nullptr);
    state_.before = state_.after = losses;
    state_.best_loss = losses.total;
    state_.history.push_back({0, objective_.Evaluate(parameters, batches_.Take(0), 1, nullptr), losses});
  }

  int RelaxedSteps() const { return static_cast<int>(options_.relaxed * options_.steps); }

  // Factor on c in this step. c fades out, so that the field is sparse before it is final.
  double Relax() const {
    const int relaxed = RelaxedSteps();
    return state_.step >= relaxed ? 0.0 : 1.0 - static_cast<double>(state_.step) / relaxed;
  }

  void Step() {
    Eigen::VectorXd gradient;
    const Losses losses = objective_.Evaluate(state_.parameters, batches_.Take(state_.step), Relax(), &gradient);
    if (!std::isfinite(losses.total) || !gradient.allFinite()) {
      throw FailedError(fmt::format("the optimisation of weights left the range of numbers at step {}", state_.step));
    }
    if (options_.mirror) options_.mirror->Fold(gradient);
    ++state_.step;
    batch_losses_ = losses;
    const double along = static_cast<double>(state_.step) / options_.steps;
    const double schedule = kLastRate + (1 - kLastRate) * 0.5 * (1 + std::cos(std::numbers::pi * along));
    learn::AdamOptions adam;
    adam.epsilon = kEpsilon * std::sqrt(1 - std::pow(adam.beta2, state_.step));
    learn::AdvanceAdam<double>(AsSpan(gradient), learn::AdamScale(state_.step, schedule, adam), 1, AsSpan(rates_),
                               AsSpan(state_.first), AsSpan(state_.second), AsSpan(state_.parameters), adam);
    KeepInRange(cells_, sites_, state_.parameters);
    if (options_.mirror) options_.mirror->Symmetrize(state_.parameters);
  }

  void Measure() {
    const Losses losses = objective_.Evaluate(state_.parameters, measured_, 0, nullptr);
    const bool better = losses.total < state_.best_loss;
    // While c fades, the sparse field gets worse at times: patience begins once the sparse field is the one optimised.
    const bool gained = losses.total < (1 - kGain) * state_.best_loss || state_.step < RelaxedSteps();
    state_.stale = gained ? 0 : state_.stale + 1;
    if (better) {
      state_.best = state_.parameters;
      state_.best_loss = losses.total;
      state_.after = losses;
    }
    state_.history.push_back({state_.step, batch_losses_, losses});
    if (options_.progress && state_.step % (4 * options_.measure_every) == 0) {
      Info("step {}: loss {:.4g} (smoothness {:.4g}, location {:.4g})", state_.step, losses.total, losses.dm,
           losses.loc);
    }
  }

  OptimizeResult Finish(int resumed_at) const {
    SkinField field = FromParameters(state_.best, initial_);
    for (SkinCell& cell : field.cells) cell.c = 0;
    return {RoundToFile(field), state_.before, state_.after, state_.step, resumed_at, state_.history};
  }

  const OptimizeOptions& options_;
  const SkinField& initial_;
  const int cells_, sites_;
  Objective<float> objective_;
  Batches batches_;
  const Eigen::VectorXd rates_;
  const std::string inputs_;
  std::vector<int> measured_;
  OptimizerState state_;
  Losses batch_losses_;  // losses of the last step
};

}  // namespace

OptimizeResult Optimize(const TrainingSet& set, const SkinField& initial, const OptimizeOptions& options) {
  if (static_cast<int>(set.poses.size()) < 2 * kBatch) {
    throw UsageError(
        fmt::format("{} poses are too few to optimise weights on; give {} or more", set.poses.size(), 2 * kBatch));
  }
  return Optimizer(set, initial, options).Run();
}

}  // namespace sinew::skincells
