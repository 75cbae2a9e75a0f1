#include "sinew/offline/contact/contact_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/report/plot.h"

namespace sinew::contact {
namespace {

namespace fs = std::filesystem;
using Predict = std::function<learn::RowMatrix(const SampleRef&)>;

constexpr double kMaxFailed = 0.02;

// The paper's figure; negative where it has none.
double PaperFigure(const BenchScene& scene, const std::string& method, int states) {
  const auto found = scene.paper.find({method, states});
  return found == scene.paper.end() ? -1 : found->second;
}

FieldKind KindOf(const std::string& method) {
  if (method == "sparse") return FieldKind::kSparse;
  if (method == "dense") return FieldKind::kDense;
  if (method == "literal") return FieldKind::kLiteral;
  throw UsageError(fmt::format("there is no method '{}'; give sparse, dense, object-centric or literal", method));
}

void CheckOptions(const BenchOptions& options) {
  for (const std::string& method : options.methods) {
    if (method != "object-centric") KindOf(method);
  }
  if (options.states.empty() || *std::min_element(options.states.begin(), options.states.end()) < 1) {
    throw UsageError("give numbers of states of at least 1");
  }
}

TrainOptions TrainingOf(const BenchOptions& options, const ContactObject& object, const std::string& method, int states,
                        const fs::path& folder) {
  TrainOptions training;
  training.steps = options.steps;
  training.minutes = options.minutes;
  training.rate = options.rate;
  training.seed = options.seed;
  training.checkpoint = folder / fmt::format("{}_{}.partial", method, states);
  training.label = fmt::format("training {} on {} states", method, states);
  const std::string inputs = fmt::format(
      "{} {} {} places {} rotations {} depths {} seed {} {} layers {} wide {} rows {} {} {} steps {} {} rate {}",
      object.name, method, states, options.plan.places, options.plan.rotations, options.plan.depths, options.seed,
      options.hidden_layers, options.width, options.object_centric.width, options.rows.samples, options.rows.nodes,
      options.rows.edges, options.steps, options.minutes, options.rate);
  training.inputs = HashHex(std::as_bytes(std::span(inputs)));
  return training;
}

// Trains one method on the shards and returns its predictions.
Predict TrainMethod(const BenchScene& scene, const BenchOptions& options, const std::string& method, int states,
                    std::span<const ContactShard> shards, const TrainOptions& training, Trained& trained) {
  if (method == "object-centric") {
    const auto model = std::make_shared<ObjectCentricModel>(
        TrainObjectCentric(*scene.object, shards, options.object_centric, training, &trained));
    return [model](const SampleRef& ref) { return model->Predict(ref); };
  }
  const FieldShape shape{.kind = KindOf(method), .hidden_layers = options.hidden_layers, .width = options.width};
  const auto field =
      std::make_shared<ContactField>(TrainField(*scene.object, shape, shards, options.rows, training, &trained));
  if (shape.kind == FieldKind::kSparse && scene.keep) scene.keep(*field, states);
  return [field](const SampleRef& ref) { return field->Predict(ref); };
}

void NoteFailures(const MadeSamples& made, const std::string& name, BenchResult& result) {
  for (size_t i = 0; i < made.shards.size(); ++i) {
    for (const ContactFailure& failure : made.shards[i].failures) {
      result.failures.push_back(
          fmt::format("{}_{:05d}.contacts: chain {}, depth {:.4f} m", name, i, failure.chain, failure.depth));
    }
  }
  result.failed += made.failed;
  result.attempted += made.total;
}

void RequireComplete(const MadeSamples& made, const std::string& name, const fs::path& folder) {
  if (made.complete) return;
  throw FailedError(
      fmt::format("the time for {} samples was over before all were made; {} keeps {} files of them: run "
                  "the same command again to go on",
                  name, folder.string(), made.shards.size()));
}

std::string TableCsv(const BenchResult& result) {
  std::string csv = "method,states,samples,relative_error,paper,steps,seconds";
  for (const std::string& region : result.regions) csv += "," + region;
  csv += "\n";
  for (const BenchRow& row : result.rows) {
    csv += fmt::format("{},{},{},{:.4f},{},{},{:.1f}", row.method, row.states, row.samples, row.error,
                       row.paper < 0 ? "" : fmt::format("{:.2f}", row.paper), row.steps, row.seconds);
    for (const double error : row.regions) csv += fmt::format(",{:.4f}", error);
    csv += "\n";
  }
  return csv;
}

std::string TableSvg(const BenchScene& scene, const BenchOptions& options, const BenchResult& result) {
  report::BarPlot plot{.title = scene.title + ", unseen states: relative error", .y_label = "error / linear subspace"};
  for (const int states : options.states) plot.names.push_back(fmt::format("{} states", states));
  for (const std::string& method : options.methods) {
    std::vector<double> own, paper;
    for (const BenchRow& row : result.rows) {
      if (row.method != method) continue;
      own.push_back(row.error);
      paper.push_back(std::max(row.paper, 0.0));
    }
    plot.series.emplace_back(method, own);
    if (*std::max_element(paper.begin(), paper.end()) > 0) plot.series.emplace_back(method + " (paper)", paper);
  }
  return DrawBars(plot);
}

// The test sample with the most displacement.
SampleRef MostMoved(const std::vector<SampleRef>& refs) {
  SampleRef most = refs.front();
  double largest = -1;
  for (const SampleRef& ref : refs) {
    double sum = 0;
    for (int n = 0; n < ref.shard->node_count(); ++n) sum += DisplacementOf(ref, n).squaredNorm();
    if (sum > largest) most = ref;
    largest = std::max(largest, sum);
  }
  return most;
}

learn::RowMatrix FullDisplacement(const SampleRef& ref) {
  learn::RowMatrix r(ref.shard->node_count(), ref.shard->dimension);
  for (int n = 0; n < r.rows(); ++n) r.row(n) = DisplacementOf(ref, n).transpose();
  return r;
}

}  // namespace

double RelativeError(const std::vector<SampleRef>& refs, const Predict& predict) {
  return MeasureRegions(refs, predict, {}, 0).total;
}

RegionErrors MeasureRegions(const std::vector<SampleRef>& refs, const Predict& predict,
                            const std::vector<int>& region_of, int count) {
  // The last entry is the sum over all nodes.
  std::vector<double> error(count + 1, 0), linear(count + 1, 0);
  for (const SampleRef& ref : refs) {
    const learn::RowMatrix full = FullDisplacement(ref), r = predict(ref);
    const double unit = ref.shard->size * ref.shard->size;
    error[count] += unit * (r - full).cast<double>().squaredNorm();
    linear[count] += unit * full.cast<double>().squaredNorm();
    for (Eigen::Index n = 0; count > 0 && n < full.rows(); ++n) {
      error[region_of[n]] += unit * (r.row(n) - full.row(n)).cast<double>().squaredNorm();
      linear[region_of[n]] += unit * full.row(n).cast<double>().squaredNorm();
    }
  }
  for (int k = 0; k <= count; ++k) error[k] = linear[k] > 0 ? std::sqrt(error[k] / linear[k]) : 0;
  RegionErrors errors{.total = error[count], .regions = {}};
  errors.regions.assign(error.begin(), error.end() - 1);
  return errors;
}

double WorstOverMean(const std::vector<double>& regions) {
  double sum = 0, worst = 0;
  for (const double error : regions) {
    sum += error;
    worst = std::max(worst, error);
  }
  return sum > 0 ? worst * static_cast<double>(regions.size()) / sum : 0;
}

BenchResult RunContactBench(const BenchScene& scene, const BenchOptions& options, const fs::path& folder) {
  CheckOptions(options);
  const ContactObject& object = *scene.object;
  PlanOptions plan = options.plan;
  plan.states = *std::max_element(options.states.begin(), options.states.end());
  plan.seed = options.seed;
  // Samples.
  const MadeSamples training =
      MakeSamples(object, PlanTraining(plan, object), folder / "samples", "train", options.sample_minutes);
  RequireComplete(training, "training", folder);
  const MadeSamples test = MakeSamples(object, PlanTest(plan, object, options.test_chains), folder / "samples", "test",
                                       options.sample_minutes);
  RequireComplete(test, "test", folder);
  BenchResult result;
  result.nodes = object.node_count();
  result.elements = scene.elements;
  result.regions = scene.regions;
  NoteFailures(training, "train", result);
  NoteFailures(test, "test", result);
  const int solved = training.solved + test.solved;
  if (solved > 0) result.seconds_per_sample = (training.core_seconds + test.core_seconds) / solved;
  std::string list;
  for (const std::string& line : result.failures) list += line + "\n";
  WriteFileAtomic(folder / "failures.txt", list);
  if (result.failed > kMaxFailed * result.attempted) {
    throw FailedError(fmt::format("{} of {} contacts could not be simulated, over 2%; {} lists them", result.failed,
                                  result.attempted, (folder / "failures.txt").string()));
  }
  const std::vector<SampleRef> refs = ListSamples(test.shards);
  if (refs.empty()) throw FailedError("no contact to test with could be simulated; ask for more with --test");
  result.test_samples = static_cast<int>(refs.size());
  result.training_samples = static_cast<int>(ListSamples(training.shards).size());
  // Trainings; shards are ordered by states.
  const SampleRef shown = MostMoved(refs);
  std::vector<ContactPanel> panels = {{"full simulation", FullDisplacement(shown)}, {"linear subspace", {}}};
  for (const int states : options.states) {
    const auto shards = std::span(training.shards).first(static_cast<size_t>(states) * plan.places);
    for (const std::string& method : options.methods) {
      Trained trained;
      const Predict predict = TrainMethod(scene, options, method, states, shards,
                                          TrainingOf(options, object, method, states, folder), trained);
      const RegionErrors errors =
          MeasureRegions(refs, predict, scene.region_of, static_cast<int>(scene.regions.size()));
      result.rows.push_back({.method = method,
                             .states = states,
                             .samples = static_cast<int>(ListSamples(shards).size()),
                             .error = errors.total,
                             .paper = PaperFigure(scene, method, states),
                             .regions = errors.regions,
                             .steps = trained.steps,
                             .seconds = trained.seconds});
      if (states == plan.states) panels.push_back({method, predict(shown)});
      WriteFileAtomic(folder / (scene.table + ".csv"), TableCsv(result));
    }
  }
  WriteFileAtomic(folder / (scene.table + ".svg"), TableSvg(scene, options, result));
  WriteFileAtomic(folder / "contact.svg", scene.draw(shown, panels));
  return result;
}

}  // namespace sinew::contact
