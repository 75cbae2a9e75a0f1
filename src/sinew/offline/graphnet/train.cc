#include "sinew/offline/graphnet/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/graphnet/describe.h"
#include "sinew/offline/graphnet/test_model.h"
#include "sinew/offline/graphnet/torch_layers.h"
#include "sinew/offline/learn/schedule.h"
#include "sinew/offline/learn/torch_trainer.h"

namespace sinew::graphnet {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kLooks = 40;                                      // at validation frames, in a whole training
constexpr std::chrono::seconds kSecondsBetweenCheckpoints(30);  // a kill loses less than a minute
constexpr int kFramesAtOnce = 64;                               // computed in parallel before they are handed over

SinewTorchOptions TorchOptions(const TrainOptions& options, int inputs) {
  return {.inputs = inputs,
          .cuda = options.cuda ? 1 : 0,
          .threads = options.threads,
          .beta1 = 0.9,
          .beta2 = 0.999,
          .epsilon = 1e-8,
          .decay = options.decay,
          .momentum = layers::kBatchNormMomentum,
          .huber = 0,
          .edges = options.edges};
}

std::vector<std::string> HashesOf(const FrameSet& frames) {
  std::vector<std::string> hashes;
  for (int k = 0; k < frames.count(); ++k) hashes.push_back(frames.HashOf(k));
  return hashes;
}

// Hands all frames of a set over, standardised, and returns their numbers.
std::vector<int> AddFrames(const FrameSet& frames, const Scaling& scaling, learn::TorchTrainer& trainer) {
  std::vector<int> meshes, numbers;
  for (const Body& body : frames.bodies()) {
    meshes.push_back(trainer.AddMesh(body.neighbours().offsets, body.neighbours().items));
  }
  Progress progress("Computing features", frames.count(), "frames");
  for (int first = 0; first < frames.count(); first += kFramesAtOnce) {
    const int count = std::min(kFramesAtOnce, frames.count() - first);
    std::vector<RowMatrix> features(count), targets(count);
    ParallelFor(count, 1, [&](int k) {
      const Body::Frame frame = frames.Evaluate(first + k);
      features[k] = frame.features;
      scaling.Standardise(features[k]);
      targets[k] =
          frames.bodies()[frames.entries()[first + k].body].Targets(frame, frames.Truth(first + k)) / scaling.answer;
    });
    for (int k = 0; k < count; ++k) {
      const int body = frames.entries()[first + k].body;
      const auto all = [](const RowMatrix& rows) { return std::span(rows.data(), static_cast<size_t>(rows.size())); };
      numbers.push_back(
          trainer.AddFrame(meshes[body], all(features[k]), all(targets[k]), frames.bodies()[body].areas()));
    }
    progress.Advance(count);
  }
  return numbers;
}

// Which frames a step is about: every epoch goes through all of them in an order of its own, which depends on the seed
// and the number of the epoch alone, so that no checkpoint needs it.
class Batches {
 public:
  Batches(std::vector<int> frames, int batch, uint64_t seed) : frames_(std::move(frames)), batch_(batch), seed_(seed) {}

  std::vector<int> Of(int64_t step) {
    std::vector<int> chosen;
    const auto count = static_cast<int64_t>(frames_.size());
    for (int64_t place = (step - 1) * batch_; place < step * batch_; ++place) {
      Shuffle(place / count);
      chosen.push_back(frames_[order_[place % count]]);
    }
    return chosen;
  }

 private:
  void Shuffle(int64_t epoch) {
    if (epoch == epoch_) return;
    epoch_ = epoch;
    order_.resize(frames_.size());
    std::iota(order_.begin(), order_.end(), 0);
    Random random(seed_, static_cast<uint64_t>(epoch) + 1);
    for (size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[random.Below(static_cast<uint32_t>(k))]);
  }

  std::vector<int> frames_, order_;
  int batch_;
  uint64_t seed_;
  int64_t epoch_ = -1;
};

// Learning rates of a training, and what they follow: along a cosine over all steps, or, where the training loss stalls
// for some epochs, down by a factor. An epoch ends with the step that takes the last of its frames.
class Rates {
 public:
  Rates(const TrainOptions& options, int64_t frames) : options_(options), frames_(frames) {}

