#include "sinew/offline/autorig/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "sinew/offline/autorig/costume.h"
#include "sinew/offline/autorig/find_rig.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/core/quantile.h"
#include "sinew/offline/corpus/plan.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/embedded/make_character.h"

namespace sinew::autorig {
namespace {

constexpr int kBodiesAtOnce = 128;    // between two lines of progress
constexpr double kFrameNoise = 0.01;  // of joints that give the frame of a second look, per axis, share of the height
constexpr int kOthers = 6;            // shapes per embedded kind that is no biped
constexpr int kOtherVertices = 2000;  // of these
constexpr double kLenience = 0.67;    // where the limit of doubt lies between bipeds and others, in the logarithm

std::string HashOf(const Example& example) {
  const auto& positions = example.surface.positions;
  const auto shape = std::span(positions.data(), static_cast<size_t>(positions.size()));
  const auto joints = std::span(example.joints.data(), static_cast<size_t>(example.joints.size()));
  return HashHex(std::as_bytes(shape)) + HashHex(std::as_bytes(joints));
}

Json HashesOf(const std::vector<Example>& examples) {
  Json hashes = Json::array();
  for (const Example& example : examples) hashes.push_back(HashOf(example));
  return hashes;
}

// Weights of an example's edges in the loss: half by area, half by number. Hands and feet are a tenth of the area, and
// a fourth of what is seen of a rig.
std::vector<float> LossWeights(const EdgeInput& input) {
  std::vector<float> weights;
  const float each = 1 / static_cast<float>(input.areas.size());
  for (const float area : input.areas) weights.push_back((area + each) / 2);
  return weights;
}

// An example as a network sees it in one of its two looks.
struct View {
  EdgeInput input;
  JointPositions joints;
};

View ViewOf(const Example& example, bool refined) {
  BodyFrame frame;
  if (refined) {
    // Joints as the first look may find them.
    Random random(example.seed);
    JointPositions found = example.joints;
    for (double& value : found.reshaped()) value += kFrameNoise * random.Normal();
    frame = RefinedFrame(found).value_or(frame);
  }
  View view{InFrame(example.input, frame, refined), {}};
  for (int j = 0; j < kJoints; ++j) view.joints.row(j) = frame.ToCanonical(example.joints.row(j).transpose());
  return view;
}

std::vector<View> ViewsOf(const std::vector<Example>& examples) {
  std::vector<View> views(2 * examples.size());
  ParallelFor(static_cast<int>(views.size()), 1, [&](int k) { views[k] = ViewOf(examples[k / 2], k % 2 == 1); });
  return views;
}

std::vector<int> RingsOf(const SurfaceEdges& edges) {
  std::vector<int> rings;
  const auto add = [&](const layers::EdgeRings& set) {
    for (const auto& ring : set.rings) rings.insert(rings.end(), ring.begin(), ring.end());
  };
  add(edges.rings);
  for (const layers::EdgeRings& set : edges.wide) add(set);
  return rings;
}

// Hands views to the trainer; examples on one mesh share it.
std::vector<int> AddFrames(const std::vector<Example>& examples, const std::vector<View>& views,
                           const VoteScaling& scaling, learn::TorchTrainer& trainer) {
  std::map<const SurfaceEdges*, int> meshes;
  std::vector<int> numbers;
  for (size_t k = 0; k < views.size(); ++k) {
    const EdgeInput& input = views[k].input;
    const auto [mesh, added] = meshes.emplace(input.edges.get(), 0);
    if (added) {
      const std::vector<int> starts(input.edges->count() + 1, 0);
      mesh->second = trainer.AddMesh(starts, {}, RingsOf(*input.edges));
    }
    const RowMatrix& weights = *examples[k / 2].weights;
    std::vector<float> targets(weights.data(), weights.data() + weights.size());
    const std::vector<float> places = PlacesOf(views[k].joints, scaling);
    targets.insert(targets.end(), places.begin(), places.end());
    const std::span features(input.features.data(), static_cast<size_t>(input.features.size()));
    numbers.push_back(trainer.AddFrame(mesh->second, features, targets, LossWeights(input)));
  }
  return numbers;
}

double WeightError(const RigAnswer& answer, const Example& example) {
  double sum = 0;
  for (Eigen::Index e = 0; e < answer.weights.rows(); ++e) {
    sum += example.input.areas[e] * (answer.weights.row(e) - example.weights->row(e)).cwiseAbs().sum();
  }
  return sum;
}

// Largest doubts of 99 of 100 examples, each measure by itself.
Doubts UsualDoubts(const std::vector<Doubts>& doubts) {
  const auto most = [&](double Doubts::*measure) {
    std::vector<double> values;
    for (const Doubts& each : doubts) values.push_back(each.*measure);
    return Quantile(values, 0.99);
  };
  return {most(&Doubts::spread), most(&Doubts::moved), most(&Doubts::sides), most(&Doubts::distance),
          most(&Doubts::outside)};
}

// Doubts about embedded characters that are no bipeds.
std::vector<double> DoubtsOfOthers(const RigNetwork& network, uint64_t seed) {
  std::vector<double> doubts;
  for (const embedded::Kind& kind : embedded::Kinds()) {
    if (kind.name == "biped" || kind.name == "cartoon") continue;
    const embedded::CharacterMaker maker(kind, kOtherVertices);
    for (int k = 0; k < kOthers; ++k) {
      try {
        const Character character = maker.Make(embedded::RandomShape(kind.parameters, seed + k));
        doubts.push_back(
            Doubt(FindRig(CollectRestSurface(character).welded, network, seed, kind.name).doubts, network.usual()));
      } catch (const FailedError&) {  // a shape that folds over
      }
    }
  }
  return doubts;
}

// Doubt up to which a body is taken for a biped.
double LimitOfDoubt(const RigNetwork& network, const std::vector<Doubts>& known, uint64_t seed) {
  std::vector<double> bipeds;
  for (const Doubts& doubts : known) bipeds.push_back(Doubt(doubts, network.usual()));
  const double largest = Quantile(bipeds, 0.99), others = Quantile(DoubtsOfOthers(network, seed), 0.05);
  Info("doubts: 99 of 100 validation bodies below {:.2f}, 95 of 100 others above {:.2f}", largest, others);
  return largest * std::pow(std::max(1.0, others / largest), kLenience);
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
  for (int first = 0; first < count; first += kBodiesAtOnce) {
    const int now = std::min(kBodiesAtOnce, count - first);
    ParallelFor(now, 1, [&](int k) {
      const int b = bodies_[(first + k) % bodies()];
      const std::string& name = manifest_.bodies[b].name;
      try {
        Random random(seed, first + k);
        const uint64_t own = random.Bits();
        const WeightedBody body = MakeWeightedBody(maker_.Make(b).character, name);
        made[first + k] = MakeExample(PutOnCostume(body, range.costumes, random), range, kWorkingVertices, own, name);
      } catch (const InputError& error) {
        Warn("{} is left out: {}", name, error.what());
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

std::vector<Example> ExampleSource::MakeOfBody(int k, int count, int meshes, const StanceRange& range,
                                               uint64_t seed) const {
  const std::string& name = body(k).name;
  Random random(seed, k);
  std::vector<Example> examples;
  try {
    const WeightedBody rest = MakeWeightedBody(maker_.Make(bodies_[k]).character, name);
    for (int m = 0; m < std::min(meshes, count); ++m) {
      const double share = m % 3 == 2 ? random.Uniform() : 1;
      const double vertices = kCoarseVertices * std::pow(double{kWorkingVertices} / kCoarseVertices, share);
      const WeightedBody worn = PutOnCostume(rest, range.costumes, random);
      const ExampleMaker maker(Remesh(worn, static_cast<int>(vertices), random.Bits(), name));
      for (int n = m; n < count; n += meshes) examples.push_back(maker.Make(range, random.Bits()));
    }
  } catch (const InputError& error) {
    Warn("{} is left out: {}", name, error.what());
  }
  return examples;
}

std::vector<Example> ExampleSource::MakeMany(int count, int meshes, const StanceRange& range, uint64_t seed) const {
  std::vector<std::vector<Example>> made(bodies());
  Progress progress("Making bodies", bodies(), "bodies");
  for (int first = 0; first < bodies(); first += kBodiesAtOnce) {
    const int now = std::min(kBodiesAtOnce, bodies() - first);
    ParallelFor(now, 1, [&](int k) {
      const int b = first + k, own = count / bodies() + (b < count % bodies() ? 1 : 0);
      if (own > 0) made[b] = MakeOfBody(b, own, meshes, range, seed);
    });
    progress.Advance(now);
  }
  std::vector<Example> examples;
  for (std::vector<Example>& some : made) {
    std::move(some.begin(), some.end(), std::back_inserter(examples));
    some.clear();
  }
  return examples;
}

TrainedRig TrainRig(const std::vector<Example>& training, const std::vector<Example>& validation,
                    const TrainRigOptions& options, const std::string& recipe_hash,
                    const std::filesystem::path& checkpoint, bool resume) {
  if (training.empty() || validation.empty())
    throw UsageError("there is no body to train on, or none to validate with");
  const layers::DescribedNetwork network(DescribeNetwork(options.network), "the network");
  Random random(options.run.seed);
  layers::TorchRun run(network, network.InitialParameters(random), options.run,
                       Json{{"training", HashesOf(training)}, {"validation", HashesOf(validation)}}, checkpoint);
  VoteScaling scaling;
  Usual usual;
  {
    const std::vector<View> views = ViewsOf(training), others = ViewsOf(validation);
    std::vector<const JointPositions*> seen, joints;
    for (const View& view : views) seen.push_back(&view.joints);
    for (const Example& example : training) joints.push_back(&example.joints);
    scaling = FitVotes(seen);
    usual = FitBones(joints);
    std::vector<int> numbers = AddFrames(training, views, scaling, run.trainer());
    run.SetFrames(std::move(numbers), AddFrames(validation, others, scaling, run.trainer()));
  }
  if (resume) run.Resume();
  TrainedRig trained;
  trained.finished = run.Go();
  trained.state = run.state();
  RigCard card{options.network, layers::JsonOf(options.run), recipe_hash, options.licence};
  card.training["examples"] = training.size();
  card.training["validation_examples"] = validation.size();
  card.training["best_step"] = trained.state.best_step;
  card.training["device"] = options.run.cuda ? "cuda" : "cpu";
  const auto model = [&](const Json& figures) {
    return MakeRigModel(network, run.best(), scaling, usual, card, figures);
  };
  const RigErrors errors = MeasureRig(RigNetwork(model(Json::object()), "the trained network"), validation);
  usual.doubts = UsualDoubts(errors.doubts);
  usual.limit = LimitOfDoubt(RigNetwork(model(Json::object()), "the trained network"), errors.doubts, options.run.seed);
  trained.model = model(Json{{"validation", JsonOf(errors)}});
  return trained;
}

RigErrors MeasureRig(const RigNetwork& network, const std::vector<Example>& examples) {
  RigErrors errors;
  std::vector<RigAnswer> answers(examples.size());
  errors.doubts.resize(examples.size());
  ParallelFor(static_cast<int>(examples.size()), 1, [&](int k) {
    answers[k] = network.Rig(examples[k].input);
    errors.doubts[k] = MeasureDoubts(answers[k], examples[k].input, examples[k].surface);
  });
  std::vector<double> all;
  for (size_t k = 0; k < examples.size(); ++k) {
    const Example& example = examples[k];
    const RigAnswer& answer = answers[k];
    double sum = 0;
    for (int j = 0; j < kJoints; ++j) {
      const double distance = (answer.joints.row(j) - example.joints.row(j)).norm();
      errors.by_joint[j] += distance / static_cast<double>(examples.size());
      all.push_back(distance);
      sum += distance;
    }
    errors.by_example.push_back(sum / kJoints);
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
