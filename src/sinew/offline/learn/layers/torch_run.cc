#include "sinew/offline/learn/layers/torch_run.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/learn/layers/torch_layers.h"
#include "sinew/offline/learn/schedule.h"

namespace sinew::layers {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLooks = 40;                                      // at validation frames, in a whole training
constexpr std::chrono::seconds kSecondsBetweenCheckpoints(30);  // a kill loses less than a minute

// Seeds of poses differ from those of the order of frames, and those of looks from those of steps.
constexpr uint64_t kStepPoses = 0x706f736573, kLookPoses = 0x6c6f6f6b73;

SinewTorchOptions TorchOptions(const RunOptions& options, int inputs, const SinewTorchRig* rig, bool alone,
                               const SinewTorchShapes* shapes = nullptr) {
  return {.inputs = inputs,
          .cuda = options.cuda ? 1 : 0,
          .threads = options.threads,
          .beta1 = 0.9,
          .beta2 = 0.999,
          .epsilon = 1e-8,
          .decay = options.decay,
          .momentum = kBatchNormMomentum,
          .huber = options.huber,
          .edges = options.edges,
          .shared = options.shared,
          .rig = rig,
          .rig_alone = alone ? 1 : 0,
          .shapes = shapes};
}

learn::TorchTrainer MakeTrainer(const DescribedNetwork& network, const RunOptions& options, const RigRun* rig,
                                const ShapeRun* shapes) {
  if (shapes != nullptr) {
    const JointNetworks& networks = shapes->networks;
    const SinewTorchShapes plain = {.joints = networks.joints,
                                    .shapes = networks.widths[2],
                                    .widths = {networks.widths[0], networks.widths[1]},
                                    .slope = networks.slope,
                                    .rate = static_cast<float>(shapes->rate),
                                    .scale = shapes->scale};
    return {ToTorch(network), TorchOptions(options, network.inputs(), nullptr, true, &plain)};
  }
  if (rig == nullptr) return {ToTorch(network), TorchOptions(options, network.inputs(), nullptr, false)};
  const RigLossOptions& loss = rig->loss;
  const std::vector<float> means(loss.means.begin(), loss.means.end());
  const SinewTorchRig plain = {.joints = loss.joints(),
                               .parents = loss.parents.data(),
                               .means = means.data(),
                               .deviation = loss.deviation,
                               .scale = loss.scale,
                               .weights = loss.weights,
                               .offsets = loss.offsets,
                               .root = loss.root,
                               .poses = static_cast<int>(loss.poses.size()),
                               .pose_factors = loss.poses.data()};
  return {ToTorch(network), TorchOptions(options, network.inputs(), &plain, rig->alone)};
}

}  // namespace

void CheckOptions(const RunOptions& options) {
  if (!options.anneal) return;
  if (!(options.minutes > 0)) throw UsageError("--anneal: there is no time to fall in; give it with --minutes");
  if (options.plateau) throw UsageError("--anneal: the rate cannot fall by the clock and with --schedule plateau");
}

Json JsonOf(const RunOptions& options) {
  Json json = {{"seed", options.seed},
               {"steps", options.steps},
               {"batch", options.batch},
               {"rate", options.rate},
               {"schedule", options.plateau ? "plateau" : "cosine"},
               {"decay", options.decay},
               {"edges", options.edges},
               {"patience", options.patience}};
  if (options.huber > 0) json["huber"] = options.huber;
  if (options.anneal) json["schedule"] = "cosine by the clock";
  return json;
}

TorchRun::TorchRun(const DescribedNetwork& network, std::vector<float> parameters, const RunOptions& options,
                   const Json& inputs, std::filesystem::path checkpoint, const RigRun* rig, const ShapeRun* shapes)
    : options_(options),
      rig_(rig),
      shapes_(shapes),
      checkpoint_(std::move(checkpoint)),
      trainer_(MakeTrainer(network, options, rig, shapes)),
      look_every_(std::max<int64_t>(1, options.steps / kLooks)) {
  CheckOptions(options);
  const std::string text =
      JsonText(Json{{"network", network.description()}, {"options", JsonOf(options)}, {"inputs", inputs}});
  inputs_ = HashHex(std::as_bytes(std::span(text)));
  state_ = learn::StartTraining(std::move(parameters), Random(options.seed));
}

void TorchRun::SetFrames(std::vector<int> training, std::vector<int> validation) {
  training_ = std::move(training);
  validation_ = std::move(validation);
}

void TorchRun::Resume() {
  state_ = learn::ReadTrainingState(checkpoint_, inputs_);
  const auto take = [&](const char* name) {
    const Json kept = (*state_.trainer).value(name, Json::object());
    return Sum{kept.value("sum", 0.0), kept.value("count", int64_t{0})};
  };
  since_look_ = take("look");
  since_epoch_ = take("epoch");
  minutes_ = (*state_.trainer).value("minutes", 0.0);
}

// Share of the time that is spent, from 0 to 1; 0 without a limit.
double TorchRun::SpentShare() const { return options_.minutes > 0 ? std::min(1.0, minutes_ / options_.minutes) : 0; }