  double Of(int64_t step, const learn::PlateauState& plateau) const {
    return options_.plateau ? options_.rate * plateau.factor : learn::CosineRate(options_.rate, step, options_.steps);
  }
  void Note(int64_t step, double loss, learn::PlateauState& plateau) {
    sum_ += loss;
    ++count_;
    if (step * options_.batch / frames_ == (step - 1) * options_.batch / frames_) return;
    if (options_.plateau) learn::NotePlateau({}, sum_ / static_cast<double>(count_), plateau);
    sum_ = 0;
    count_ = 0;
  }
  // What a checkpoint keeps of it.
  Json Kept() const { return {{"sum", sum_}, {"count", count_}}; }
  void Resume(const Json& kept) {
    sum_ = kept.value("sum", 0.0);
    count_ = kept.value("count", int64_t{0});
  }

 private:
  const TrainOptions& options_;
  int64_t frames_;
  double sum_ = 0;  // of losses since the epoch began
  int64_t count_ = 0;
};

// All that the result depends on, but for rounding.
Json InputsOf(const TrainOptions& options, const Json& description, const std::vector<std::string>& training,
              const std::vector<std::string>& validation, const Predictor* from) {
  Json inputs = {{"network", description},       {"steps", options.steps}, {"batch", options.batch},
                 {"rate", options.rate},         {"decay", options.decay}, {"edges", options.edges},
                 {"patience", options.patience}, {"seed", options.seed},   {"training", training},
                 {"validation", validation}};
  if (options.plateau) inputs["schedule"] = "plateau";
  if (from != nullptr) {
    inputs["from"] = HashHex(std::as_bytes(std::span(from->parameters())));
  }
  return inputs;
}

void CheckOptions(const FrameSet& training, const FrameSet& validation, const TrainOptions& options) {
  if (training.count() == 0) throw UsageError("there is no frame to train on");
  if (validation.count() == 0) throw UsageError("there is no frame to validate with; give more frames or --validation");
  if (options.steps < 1 || options.batch < 1) throw UsageError("training needs at least one step and one frame a step");
}

// A training between its first and its last step.
class Run {
 public:
  Run(const FrameSet& training, const FrameSet& validation, const TrainOptions& options, const Predictor* from,
      fs::path checkpoint)
      : options_(options),
        checkpoint_(std::move(checkpoint)),
        network_(from != nullptr ? from->network().description()
                                 : DescribeNetwork(options.network, training.bodies().front().columns()),
                 "the network"),
        scaling_(from != nullptr ? from->scaling() : FitScaling(training)),
        trainer_(ToTorch(network_), TorchOptions(options, network_.inputs())),
        batches_(AddFrames(training, scaling_, trainer_), options.batch, options.seed),
        held_(AddFrames(validation, scaling_, trainer_)),
        rates_(options, training.count()) {
    const Json inputs = InputsOf(options, network_.description(), HashesOf(training), HashesOf(validation), from);
    const std::string text = JsonText(inputs);
    inputs_ = HashHex(std::as_bytes(std::span(text)));
    Random random(options.seed);
    state_ = learn::StartTraining(from != nullptr ? from->parameters() : network_.InitialParameters(random), random);
    look_every_ = std::max<int64_t>(1, options.steps / kLooks);
  }

  void Resume() {
    state_ = learn::ReadTrainingState(checkpoint_, inputs_);
    const Json& kept = *state_.trainer;
    sum_ = kept.value("sum", 0.0);
    count_ = kept.value("count", int64_t{0});
    rates_.Resume(kept.value("epoch", Json::object()));
  }

  // Trains until all steps are done, patience or time is over. Returns whether it was not the time.
  bool Go() {
    trainer_.SetState({state_.parameters, state_.first, state_.second});
    const Clock::time_point start = Clock::now();
    Clock::time_point saved = start;
    Progress progress("Training", options_.steps, "steps");
    progress.Advance(state_.step);
    while (state_.step < options_.steps) {
      if (!Step()) return true;
      progress.Advance();
      const Clock::time_point now = Clock::now();
      const bool over =
          options_.minutes > 0 && now - start > std::chrono::duration<double, std::ratio<60>>(options_.minutes);
      const bool over_early = over && state_.step < options_.steps;
      if (over_early || now - saved > kSecondsBetweenCheckpoints) {
        Save();
        saved = Clock::now();
      }
      if (over_early) return false;
    }
    return true;
  }

  const layers::DescribedNetwork& network() const { return network_; }
  const Scaling& scaling() const { return scaling_; }
  const learn::TrainingState& state() const { return state_; }

