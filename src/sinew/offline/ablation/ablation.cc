#include "sinew/offline/ablation/ablation.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <sstream>

#include "sinew/offline/ablation/predict_times.h"
#include "sinew/offline/ablation/run_trials.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/corpus/load_corpus.h"
#include "sinew/offline/corpus/load_pack.h"
#include "sinew/offline/learn/model_file.h"
#include "sinew/offline/survey/corpus_bodies.h"

namespace sinew::ablation {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kVersion = 1;  // of what the trainings of a folder are

int CountFrames(const std::vector<graphnet::FrameSource>& sources) {
  size_t count = 0;
  for (const graphnet::FrameSource& source : sources) count += source.frames.size();
  return static_cast<int>(count);
}

// Hash of all frames, wherever they lie: a corpus and its pack have the same.
std::string HashOf(const graphnet::SplitSources& split) {
  std::vector<std::string> hashes;
  for (const auto* side : {&split.training, &split.validation}) {
    for (const graphnet::FrameSource& source : *side) {
      for (const int frame : source.frames) hashes.push_back(source.store->HashOf(frame));
    }
    hashes.emplace_back("end of side");
  }
  const std::string text = fmt::format("{}", fmt::join(hashes, " "));
  return HashHex(std::as_bytes(std::span(text)));
}

std::vector<std::string> InputWords(const graphnet::TrainingInputs& inputs) {
  std::vector<std::string> words;
  for (const fs::path& path : inputs.paths) words.push_back(path.string());
  if (!inputs.unseen_family.empty()) words.insert(words.end(), {"--unseen-family", inputs.unseen_family});
  return words;
}

// Logs how long the rows with something left to train will take.
void LogTimes(const Options& options, const std::vector<Row>& rows, const std::vector<Trial>& trials,
              const TrialFolder& folder, const graphnet::SplitSources& split) {
  std::vector<Row> left;
  for (size_t r = 0; r < rows.size(); ++r) {
    const auto waits = [&](const Trial& trial) { return trial.row == r && !folder.IsDone(trial); };
    if (std::any_of(trials.begin(), trials.end(), waits)) left.push_back(rows[r]);
  }
  if (left.empty()) return;
  const std::vector<RowTime> times = PredictTimes(left, split);
  std::istringstream lines(TextOf(times, rows.front().train.run.steps));
  for (std::string line; std::getline(lines, line);) Info("{}", line);
  double sum = 0;
  for (const RowTime& time : times) sum += time.total * static_cast<double>(options.rates.size());
  Info("all that is left: about {} one after another, {} at best with {} at once", DurationText(sum),
       DurationText(sum / options.at_once), options.at_once);
}

// Returns the best of a row's trials that are done.
RowResult BestOf(const Row& row, const std::vector<Trial>& trials, const TrialFolder& folder) {
  RowResult result;
  result.name = row.name;
  result.about = row.about;
  result.validation = std::numeric_limits<double>::infinity();
  for (const Trial& trial : trials) {
    const learn::Model model = learn::ReadModel(folder.Model(trial));
    const double error = (*model.figures)["validation"]["network"]["mean_mm"].get<double>();
    result.tried.emplace_back(trial.rate, error);
    if (!(error < result.validation)) continue;
    const Json& training = (*model.settings)["training"];
    result.validation = error;
    result.rate = trial.rate;
    result.model = folder.Model(trial);
    result.parameters = training["parameters"].get<int64_t>();
    result.best_step = training["best_step"].get<int64_t>();
    result.bodies = training["bodies"].get<int>();
    result.frames = training["training_frames"].get<int>();
  }
  return result;
}

// Whether a result is what this call would come to.
bool Holds(const RowResult& result, const Options& options, const std::string& test) {
  if (result.tried.size() != options.rates.size()) return false;
  for (size_t k = 0; k < options.rates.size(); ++k) {
    if (result.tried[k].first != options.rates[k]) return false;
  }
  return test.empty() || (result.test == test && (result.methods.size() > 1 || !options.test.moved));
}

// Trains rows and returns the results of those of which no trial is left, untested.
std::vector<RowResult> TrainRows(const Options& options, const std::vector<Row>& rows, const TrialFolder& folder,
                                 const graphnet::SplitSources& split, Clock::time_point start, Ablation& ablation) {
  const std::vector<Trial> trials = MakeTrials(rows, options.rates);
  LogTimes(options, rows, trials, folder, split);
  RunOptions how{.program = options.program,
                 .inputs = InputWords(options.inputs),
                 .at_once = options.at_once,
                 .threads = options.run.threads};
  using Minutes = std::chrono::duration<double, std::ratio<60>>;
  if (options.minutes > 0) how.deadline = start + std::chrono::duration_cast<Clock::duration>(Minutes(options.minutes));
  const std::vector<TrialEnd> ends = RunTrials(rows, trials, folder, how);
  std::vector<RowResult> results;
  for (size_t r = 0; r < rows.size(); ++r) {
    std::vector<Trial> done;
    bool all = true;
    for (size_t t = 0; t < trials.size(); ++t) {
      if (trials[t].row != r) continue;
      if (ends[t].done) done.push_back(trials[t]);
      if (!ends[t].failure.empty()) ablation.failures.emplace_back(trials[t].name, ends[t].failure);
      all &= ends[t].done || !ends[t].failure.empty();
    }
    ablation.finished &= all;
    if (all && !done.empty()) results.push_back(BestOf(rows[r], done, folder));
  }
  return results;
}

// Returns linear blend and the ways of skinning that are asked for, of which those that were measured before are read.
std::vector<MethodResult> ResultsOfSkinning(const std::vector<survey::Body>& bodies, const std::string& test,
                                            const TestOptions& options, const TrialFolder& folder) {
  const fs::path file = folder.Result("skinning");
  const std::string key =
      fmt::format("{}, {}, fields of {} steps", test, fmt::join(options.skinning, ", "), options.field_steps);
  if (const std::optional<SkinningResult> kept = ReadSkinningResult(file); kept && kept->test == key) {
    return kept->methods;
  }
  const SkinningResult result{key, TestSkinning(bodies, options)};
  WriteResult(result, file);
  return result.methods;
}

std::vector<survey::Body> BodiesToTestOn(const Options& options) {
  const survey::SideOptions side{dataset::Side::kTest, options.inputs.unseen_family};
  std::vector<std::string> texts;
  for (const fs::path& path : options.on) texts.push_back(path.string());
  std::vector<survey::Body> bodies = survey::OpenBodies(texts, side);
  for (const fs::path& path : options.inputs.paths) {
    if (!texts.empty() || !corpus::IsCorpus(path)) continue;
    std::vector<survey::Body> more = survey::BodiesOfCorpus(path, side);
    std::move(more.begin(), more.end(), std::back_inserter(bodies));
  }
  survey::RefuseRepeated(bodies);
  return ThinFrames(std::move(bodies), options.test_frames);
}

// Refuses bodies that cannot be tested on and frames that are trained on, before hours of training.
void CheckTest(const std::vector<survey::Body>& bodies, const graphnet::SplitSources& split) {
  std::set<std::string> trained;
  for (const auto* side : {&split.training, &split.validation}) {
    for (const graphnet::FrameSource& source : *side) {
      for (const int frame : source.frames) trained.insert(source.store->HashOf(frame));
    }
  }
  for (const survey::Body& body : bodies) {
    const dataset::Dataset dataset(body.dataset);
    survey::ReadOnlyCharacter(dataset);  // throws where there are several, which the test would refuse
    int64_t count = 0;
    for (const int frame : *body.frames) count += trained.count(graphnet::SeenHash(dataset.frame(frame))) > 0 ? 1 : 0;
    if (count == 0) continue;
    throw InputError(body.dataset.string(), "",
                     fmt::format("{} of the {} frames to test on are trained on", count, body.frames->size()),
                     "give frames that are kept apart");
  }
}

// Puts results into the order of the rows.
void SortRows(const std::vector<Row>& rows, std::vector<RowResult>& results) {
  const auto place = [&rows](const RowResult& result) {
    return std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == result.name; });
  };
  std::sort(results.begin(), results.end(),
            [&](const RowResult& a, const RowResult& b) { return place(a) < place(b); });
}

