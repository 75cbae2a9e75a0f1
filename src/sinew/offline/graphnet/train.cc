#include "sinew/offline/graphnet/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/graphnet/describe.h"
#include "sinew/offline/graphnet/familiarity.h"
#include "sinew/offline/graphnet/test_model.h"

namespace sinew::graphnet {
namespace {

namespace fs = std::filesystem;

constexpr int kFramesAtOnce = 64;  // computed in parallel before they are handed over

std::vector<std::string> HashesOf(const FrameSet& frames) {
  std::vector<std::string> hashes;
  for (int k = 0; k < frames.count(); ++k) hashes.push_back(frames.HashOf(k));
  return hashes;
}

// Neighbours of every node without itself, as the trainer wants them.
Csr WithoutSelf(const Csr& neighbours) {
  return BuildCsr(neighbours.row_count(), [&](const auto& put) {
    for (int i = 0; i < neighbours.row_count(); ++i) {
      for (const int j : neighbours[i]) {
        if (i != j) put(i, j);
      }
    }
  });
}

// Hands the graph of a body and its coarser levels over, and returns the number of the mesh.
int AddBody(const Body& body, learn::TorchTrainer& trainer) {
  std::vector<Csr> graphs = {body.neighbours()};
  for (const layers::CoarserGraph& coarser : body.coarser()) graphs.push_back(WithoutSelf(coarser.graph.neighbours));
  std::vector<learn::TorchLevel> levels;
  for (size_t k = 0; k < graphs.size(); ++k) {
    levels.push_back({.starts = graphs[k].offsets, .neighbours = graphs[k].items});
    if (k == body.coarser().size()) continue;
    levels.back().coarser = body.coarser()[k].coarse_of;
    levels.back().shares = body.coarser()[k].shares;
  }
  return trainer.AddMesh(levels);
}

// Features and targets of a frame, as the trainer takes them.
struct Example {
  RowMatrix features, targets;