 private:
  // Returns false if training has come to its end before the last step.
  bool Step() {
    const int64_t step = state_.step + 1;
    const double rate = rates_.Of(step, state_.plateau);
    const double loss = trainer_.Step(batches_.Of(step), step, rate);
    rates_.Note(step, loss, state_.plateau);
    sum_ += loss;
    ++count_;
    state_.step = step;
    if (step % look_every_ != 0 && step != options_.steps) return true;
    const std::vector<double> losses = trainer_.Look(held_);
    const double validation = std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
    Fetch();
    const int64_t patience = options_.patience > 0 ? options_.patience : std::numeric_limits<int64_t>::max();
    const bool goes_on =
        learn::NoteLook({step, sum_ / static_cast<double>(count_), validation, rate}, patience, state_);
    sum_ = 0;
    count_ = 0;
    return goes_on;
  }

  void Fetch() {
    learn::TorchState fetched = trainer_.State();
    state_.parameters = std::move(fetched.values);
    state_.first = std::move(fetched.first_moments);
    state_.second = std::move(fetched.second_moments);
  }

  void Save() {
    Fetch();
    state_.trainer = JsonBox(Json{{"sum", sum_}, {"count", count_}, {"epoch", rates_.Kept()}});
    learn::WriteTrainingState(state_, inputs_, checkpoint_);
  }

  const TrainOptions& options_;
  fs::path checkpoint_;
  layers::DescribedNetwork network_;
  Scaling scaling_;
  learn::TorchTrainer trainer_;
  Batches batches_;
  std::vector<int> held_;
  Rates rates_;
  std::string inputs_;
  learn::TrainingState state_;
  int64_t look_every_ = 1;
  double sum_ = 0;  // of losses since the last look
  int64_t count_ = 0;
};

ModelCard CardOf(const FrameSet& training, const FrameSet& validation, const TrainOptions& options,
                 const Predictor* from, int64_t best_step) {
  ModelCard card;
  card.network = from != nullptr ? from->card().network : options.network;
  card.joints = training.bodies().front().joints();
  if (from != nullptr) card.seen = from->card().seen;
  for (const FrameSet* frames : {&training, &validation}) {
    for (const std::string& hash : HashesOf(*frames)) card.seen.push_back(hash);
  }
  std::sort(card.seen.begin(), card.seen.end());
  card.seen.erase(std::unique(card.seen.begin(), card.seen.end()), card.seen.end());
  card.training = {{"seed", options.seed},
                   {"steps", options.steps},
                   {"best_step", best_step},
                   {"batch", options.batch},
                   {"rate", options.rate},
                   {"schedule", options.plateau ? "plateau" : "cosine"},
                   {"decay", options.decay},
                   {"edges", options.edges},
                   {"device", options.cuda ? "cuda" : "cpu"},
                   {"bodies", training.bodies().size()},
                   {"training_frames", training.count()},
                   {"validation_frames", validation.count()}};
  card.corpus_hash = options.corpus_hash;
  card.recipe_hash = options.recipe_hash;
  card.licence = options.licence;
  return card;
}

}  // namespace

Trained Train(const FrameSet& training, const FrameSet& validation, const TrainOptions& options, const Predictor* from,
              const fs::path& checkpoint, bool resume) {
  CheckOptions(training, validation, options);
  if (from != nullptr) {
    from->RequireSkeleton(training.bodies().front(), training.sources().front().store->file());
  }
  Run run(training, validation, options, from, checkpoint);
  if (resume) run.Resume();
  Trained trained;
  trained.finished = run.Go();
  trained.state = run.state();
  const std::vector<float>& chosen = trained.state.best.empty() ? trained.state.parameters : trained.state.best;

  // Measure what was chosen as it will be used.
  ModelCard card = CardOf(training, validation, options, from, trained.state.best_step);
  const std::vector<uint8_t> mask = run.network().TrainedMask();
  card.training["parameters"] = std::count(mask.begin(), mask.end(), 1);
  trained.model = MakeModel(run.network(), chosen, run.scaling(), card, Json::object());
  const TestTable table = MeasureModel(Predictor(trained.model, "the trained network"), validation);
  trained.model.figures = JsonBox(Json{{"validation", JsonOf(table)["all"]}});
  if (trained.finished) {
    std::error_code none;
    fs::remove(checkpoint, none);
  }
  return trained;
}

}  // namespace sinew::graphnet