void CheckOptions(const Options& options) {
  if (options.rates.empty()) throw UsageError("--rates: there is no learning rate to try");
  std::vector<double> rates = options.rates;
  std::sort(rates.begin(), rates.end());
  if (std::adjacent_find(rates.begin(), rates.end()) != rates.end()) {
    throw UsageError("--rates names one rate twice");
  }
}

}  // namespace

Ablation Ablate(const Options& options) {
  CheckOptions(options);
  const Clock::time_point start = Clock::now();
  const std::vector<survey::Body> bodies = BodiesToTestOn(options);
  std::string test;
  if (!bodies.empty()) test = HashOf(bodies);
  const graphnet::SplitSources split = graphnet::OpenTraining(options.inputs);
  if (CountFrames(split.training) == 0) throw UsageError("there is no frame to train on");
  if (CountFrames(split.validation) == 0) throw UsageError("there is no frame to validate with; give more frames");
  CheckTest(bodies, split);
  Ablation ablation;
  ablation.read = graphnet::DescribePaths(options.inputs.paths);
  ablation.packed = std::any_of(options.inputs.paths.begin(), options.inputs.paths.end(), corpus::IsPack);
  ablation.batch = options.run.batch;
  ablation.bodies = static_cast<int>(split.training.size());
  ablation.frames = CountFrames(split.training);
  ablation.rates = options.rates;
  layers::RunOptions run = options.run;
  run.steps = ablation.steps = graphnet::StepsOf(options.epochs, ablation.frames, run);
  const std::vector<Row> rows = ChooseRows(MakeRows(run, ablation.bodies, options.counts), options.rows);
  const TrialFolder folder(options.folder, {{"version", kVersion},
                                            {"frames", HashOf(split)},
                                            {"steps", run.steps},
                                            {"batch", run.batch},
                                            {"seed", run.seed},
                                            {"read", ablation.read}});

  // Train rows whose result is not known, and test them.
  std::vector<Row> left;
  for (const Row& row : rows) {
    std::optional<RowResult> kept = ReadRowResult(folder.Result(row.name));
    if (kept && Holds(*kept, options, test)) {
      if (!options.test.moved && kept->methods.size() > 1) {
        kept->methods.erase(kept->methods.begin() + 1, kept->methods.end());
      }
      if (test.empty()) kept->methods.clear();
      ablation.rows.push_back(std::move(*kept));
    } else {
      left.push_back(row);
    }
  }
  TestOptions testing = options.test;
  testing.fields = folder.Fields() / fmt::format("{}-{}", test, testing.field_steps);
  testing.seed = run.seed;
  for (RowResult& result : TrainRows(options, left, folder, split, start, ablation)) {
    bool failed = result.tried.size() < options.rates.size();
    if (!test.empty()) {
      try {
        result.methods = TestNetwork(bodies, result.name, result.model, testing);
        result.test = test;
      } catch (const Error& error) {
        ablation.failures.emplace_back(fmt::format("the test of {}", result.name), error.what());
        failed = true;
      }
    }
    // Without a result on disk, the next call tries a failed row again.
    if (!failed) WriteResult(result, folder.Result(result.name));
    ablation.rows.push_back(std::move(result));
  }
  SortRows(rows, ablation.rows);
  if (!test.empty()) ablation.skinning = ResultsOfSkinning(bodies, test, testing, folder);
  return ablation;
}

}  // namespace sinew::ablation
