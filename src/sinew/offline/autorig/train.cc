#include "sinew/offline/autorig/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/core/quantile.h"
#include "sinew/offline/corpus/plan.h"

namespace sinew::autorig {
namespace {

constexpr int kExamplesAtOnce = 64;

std::string HashOf(const Example& example) {
  const auto features = std::span(example.input.features.data(), static_cast<size_t>(example.input.features.size()));
  const auto joints = std::span(example.joints.data(), static_cast<size_t>(example.joints.size()));
  return HashHex(std::as_bytes(features)) + HashHex(std::as_bytes(joints));
}

Json HashesOf(const std::vector<Example>& examples) {
  Json hashes = Json::array();
  for (const Example& example : examples) hashes.push_back(HashOf(example));
  return hashes;
}

// How much the edges of an example count in the loss: half by area, half by number. Hands and feet are a tenth of the
// area, and a fourth of what is seen of a rig.
std::vector<float> LossWeights(const EdgeInput& input) {
  std::vector<float> weights;
  const float each = 1 / static_cast<float>(input.areas.size());
  for (const float area : input.areas) weights.push_back((area + each) / 2);
  return weights;
}

std::vector<int> AddFrames(const std::vector<Example>& examples, const VoteScaling& scaling,
                           learn::TorchTrainer& trainer) {
  std::vector<int> numbers;
  for (const Example& example : examples) {
    const auto edges = example.input.ends.size();
    const std::vector<int> starts(edges + 1, 0);
    std::vector<int> rings;
    for (const auto& ring : example.input.rings.rings) rings.insert(rings.end(), ring.begin(), ring.end());
    const int mesh = trainer.AddMesh(starts, {}, rings);
    const RowMatrix targets = TargetsOf(example, scaling);
    const auto all = [](const RowMatrix& rows) { return std::span(rows.data(), static_cast<size_t>(rows.size())); };
    numbers.push_back(trainer.AddFrame(mesh, all(example.input.features), all(targets), LossWeights(example.input)));
  }
  return numbers;
}

double WeightError(const RigAnswer& answer, const Example& example) {
  double sum = 0;
  for (Eigen::Index e = 0; e < answer.weights.rows(); ++e) {
    sum += example.input.areas[e] * (answer.weights.row(e) - example.weights.row(e)).cwiseAbs().sum();
  }
  return sum;
}

}  // namespace

ExampleSource::ExampleSource(const corpus::Recipe& recipe, const std::string& file, corpus::Side side,
                             const std::string& without_family, const std::string& only_family)
    : recipe_(recipe), manifest_(corpus::PlanCorpus(recipe, file)), maker_(recipe_, manifest_) {
  for (size_t b = 0; b < manifest_.bodies.size(); ++b) {
    const corpus::CorpusBody& body = manifest_.bodies[b];
    const bool wanted = body.side == side && (without_family.empty() || body.family != without_family) &&
                        (only_family.empty() || body.family == only_family);
    if (wanted) bodies_.push_back(static_cast<int>(b));
  }
  if (bodies_.empty()) {
    throw InputError(file, "", "has no body on a side that is needed", "give more bodies, or other [splits]");
  }
  maker_.CheckFiles(bodies_);
  maker_.Prepare(bodies_);
}

std::vector<Example> ExampleSource::Make(int count, const StanceRange& range, uint64_t seed) const {
  std::vector<std::optional<Example>> made(count);
  Progress progress("Making bodies", count, "bodies");
  for (int first = 0; first < count; first += kExamplesAtOnce) {
    const int now = std::min(kExamplesAtOnce, count - first);
    ParallelFor(now, 1, [&](int k) {
      const int b = bodies_[(first + k) % bodies()];
      const corpus::CorpusBody& body = manifest_.bodies[b];
      try {
        made[first + k] = MakeExample(maker_.Make(b).character, range, Random(seed, first + k).Bits(), body.name);
      } catch (const InputError& error) {
        Warn("{} is left out: {}", body.name, error.what());
      }
    });
    progress.Advance(now);
  }
  std::vector<Example> examples;
  for (std::optional<Example>& example : made) {
    if (example) examples.push_back(std::move(*example));
  }
  return examples;
}

TrainedRig TrainRig(const std::vector<Example>& training, const std::vector<Example>& validation,
                    const TrainRigOptions& options, const std::string& recipe_hash,
                    const std::filesystem::path& checkpoint, bool resume) {
  if (training.empty() || validation.empty())
    throw UsageError("there is no body to train on, or none to validate with");
  std::vector<const JointPositions*> joints;
  for (const Example& example : training) joints.push_back(&example.joints);
  const VoteScaling scaling = FitVotes(joints);
  const layers::DescribedNetwork network(DescribeNetwork(options.network), "the network");
  Random random(options.run.seed);
  layers::TorchRun run(network, network.InitialParameters(random), options.run,
                       Json{{"training", HashesOf(training)}, {"validation", HashesOf(validation)}}, checkpoint);
  std::vector<int> numbers = AddFrames(training, scaling, run.trainer());
  run.SetFrames(std::move(numbers), AddFrames(validation, scaling, run.trainer()));
  if (resume) run.Resume();
  TrainedRig trained;
  trained.finished = run.Go();
  trained.state = run.state();
  RigCard card{options.network, layers::JsonOf(options.run), recipe_hash, options.licence};
  card.training["examples"] = training.size();
  card.training["validation_examples"] = validation.size();
  card.training["best_step"] = trained.state.best_step;
  card.training["device"] = options.run.cuda ? "cuda" : "cpu";
  Usual usual = FitBones(joints);
  usual.spread = scaling.deviation;  // until it is measured
  trained.model = MakeRigModel(network, run.best(), scaling, usual, card, Json::object());
  const RigErrors errors = MeasureRig(RigNetwork(trained.model, "the trained network"), validation);
  usual.spread = Quantile(errors.spread_by_example, 0.99);
  trained.model = MakeRigModel(network, run.best(), scaling, usual, card, Json{{"validation", JsonOf(errors)}});
  return trained;
}

RigErrors MeasureRig(const RigNetwork& network, const std::vector<Example>& examples) {
  RigErrors errors;
  std::vector<double> all;
  for (const Example& example : examples) {
    const RigAnswer answer = network.EvaluateBothWays(example.input);
    double sum = 0;
    for (int j = 0; j < kJoints; ++j) {
      const double distance = (answer.joints.row(j) - example.joints.row(j)).norm();
      errors.by_joint[j] += distance / static_cast<double>(examples.size());
      all.push_back(distance);
      sum += distance;
    }
    errors.by_example.push_back(sum / kJoints);
    errors.spread_by_example.push_back(answer.MeanSpread());
    errors.weights += WeightError(answer, example) / static_cast<double>(examples.size());
  }
  errors.examples = static_cast<int>(examples.size());
  if (all.empty()) return errors;
  errors.mean = std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
  errors.percentile99 = Quantile(all, 0.99);
  errors.largest = *std::max_element(all.begin(), all.end());
  return errors;
}

Json JsonOf(const RigErrors& errors) {
  Json joints = Json::object();
  for (int j = 0; j < kJoints; ++j) joints[BipedJoints()[j].name] = errors.by_joint[j];
  return {{"examples", errors.examples}, {"mean", errors.mean},       {"percentile_99", errors.percentile99},
          {"largest", errors.largest},   {"weights", errors.weights}, {"joints", joints}};
}

}  // namespace sinew::autorig