  Example Mirrored(const std::vector<float>& signs) const {
    Example mirrored = *this;
    mirrored.features *= Eigen::Map<const Eigen::VectorXf>(signs.data(), features.cols()).asDiagonal();
    mirrored.targets.col(0) *= -1;
    return mirrored;
  }
  int AddTo(learn::TorchTrainer& trainer, const Scaling& scaling, int mesh, const std::vector<float>& areas) {
    scaling.Standardise(features);
    targets /= scaling.answer;
    const auto all = [](const RowMatrix& rows) { return std::span(rows.data(), static_cast<size_t>(rows.size())); };
    return trainer.AddFrame(mesh, all(features), all(targets), areas);
  }
};

// Hands all frames of a set over, standardised, and returns their numbers. mirror: each also as a mirror shows it,
// where that can be had.
std::vector<int> AddFrames(const FrameSet& frames, const Scaling& scaling, bool mirror, learn::TorchTrainer& trainer) {
  std::vector<int> meshes, numbers;
  for (const Body& body : frames.bodies()) meshes.push_back(AddBody(body, trainer));
  Progress progress("Computing features", frames.count(), "frames");
  for (int first = 0; first < frames.count(); first += kFramesAtOnce) {
    const int count = std::min(kFramesAtOnce, frames.count() - first);
    std::vector<Example> examples(count);
    ParallelFor(count, 1, [&](int k) {
      const Body& body = frames.bodies()[frames.entries()[first + k].body];
      Body::Frame frame = frames.Evaluate(first + k);
      examples[k].targets = body.Targets(frame, frames.Truth(first + k));
      examples[k].features = std::move(frame.features);
    });
    for (int k = 0; k < count; ++k) {
      const int number = frames.entries()[first + k].body;
      const Body& body = frames.bodies()[number];
      const std::vector<float> signs = mirror ? body.MirrorSigns() : std::vector<float>();
      if (!signs.empty()) {
        numbers.push_back(examples[k].Mirrored(signs).AddTo(trainer, scaling, meshes[number], body.areas()));
      }
      numbers.push_back(examples[k].AddTo(trainer, scaling, meshes[number], body.areas()));
    }
    progress.Advance(count);
  }
  return numbers;
}

bool IsMirrored(const FrameSet& training, const TrainOptions& options) {
  return options.mirror && !training.bodies().front().MirrorSigns().empty();
}

// All that the result depends on beside the network and the options.
Json InputsOf(const FrameSet& training, const FrameSet& validation, const TrainOptions& options,
              const Predictor* from) {
  Json inputs = {{"training", HashesOf(training)}, {"validation", HashesOf(validation)}};
  if (from != nullptr) {
    inputs["from"] = HashHex(std::as_bytes(std::span(from->parameters())));
  }
  inputs["body"] = JsonOf(training.bodies().front().options());
  inputs["mirrored"] = IsMirrored(training, options);
  return inputs;
}

void CheckOptions(const FrameSet& training, const FrameSet& validation, const TrainOptions& options) {
  if (training.count() == 0) throw UsageError("there is no frame to train on");
  if (validation.count() == 0) throw UsageError("there is no frame to validate with; give more frames or --validation");
  if (options.run.steps < 1 || options.run.batch < 1)
    throw UsageError("training needs at least one step and one frame a step");
}

ModelCard CardOf(const FrameSet& training, const FrameSet& validation, const TrainOptions& options,
                 const Predictor* from, int64_t best_step) {
  ModelCard card;
  card.network = from != nullptr ? from->card().network : options.network;
  card.body = training.bodies().front().options();
  if (NeedsOneSkeleton(card.body.features)) card.joints = training.bodies().front().joints();
  if (from != nullptr) card.seen = from->card().seen;
  for (const FrameSet* frames : {&training, &validation}) {
    for (const std::string& hash : HashesOf(*frames)) card.seen.push_back(hash);
  }
  std::sort(card.seen.begin(), card.seen.end());
  card.seen.erase(std::unique(card.seen.begin(), card.seen.end()), card.seen.end());
  card.training = layers::JsonOf(options.run);
  card.training["best_step"] = best_step;
  card.training["device"] = options.run.cuda ? "cuda" : "cpu";
  card.training["mirrored"] = IsMirrored(training, options);
  card.training["bodies"] = training.bodies().size();
  card.training["training_frames"] = training.count();
  card.training["validation_frames"] = validation.count();
  card.corpus_hash = options.corpus_hash;
  card.recipe_hash = options.recipe_hash;
  card.licence = options.licence;
  return card;
}

}  // namespace

int64_t StepsOf(double epochs, int frames, const layers::RunOptions& run) {
  return std::max<int64_t>(1, std::llround(std::ceil(epochs * frames / run.batch)));
}

Trained Train(const FrameSet& training, const FrameSet& validation, const TrainOptions& options, const Predictor* from,
              const fs::path& checkpoint, bool resume) {
  CheckOptions(training, validation, options);
  if (from != nullptr) {
    from->RequireSkeleton(training.bodies().front(), training.sources().front().store->file());
  }
  const layers::DescribedNetwork network(from != nullptr
                                             ? from->network().description()
                                             : DescribeNetwork(options.network, training.bodies().front().columns()),
                                         "the network");
  const Scaling scaling = from != nullptr ? from->scaling() : FitScaling(training);
  Random random(options.run.seed);
  layers::TorchRun run(network, from != nullptr ? from->parameters() : network.InitialParameters(random), options.run,
                       InputsOf(training, validation, options, from), checkpoint);
  std::vector<int> numbers = AddFrames(training, scaling, options.mirror, run.trainer());
  run.SetFrames(std::move(numbers), AddFrames(validation, scaling, false, run.trainer()));
  if (resume) run.Resume();
  Trained trained;
  trained.finished = run.Go();
  trained.state = run.state();

  // Measure what was chosen as it will be used.
  ModelCard card = CardOf(training, validation, options, from, trained.state.best_step);
  const std::vector<uint8_t> mask = network.TrainedMask();
  card.training["parameters"] = std::count(mask.begin(), mask.end(), 1);
  trained.model = MakeModel(network, run.best(), scaling, card, Json::object());
  StoreFamiliarity(FitFamiliarity(training, validation, scaling), trained.model);
  const TestTable table = MeasureModel(Predictor(trained.model, "the trained network"), validation);
  trained.model.figures = JsonBox(Json{{"validation", JsonOf(table)["all"]}});
  return trained;
}

StepTime TimeSteps(const FrameSet& frames, const TrainOptions& options) {
  using Clock = std::chrono::steady_clock;
  constexpr int kFirst = 2, kTimed = 3;  // the first steps also load and choose what later ones use
  const layers::DescribedNetwork network(DescribeNetwork(options.network, frames.bodies().front().columns()),
                                         "the network");
  const Scaling scaling = FitScaling(frames);
  Random random(options.run.seed);
  layers::TorchRun run(network, network.InitialParameters(random), options.run, Json::object(), {});
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const Clock::time_point before = Clock::now();
  const std::vector<int> numbers = AddFrames(frames, scaling, options.mirror, run.trainer());
  StepTime time;
  time.frame = since(before) / frames.count();

  std::vector<int> batch;
  for (int k = 0; k < options.run.batch; ++k) batch.push_back(numbers[k % numbers.size()]);
  run.trainer().SetState({run.state().parameters, run.state().first, run.state().second});
  Clock::time_point start = Clock::now();
  for (int k = 1; k <= kFirst + kTimed; ++k) {
    run.trainer().Step(batch, k, options.run.rate);
    if (k == kFirst) start = Clock::now();
  }
  time.step = since(start) / kTimed;
  return time;
}

}  // namespace sinew::graphnet
