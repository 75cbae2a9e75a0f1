#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/interrupt.h"
#include "sinew/offline/core/quantile.h"
#include "sinew/offline/graphnet/describe.h"
#include "sinew/offline/graphnet/test_model.h"
#include "sinew/offline/graphnet/train.h"
#include "sinew/offline/learn/loss_curves.h"
#include "sinew/offline/teach/measure_scores.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct TrainCall {
  std::vector<std::string> datasets, validation;
  std::string output, from, unseen_family, device = "cpu", schedule = "cosine", features, answers;
  double working_edge = -1;
  double share = 0.1;
  int bodies = 0;     // 0: all
  double epochs = 0;  // 0: as many steps as are asked for
  bool resume = false;
  graphnet::TrainOptions options;
};

struct TestCall {
  std::string model, unseen_family;
  std::vector<std::string> datasets;
  bool record = false;
};

std::vector<fs::path> PathsOf(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

fs::path CheckpointOf(const std::string& output) { return output + ".state"; }

graphnet::TrainingInputs InputsOf(const TrainCall& call, uint64_t seed) {
  return {.paths = PathsOf(call.datasets),
          .validation = PathsOf(call.validation),
          .share = call.share,
          .unseen_family = call.unseen_family,
          .bodies = call.bodies,
          .seed = seed};
}

// What the network sees and answers: as the model that it starts from, or as is usual for it but for what is asked for.
graphnet::BodyOptions BodyOptionsOf(const TrainCall& call, const graphnet::Predictor* from) {
  if (from != nullptr) return from->body_options();
  graphnet::BodyOptions options = graphnet::BodyOptionsFor(call.options.network);
  const auto index = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  if (!call.features.empty()) {
    options.features = static_cast<graphnet::Features>(index(graphnet::FeatureNames(), call.features));
  }
  if (!call.answers.empty()) {
    options.answers = static_cast<graphnet::Answers>(index(graphnet::AnswerNames(), call.answers));
  }
  if (call.working_edge >= 0) options.working_edge = call.working_edge;
  return options;
}

std::string TextOf(const graphnet::Trained& trained, const TrainCall& call) {
  const Json& training = (*trained.model.settings)["training"];
  const Json& errors = (*trained.model.figures)["validation"];
  const int64_t steps = trained.state.step;
  return fmt::format("network {} with {} parameters\n", (*trained.model.settings)["network"].get<std::string>(),
                     training["parameters"].get<int64_t>()) +
         fmt::format("read {}: {} frames of {} bodies to train on, {} to validate with\n",
                     graphnet::DescribePaths(PathsOf(call.datasets)), training["training_frames"].get<int>(),
                     training["bodies"].get<int>(), training["validation_frames"].get<int>()) +
         fmt::format("{} of {} steps; the best network is that of step {}\n", steps, call.options.run.steps,
                     trained.state.best_step) +
         fmt::format("mean distance on validation frames: {:.3f} mm, skinning {:.3f} mm\n",
                     errors["network"]["mean_mm"].get<double>(), errors["skinning"]["mean_mm"].get<double>()) +
         fmt::format("wrote {}, {}.csv and {}.svg\n", call.output, call.output, call.output) +
         (trained.finished ? "" : fmt::format("the time is over; the same call with --resume goes on\n"));
}

Result RunTrain(TrainCall call, const Common& common) {
  call.options.run.seed = common.seed;
  call.options.run.threads = common.threads;
  call.options.run.cuda = call.device == "cuda";
  call.options.run.plateau = call.schedule == "plateau";
  layers::CheckOptions(call.options.run);
  const graphnet::CorpusHashes hashes = graphnet::HashCorpora(PathsOf(call.datasets));
  call.options.corpus_hash = hashes.corpus;
  call.options.recipe_hash = hashes.recipe;
  std::optional<graphnet::Predictor> from;
  if (!call.from.empty()) from.emplace(learn::ReadModel(call.from), call.from);
  if (fs::exists(CheckpointOf(call.output)) && !call.resume) {
    throw UsageError(fmt::format("{} is of a training that was stopped; go on with --resume, or remove it",
                                 CheckpointOf(call.output).string()));
  }
  const graphnet::SplitSources split = graphnet::OpenTraining(InputsOf(call, common.seed));
  const graphnet::BodyOptions body = BodyOptionsOf(call, from ? &*from : nullptr);
  const graphnet::FrameSet training(split.training, body), validation(split.validation, body);
  if (call.epochs > 0) call.options.run.steps = graphnet::StepsOf(call.epochs, training.count(), call.options.run);
  const OnInterrupt interrupt(fmt::format(
      "what was trained until half a minute ago is kept in {}, and the same call with --resume goes on from there",
      CheckpointOf(call.output).string()));
  const graphnet::Trained trained = graphnet::Train(training, validation, call.options, from ? &*from : nullptr,
                                                    CheckpointOf(call.output), call.resume);
  learn::WriteModel(trained.model, call.output);
  learn::WriteCurves(trained.state.history, "Losses of " + fs::path(call.output).filename().string(), call.output);
  if (trained.finished) {
    std::error_code none;
    fs::remove(CheckpointOf(call.output), none);
  }
  Result result;
  result.json = {{"model", call.output},
                 {"read", graphnet::DescribePaths(PathsOf(call.datasets))},
                 {"finished", trained.finished},
                 {"steps", trained.state.step},
                 {"training", (*trained.model.settings)["training"]},
                 {"figures", *trained.model.figures}};
  result.text = TextOf(trained, call);
  return result;
}

Result RunTest(const TestCall& call) {
  learn::Model model = learn::ReadModel(call.model);
  const graphnet::Predictor predictor(model, call.model);
  const graphnet::FrameSet frames(
      graphnet::OpenSources(PathsOf(call.datasets), {dataset::Side::kTest, call.unseen_family}),
      predictor.body_options());
  const graphnet::TestTable table = graphnet::TestModel(predictor, frames);
  if (call.record) {
    graphnet::RecordTest(table, graphnet::HashCorpora(PathsOf(call.datasets)).corpus, model);
    learn::WriteModel(model, call.model);
  }
  return {.json = graphnet::JsonOf(table), .text = graphnet::TextOf(table)};
}

struct ScoreCall {
  std::vector<std::string> models, on;
  std::string unseen_family;
  bool record = false;
};

std::vector<graphnet::FrameSource> SourcesOn(const ScoreCall& call, dataset::Side side, const char* name) {
  std::vector<graphnet::FrameSource> sources = graphnet::OpenSources(PathsOf(call.on), {side, call.unseen_family});
  if (!sources.empty()) return sources;
  throw UsageError(
      fmt::format("--on: {} has no {} frames; give a corpus with some, or a dataset", fmt::join(call.on, ", "), name));
}

std::vector<teach::ScoredFrame> ScoresOf(const teach::Teacher& teacher, const graphnet::FrameSet& frames) {
  std::vector<teach::ScoredFrame> scored = teach::MeasureScores(teacher, frames);
  if (scored.empty()) throw UsageError("--on: no frame is left to measure scores on");
  return scored;
}

std::vector<teach::ScoredFrame> TestScores(const teach::Teacher& teacher, std::vector<graphnet::FrameSource> sources) {
  const graphnet::FrameSet frames(std::move(sources), teacher.body_options());
  for (const teach::Member& member : teacher.members()) graphnet::RequireUnseen(member.predictor, frames);
  return ScoresOf(teacher, frames);
}

// Measures the disagreement that 95% of the validation frames stay below, and writes it into the first model.
void RecordAgreement(const ScoreCall& call, const teach::Teacher& teacher, std::vector<graphnet::FrameSource> sources,
                     Result& result) {
  std::vector<double> disagreements;
  for (const teach::ScoredFrame& frame :
       ScoresOf(teacher, graphnet::FrameSet(std::move(sources), teacher.body_options()))) {
    disagreements.push_back(frame.score.disagreement);
  }
  const double limit = Quantile(disagreements, 0.95);
  learn::Model model = learn::ReadModel(call.models[0]);
  teach::RecordAgreement(teacher, limit, model);
  learn::WriteModel(model, call.models[0]);
  result.json["agreement"] = limit;
  result.text +=
      fmt::format("{}: {:.3g} of the body's size is the disagreement that 95% of {} validation frames have\n",
                  call.models[0], limit, disagreements.size());
}

using Measure = std::function<double(const teach::ScoredFrame&)>;

// What may tell the error, by name.
const std::vector<std::pair<const char*, Measure>>& ErrorSigns() {
  static const std::vector<std::pair<const char*, Measure>> signs = {
      {"score", [](const teach::ScoredFrame& frame) { return frame.score.value; }},
      {"feature distance", [](const teach::ScoredFrame& frame) { return frame.score.distance; }},
      {"disagreement", [](const teach::ScoredFrame& frame) { return frame.score.disagreement; }},
      {"expected error", [](const teach::ScoredFrame& frame) { return frame.score.expected_error; }}};
  return signs;
}

// Rank correlation of a measure with the error over all frames.
double CorrelationOverall(const std::vector<teach::ScoredFrame>& frames, const Measure& measure) {
  std::vector<double> values, errors;
  for (const teach::ScoredFrame& frame : frames) {
    values.push_back(measure(frame));
    errors.push_back(frame.error);
  }
  return teach::RankCorrelation(values, errors);
}

Result RunScore(const ScoreCall& call) {
  if (call.record && call.models.size() < 2) {
    throw UsageError("--record: one network has nobody to agree with; name several");
  }
  const teach::Teacher teacher(PathsOf(call.models));
  std::vector<graphnet::FrameSource> validation;
  if (call.record) validation = SourcesOn(call, dataset::Side::kValidation, "validation");
  const std::vector<teach::ScoredFrame> test = TestScores(teacher, SourcesOn(call, dataset::Side::kTest, "test"));
  Result result;
  result.json = {{"frames", test.size()}, {"rank_correlations", Json::object()}};
  result.text = fmt::format("{} frames, rank correlation with the error\n{:<18}{:>10}{:>15}\n", test.size(), "",
                            "all frames", "within bodies");
  for (const auto& [name, measure] : ErrorSigns()) {
    const double all = CorrelationOverall(test, measure), within = teach::CorrelationWithinBodies(test, measure);
    result.json["rank_correlations"][name] = {{"all_frames", all}, {"within_bodies", within}};
    result.text += fmt::format("{:<18}{:>10.2f}{:>15.2f}\n", name, all, within);
  }
  if (call.record) RecordAgreement(call, teacher, std::move(validation), result);
  return result;
}

void AddScore(Commands& commands) {
  const auto call = std::make_shared<ScoreCall>();
  CLI::App* app = commands.Add("learn score",
                               "Measures how well the scores of 'sinew teach' tell the error, on frames whose truth is "
                               "known.\nNeeds no libtorch.",
                               "sinew learn score people.model --on other.dataset",
                               [call](const Common&) { return RunScore(*call); });
  app->add_option("models", call->models, "Networks that teach together (.model)")->required();
  app->add_option("--on", call->on, "Corpora, of which the test frames are used, or datasets")->required()->take_all();
  app->add_option("--unseen-family", call->unseen_family, "Family of a corpus that training left out");
  app->add_flag("--record", call->record,
                "Write the disagreement that 95% of the corpora's validation frames have into the first model");
}

void AddFrameOptions(TrainCall& call, CLI::App& app) {
  app.add_option("datasets", call.datasets,
                 "Corpora or packed corpora, of which the training frames are used, or datasets")
      ->required();
  app.add_option("--unseen-family", call.unseen_family,
                 "Family of a corpus to leave out, for a test of what is not known");
  app.add_option("-o,--output", call.output, "Model file; loss curves are written beside it")->required();
  app.add_option(
      "--validation", call.validation,
      "Datasets to choose the best network by; without: those of a corpus or pack, or a share of the others");
  app.add_option("--bodies", call.bodies,
                 "Train on so many of the bodies, spread over families; fewer are among those of more; 0: all")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  app.add_option("--validation-share", call.share, "That share")->check(CLI::Range(0.01, 0.9))->capture_default_str();
}

void AddNetworkOptions(TrainCall& call, CLI::App& app) {
  graphnet::TrainOptions& options = call.options;
  app.add_option("--network", options.network, "Which network; docs/large-networks.md")
      ->check(CLI::IsMember(graphnet::NetworkNames()))
      ->capture_default_str();
  app.add_option(
         "--features", call.features,
         "What it sees: the paper's features, those with positions, what joints do, or that and cues; usual for the "
         "network")
      ->check(CLI::IsMember(graphnet::FeatureNames()));
  app.add_option("--answers", call.answers,
                 "Frame of the displacements that it answers with, of the body or of each limb; usual for the network")
      ->check(CLI::IsMember(graphnet::AnswerNames()));
  app.add_option("--working-edge", call.working_edge,
                 "Mean edge of the level that it works on over the body's size; 0: the points of the file")
      ->check(CLI::Range(0.0, 0.2));
  app.add_option("--edges", options.run.edges, "Weight of differences between neighbours' errors in the loss")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  app.add_option("--huber", options.run.huber,
                 "Error, in root mean squares of the truth, from which on the loss grows linearly; 0: never")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  app.add_flag("!--no-mirror", options.mirror,
               "Do not train on frames as a mirror shows them, too, where that can be had");
}

void AddRunOptions(TrainCall& call, CLI::App& app) {
  layers::RunOptions& run = call.options.run;
  app.add_option("--device", call.device, "Where it is trained")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  CLI::Option* const steps =
      app.add_option("--steps", run.steps, "Steps in all")->check(CLI::Range(1, 100000000))->capture_default_str();
  app.add_option("--epochs", call.epochs, "As many steps as take every training frame so often, mirror images aside")
      ->check(CLI::Range(1e-3, 1e6))
      ->excludes(steps);
  app.add_option("--minutes", run.minutes, "Stop after this time; --resume goes on; 0: no limit")
      ->check(CLI::Range(0.0, 1e5))
      ->capture_default_str();
  app.add_flag("--anneal", run.anneal,
               "With --minutes: let the learning rate fall to its end in that time, which then ends the training");
  app.add_option("--batch", run.batch, "Frames per step")->check(CLI::Range(1, 1024))->capture_default_str();
  app.add_option("--rate", run.rate, "Learning rate of the first step")
      ->check(CLI::Range(1e-7, 1.0))
      ->capture_default_str();
  app.add_option("--schedule", call.schedule,
                 "How it falls: along a cosine, or by a quarter whenever 8 epochs brought no gain")
      ->check(CLI::IsMember({"cosine", "plateau"}))
      ->capture_default_str();
  app.add_option("--patience", run.patience, "End after so many steps without a better validation loss; 0: never")
      ->check(CLI::Range(0, 100000000))
      ->capture_default_str();
}

void AddTrain(Commands& commands) {
  auto call = std::make_shared<TrainCall>();
  CLI::App* app =
      commands.Add("learn train",
                   "Trains a graph network on the truths of many bodies with libtorch (scripts/torch builds\n"
                   "what that needs). Kills and Ctrl-C lose less than a minute: --resume goes on.",
                   "sinew learn train body.dataset other.dataset -o people.model",
                   [call](const Common& common) { return RunTrain(*call, common); });
  AddFrameOptions(*call, *app);
  AddNetworkOptions(*call, *app);
  AddRunOptions(*call, *app);
  app->add_option("--from", call->from, "Model to start from, with its network");
  app->add_option("--licence", call->options.licence, "Line about the model's licence")->capture_default_str();
  app->add_flag("--resume", call->resume, "Go on from OUTPUT.state");
}

void AddTest(Commands& commands) {
  auto call = std::make_shared<TestCall>();
  CLI::App* app =
      commands.Add("learn test",
                   "Measures a trained network on frames that it has not seen, beside skinning. Needs no\n"
                   "libtorch.",
                   "sinew learn test people.model other.dataset", [call](const Common&) { return RunTest(*call); });
  app->add_option("model", call->model, "Model file that `sinew learn train` wrote")->required();
  app->add_option("datasets", call->datasets, "Corpora, of which the test frames are used, or datasets")->required();
  app->add_option("--unseen-family", call->unseen_family, "Family of a corpus that training left out");
  app->add_flag("--record", call->record, "Write the figures into the model, as its own");
}

}  // namespace

void AddLearnCommand(Commands& commands) {
  commands.AddGroup("learn", "Trains networks on many bodies, and measures them");
  AddTrain(commands);
  AddTest(commands);
  AddScore(commands);
}

}  // namespace sinew::cli