bool TorchRun::Go() {
  trainer_.SetState({state_.parameters, state_.first, state_.second});
  using Minutes = std::chrono::duration<double, std::ratio<60>>;
  const double before = options_.anneal ? minutes_ : 0;
  const Clock::time_point start = Clock::now();
  Clock::time_point saved = start;
  Progress progress("Training", options_.steps, "steps");
  progress.Advance(state_.step);
  while (state_.step < options_.steps) {
    if (!Step()) return true;
    progress.Advance();
    const Clock::time_point now = Clock::now();
    minutes_ = before + Minutes(now - start).count();
    const bool over_early = SpentShare() >= 1 && state_.step < options_.steps;
    if (over_early && options_.anneal) {
      if (since_look_.count > 0) Look(RateOf(state_.step));
      Save();
      return true;
    }
    if (over_early || now - saved > kSecondsBetweenCheckpoints) {
      Save();
      saved = Clock::now();
    }
    if (over_early) return false;
  }
  return true;
}

double TorchRun::RateOf(int64_t step) const {
  if (options_.plateau) return options_.rate * state_.plateau.factor;
  const auto early = static_cast<int64_t>(options_.anneal ? SpentShare() * static_cast<double>(options_.steps) : 0);
  return learn::CosineRate(options_.rate, std::max(step, early), options_.steps);
}

// An epoch ends with the step that takes the last of its frames.
void TorchRun::NoteEpoch(int64_t step, double loss) {
  since_epoch_.Add(loss);
  const auto frames = static_cast<int64_t>(training_.size());
  if (step * options_.batch / frames == (step - 1) * options_.batch / frames) return;
  if (options_.plateau) learn::NotePlateau({}, since_epoch_.Mean(), state_.plateau);
  since_epoch_ = {};
}

// Returns false if training has come to its end before the last step.
bool TorchRun::Step() {
  const int64_t step = state_.step + 1;
  const double rate = RateOf(step);
  const std::vector<int> frames = BatchOf(step);
  const bool last_third = 3 * step > 2 * options_.steps;
  const Drawn drawn = DrawPoses(options_.seed ^ kStepPoses, step * options_.batch, frames,
                                rig_ != nullptr && last_third ? rig_->loss.influences : 0);
  const double loss = trainer_.Step(frames, step, rate, &drawn.poses);
  NoteEpoch(step, loss);
  since_look_.Add(loss);
  state_.step = step;
  return step % look_every_ != 0 && step != options_.steps ? true : Look(rate);
}

// Looks at the validation frames. Returns false if patience is over.
bool TorchRun::Look(double rate) {
  const Drawn drawn =
      DrawPoses(options_.seed ^ kLookPoses, 0, validation_, rig_ != nullptr ? rig_->loss.influences : 0);
  const std::vector<double> losses = trainer_.Look(validation_, &drawn.poses);
  const double validation = std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
  Fetch();
  const int64_t patience = options_.patience > 0 ? options_.patience : std::numeric_limits<int64_t>::max();
  const bool goes_on = learn::NoteLook({state_.step, since_look_.Mean(), validation, rate}, patience, state_);
  since_look_ = {};
  return goes_on;
}

// Poses of frames depend on the seed and the number of the step alone, so that no checkpoint needs them.
TorchRun::Drawn TorchRun::DrawPoses(uint64_t seed, int64_t first, std::span<const int> frames, int influences) const {
  Drawn drawn;
  for (size_t k = 0; (rig_ != nullptr || shapes_ != nullptr) && k < frames.size(); ++k) {
    Random random(seed, static_cast<uint64_t>(first) + k);
    if (rig_ != nullptr) {
      const std::vector<float> own = rig_->draw(random);
      drawn.rotations.insert(drawn.rotations.end(), own.begin(), own.end());
    } else {
      const std::vector<int> own = shapes_->draw(frames[k], random);
      drawn.numbers.insert(drawn.numbers.end(), own.begin(), own.end());
    }
  }
  drawn.poses = {drawn.rotations.data(), influences, drawn.numbers.data(), shapes_ != nullptr ? shapes_->poses : 0};
  return drawn;
}

void TorchRun::Fetch() {
  learn::TorchState fetched = trainer_.State();
  state_.parameters = std::move(fetched.values);
  state_.first = std::move(fetched.first_moments);
  state_.second = std::move(fetched.second_moments);
}

void TorchRun::Save() {
  Fetch();
  const auto kept = [](const Sum& sum) { return Json{{"sum", sum.sum}, {"count", sum.count}}; };
  Json trainer = {{"look", kept(since_look_)}, {"epoch", kept(since_epoch_)}};
  // Only where the result depends on the clock anyway: other checkpoints are the same bytes on any machine.
  if (options_.anneal) trainer["minutes"] = minutes_;
  state_.trainer = JsonBox(trainer);
  learn::WriteTrainingState(state_, inputs_, checkpoint_);
}

// Every epoch goes through all frames in an order of its own, which depends on the seed and the number of the epoch
// alone, so that no checkpoint needs it.
std::vector<int> TorchRun::BatchOf(int64_t step) {
  std::vector<int> chosen;
  const auto count = static_cast<int64_t>(training_.size());
  for (int64_t place = (step - 1) * options_.batch; place < step * options_.batch; ++place) {
    if (place / count != epoch_) {
      epoch_ = place / count;
      order_.resize(training_.size());
      std::iota(order_.begin(), order_.end(), 0);
      Random random(options_.seed, static_cast<uint64_t>(epoch_) + 1);
      for (size_t k = order_.size(); k > 1; --k) {
        std::swap(order_[k - 1], order_[random.Below(static_cast<uint32_t>(k))]);
      }
    }
    chosen.push_back(training_[order_[place % count]]);
  }
  return chosen;
}

}  // namespace sinew::layers
