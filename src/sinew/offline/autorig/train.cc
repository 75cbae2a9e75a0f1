#include "sinew/offline/autorig/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "sinew/offline/autorig/carry_weights.h"
#include "sinew/offline/autorig/costume.h"
#include "sinew/offline/autorig/find_rig.h"
#include "sinew/offline/autorig/named_choice.h"
#include "sinew/offline/bodies/remesh_character.h"
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
#include "sinew/offline/mesh/measures.h"

namespace sinew::autorig {
namespace {

constexpr int kFewestOfFile = 1500, kMostOfFile = 15000;  // vertices of a body as another file might have it
constexpr int kBodiesAtOnce = 128;                        // between two lines of progress
constexpr double kFrameNoise = 0.01;  // of joints that give the frame of a second look, per axis, share of the height
constexpr int kOtherVertices = 2000;  // of shapes that are no bipeds
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

// An example as a network sees it in one of its two looks.
struct View {
  EdgeInput input;
  JointPositions joints;
  Points points;  // vertices
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
  View view{InFrame(example.input, frame, refined), {}, frame.PointsToCanonical(example.surface.positions)};
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

// Numbers of a matrix, row by row, as floats.
template <typename Matrix>
std::vector<float> Flat(const Matrix& matrix) {
  const RowMatrix rows = matrix.template cast<float>();
  return {rows.data(), rows.data() + rows.size()};
}

// Returns the true answers for the edges of a view, where the loss is on edges: weights, then what all edges share.
std::vector<float> TargetsOf(const Example& example, const View& view, const VoteScaling& scaling, int shared) {
  std::vector<float> targets = Flat(*example.weights);
  const std::vector<float> places = PlacesOf(view.joints, scaling);
  targets.insert(targets.end(), places.begin(), places.begin() + shared);
  return targets;
}

int AddMesh(const EdgeInput& input, const View& view, bool rig, learn::TorchTrainer& trainer) {
  const std::vector<int> starts(input.edges->count() + 1, 0);
  const int mesh = trainer.AddMesh(starts, {}, RingsOf(*input.edges));
  if (!rig) return mesh;
  std::vector<int> ends;
  for (const auto& [a, b] : input.edges->ends) ends.insert(ends.end(), {a, b});
  trainer.AddPoints(mesh, ends, static_cast<int>(view.points.rows()));
  return mesh;
}

// Hands views to the trainer; examples on one mesh share it. rig: null without a loss on vertices.
std::vector<int> AddFrames(const std::vector<Example>& examples, const std::vector<View>& views,
                           const VoteScaling& scaling, const layers::DescribedNetwork& network, bool by_area,
                           const layers::RigRun* rig, learn::TorchTrainer& trainer) {
  std::map<const SurfaceEdges*, int> meshes;
  std::vector<int> numbers;
  for (size_t k = 0; k < views.size(); ++k) {
    const View& view = views[k];
    const Example& example = examples[k / 2];
    const auto [mesh, added] = meshes.emplace(view.input.edges.get(), 0);
    if (added) mesh->second = AddMesh(view.input, view, rig != nullptr, trainer);
    const std::vector<float> features = Flat(NetworkInput(view.input, network.inputs()));
    const bool bare = rig != nullptr && rig->alone;
    numbers.push_back(
        trainer.AddFrame(mesh->second, features,
                         bare ? std::vector<float>() : TargetsOf(example, view, scaling, network.outputs() - kJoints),
                         bare ? std::vector<float>() : EdgeShares(view.input, by_area)));
    if (rig == nullptr) continue;
    const std::vector<float> points = Flat(view.points), weights = Flat(*example.vertex_weights),
                             joints = Flat(view.joints),
                             shares = VertexShares(view.input, static_cast<int>(view.points.rows()), by_area);
    trainer.AddRig(numbers.back(), {points, weights, shares, joints});
  }
  return numbers;
}

// Of the weights of vertices, as `sinew rig` corrects them in a file.
double WeightError(const RigNetwork& network, const RigAnswer& answer, const Example& example) {
  const int vertices = example.surface.vertex_count();
  const RowMatrix found = VertexWeights(answer.weights, example.input, vertices);
  const RowMatrix refined = network.weight_refiner().Refine(example.surface, answer.joints, found);
  const std::vector<double> areas = VertexAreas(example.surface);
  double sum = 0;
  for (int v = 0; v < vertices; ++v) {
    sum += areas[v] * (refined.row(v) - example.vertex_weights->row(v)).cwiseAbs().sum();
  }
  return sum / std::accumulate(areas.begin(), areas.end(), 0.0);
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
std::vector<double> DoubtsOfOthers(const RigNetwork& network, int shapes, uint64_t seed) {
  std::vector<double> doubts;
  for (const embedded::Kind& kind : embedded::Kinds()) {
    if (kind.name == "biped" || kind.name == "cartoon") continue;
    const embedded::CharacterMaker maker(kind, kOtherVertices);
    for (int k = 0; k < shapes; ++k) {
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
double LimitOfDoubt(const RigNetwork& network, const std::vector<Doubts>& known, int shapes, uint64_t seed) {
  std::vector<double> bipeds;
  for (const Doubts& doubts : known) bipeds.push_back(Doubt(doubts, network.usual()));
  const double largest = Quantile(bipeds, 0.99);
  if (shapes == 0) return largest;
  const double others = Quantile(DoubtsOfOthers(network, shapes, seed), 0.05);
  Info("doubts: 99 of 100 validation bodies below {:.2f}, 95 of 100 others above {:.2f}", largest, others);
  return largest * std::pow(std::max(1.0, others / largest), kLenience);
}

// The body as another file might have meshed it: coarse, simplified, with long triangles, which a remeshing still
// shows.
WeightedBody OnAnotherMesh(const Character& character, Random& random, const std::string& name) {
  const bodies::RemeshRecipe recipe =
      bodies::DrawRemesh(bodies::PointCount(character, name), kFewestOfFile, kMostOfFile, random.Bits());
  return MakeWeightedBody(bodies::RemeshCharacter(character, recipe, name).character, name);
}

bool SameTriangles(const Triangles& a, const Triangles& b) { return a.rows() == b.rows() && a == b; }

// Returns the settings of a training, for the card of the network.
Json CardOf(const TrainRigOptions& options, const RigNetwork* from) {
  Json json = layers::JsonOf(options.run);
  if (from != nullptr) {
    json["offsets"] = from->card().training.value("offsets", Json());
    json["from"] = HashHex(std::as_bytes(std::span(from->parameters())));
  } else {
    json["offsets"] = OffsetNames()[static_cast<size_t>(options.network.offsets)];
  }
  json["supervision"] = SupervisionNames()[static_cast<size_t>(options.loss.supervision)];
  json["direct_loss"] = options.loss.squared ? "squared" : "huber";
  json["pooling"] = options.loss.by_area ? "area" : "vertices";
  json["influences"] = options.loss.influences > 0 ? options.loss.influences : kJoints;
  json["augmentation"] = NamesOf(options.augmentation);
  return json;
}

}  // namespace

std::vector<std::string> PresetNames() { return {"ours", "paper"}; }

TrainRigOptions PresetOptions(const std::string& name) {
  TrainRigOptions options;
  if (IndexOfWord(name, PresetNames(), "preset") == 0) return options;
  options.network = {.blocks = "paper", .offsets = OffsetBlock::kPaper, .by_area = false};
  options.loss = {.supervision = Supervision::kIndirect, .squared = true, .by_area = false};
  options.augmentation = {.stances = false, .proportions = false};
  // Section 5.1 and Table 5; the learning rate is that of the skinning block.
  options.run = {.batch = 5, .rate = 2e-4, .decay = 0};
  return options;
}

ExampleSource::ExampleSource(const corpus::Recipe& recipe, const std::string& file, corpus::Side side,
                             const std::string& without_family, const std::string& only_family)
    : recipe_(recipe), manifest_(corpus::PlanCorpus(recipe, file)), maker_(recipe_, manifest_), file_(file) {
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

void ExampleSource::LeaveOutDressed() {
  std::erase_if(bodies_,
                [this](int b) { return manifest_.bodies[b].dress >= 0 || !manifest_.bodies[b].garment.empty(); });
  if (bodies_.empty()) {
    throw InputError(file_, "", "has no body that wears nothing", "give more bodies, or train with dress");
  }
}

ExampleSource::SharedMeshes ExampleSource::ShareMeshes(uint64_t seed) const {
  SharedMeshes shared;
  for (const int b : bodies_) {
    const corpus::CorpusBody& own = manifest_.bodies[b];
    if (shared.count(own.topology) > 0) continue;
    const WeightedBody rest = MakeWeightedBody(maker_.Make(b).character, own.name);
    shared[own.topology] = {rest.surface.triangles, MakeWorkingSurface(rest.surface, kWorkingVertices, seed, own.name)};
  }
  return shared;
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

std::vector<Example> ExampleSource::MakeOfBody(int k, int count, int meshes, const StanceRange& range, uint64_t seed,
                                               const SharedMeshes& shared) const {
  const std::string& name = body(k).name;
  Random random(seed, k);
  std::vector<Example> examples;
  try {
    const Character character = maker_.Make(bodies_[k]).character;
    const WeightedBody rest = MakeWeightedBody(character, name);
    const auto same = shared.find(body(k).topology);
    if (same != shared.end() && SameTriangles(same->second.triangles, rest.surface.triangles)) {
      const ExampleMaker maker(Remesh(rest, same->second.working));
      for (int n = 0; n < count; ++n) examples.push_back(maker.Make(range, random.Bits()));
      return examples;
    }
    for (int m = 0; m < std::min(std::max(meshes, 1), count); ++m) {
      const double share = m % 3 == 2 ? random.Uniform() : 1;
      const double vertices = kCoarseVertices * std::pow(double{kWorkingVertices} / kCoarseVertices, share);
      const bool as_others = m % 3 == 1;
      const WeightedBody worn =
          PutOnCostume(as_others ? OnAnotherMesh(character, random, name) : rest, range.costumes, random);
      const ExampleMaker maker(Remesh(worn, static_cast<int>(vertices), random.Bits(), name));
      for (int n = m; n < count; n += std::max(meshes, 1)) examples.push_back(maker.Make(range, random.Bits()));
    }
  } catch (const InputError& error) {
    Warn("{} is left out: {}", name, error.what());
  }
  return examples;
}

std::vector<Example> ExampleSource::MakeMany(int count, int meshes, const StanceRange& range, uint64_t seed) const {
  const SharedMeshes shared = meshes > 0 ? SharedMeshes() : ShareMeshes(seed);
  std::vector<std::vector<Example>> made(bodies());
  Progress progress("Making bodies", bodies(), "bodies");
  for (int first = 0; first < bodies(); first += kBodiesAtOnce) {
    const int now = std::min(kBodiesAtOnce, bodies() - first);
    ParallelFor(now, 1, [&](int k) {
      const int b = first + k, own = count / bodies() + (b < count % bodies() ? 1 : 0);
      if (own > 0) made[b] = MakeOfBody(b, own, meshes, range, seed, shared);
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
                    const TrainRigOptions& options, const std::string& recipe_hash, const RigNetwork* from,
                    const std::filesystem::path& checkpoint, bool resume) {
  if (training.empty() || validation.empty())
    throw UsageError("there is no body to train on, or none to validate with");
  const layers::DescribedNetwork network(
      from != nullptr ? from->network().description() : DescribeNetwork(options.network), "the network");
  std::vector<View> views = ViewsOf(training), others = ViewsOf(validation);
  std::vector<const JointPositions*> seen, joints;
  for (const View& view : views) seen.push_back(&view.joints);
  for (const Example& example : training) joints.push_back(&example.joints);
  const VoteScaling scaling = from != nullptr ? from->scaling() : FitVotes(seen);
  Usual usual = FitBones(joints);
  const std::optional<layers::RigRun> rig = MakeRigRun(options.loss, scaling);
  layers::RunOptions run_options = options.run;
  run_options.shared = network.outputs() - kJoints;
  Json card_json = CardOf(options, from);
  Random random(options.run.seed);
  layers::TorchRun run(
      network, from != nullptr ? from->parameters() : network.InitialParameters(random), run_options,
      Json{{"training", HashesOf(training)}, {"validation", HashesOf(validation)}, {"options", card_json}}, checkpoint,
      rig ? &*rig : nullptr);
  const auto add = [&](const std::vector<Example>& examples, const std::vector<View>& seen_views) {
    return AddFrames(examples, seen_views, scaling, network, options.loss.by_area, rig ? &*rig : nullptr,
                     run.trainer());
  };
  std::vector<int> numbers = add(training, views);
  run.SetFrames(std::move(numbers), add(validation, others));
  views = others = {};  // the trainer has them
  if (resume) run.Resume();
  TrainedRig trained;
  trained.finished = run.Go();
  trained.state = run.state();
  RigCard card{from != nullptr ? from->card().network : options.network.blocks, card_json, recipe_hash,
               options.licence};
  card.training["examples"] = training.size();
  card.training["validation_examples"] = validation.size();
  card.training["device"] = options.run.cuda ? "cuda" : "cpu";
  card.training["best_step"] = trained.state.best_step;
  const auto model = [&](const Json& figures) {
    return MakeRigModel(network, run.best(), scaling, usual, card, figures);
  };
  const RigErrors errors = MeasureRig(RigNetwork(model(Json::object()), "the trained network"), validation);
  usual.doubts = UsualDoubts(errors.doubts);
  usual.limit = LimitOfDoubt(RigNetwork(model(Json::object()), "the trained network"), errors.doubts, options.others,
                             options.run.seed);
  trained.model = model(Json{{"validation", JsonOf(errors)}});
  return trained;
}

RigErrors MeasureRig(const RigNetwork& network, const std::vector<Example>& examples) {
  RigErrors errors;
  std::vector<RigAnswer> answers(examples.size());
  errors.doubts.resize(examples.size());
  std::vector<double> weights(examples.size());
  ParallelFor(static_cast<int>(examples.size()), 1, [&](int k) {
    answers[k] = network.Rig(examples[k].input);
    answers[k].joints = network.refiner().Refine(SurfaceQuery(examples[k].surface), answers[k].joints);
    errors.doubts[k] = MeasureDoubts(answers[k], examples[k].input, examples[k].surface);
    weights[k] = WeightError(network, answers[k], examples[k]);
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
    errors.weights += weights[k] / static_cast<double>(examples.size());
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
