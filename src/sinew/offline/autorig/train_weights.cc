#include "sinew/offline/autorig/train_weights.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/autorig/carry_weights.h"
#include "sinew/offline/autorig/costume.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/learn/adam.h"
#include "sinew/offline/learn/schedule.h"
#include "sinew/offline/learn/share_network.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew::autorig {
namespace {

constexpr int kBodiesAtOnce = 32;  // between two lines of progress
constexpr int kPlacesAtOnce = 64;  // of a step, in one thread
constexpr int kStepsOfProgress = 500;
constexpr float kHardly = 0.01F;  // variation of an input below which it is not amplified further

// Places of a body in one stance.
struct Sampled {
  JointView straight, mirrored;
  RowMatrix traits, found, right;  // one row per place: SurfaceTraits(), weights that were found, true ones
};

// Vertices that stand for equal shares of the area.
std::vector<int> DrawVertices(const TriMesh& surface, int count, Random& random) {
  const std::vector<double> areas = VertexAreas(surface);
  std::vector<double> sums;
  double total = 0;
  for (const double area : areas) sums.push_back(total += area);
  std::vector<int> vertices;
  for (int k = 0; k < count; ++k) {
    const double at = (k + random.Uniform()) / count * total;
    const auto found = std::lower_bound(sums.begin(), sums.end(), at);
    vertices.push_back(std::min(static_cast<int>(found - sums.begin()), surface.vertex_count() - 1));
  }
  return vertices;
}

// Rigs a body by the network as `sinew rig` does, but on one mesh alone, and looks at places of its surface.
void SampleStance(const WeightedBody& body, const RigNetwork& network, int places, const std::string& file,
                  Random& random, std::vector<Sampled>& samples) {
  const TriMesh mesh = MakeWorkingSurface(body.surface, kWorkingVertices, random.Bits(), file).mesh;
  const BodyFrame frame = MeasureFrame(mesh, Eigen::Matrix3d::Identity());
  const TriMesh canonical{frame.PointsToCanonical(mesh.positions), mesh.triangles};
  const EdgeInput input = MakeEdgeInput(canonical, MakeSurfaceEdges(canonical));
  const RigAnswer answer = network.Rig(input);
  JointPositions joints;
  for (int j = 0; j < kJoints; ++j) joints.row(j) = frame.ToFile(answer.joints.row(j).transpose()).transpose();
  joints = network.refiner().Refine(SurfaceQuery(body.surface), joints);
  const std::optional<BodyFrame> refined = RefinedFrame(joints);
  if (!refined) return;
  const RowMatrix found = CarryOver(mesh, VertexWeights(answer.weights, input, mesh.vertex_count()), body.surface);
  const RowMatrix traits = SurfaceTraits(body.surface, *refined);
  const std::vector<int> vertices = DrawVertices(body.surface, places, random);
  const auto count = static_cast<Eigen::Index>(vertices.size());
  Sampled sampled{{joints, *refined, false},
                  {joints, *refined, true},
                  RowMatrix(count, kTraits),
                  RowMatrix(count, kJoints),
                  RowMatrix(count, kJoints)};
  for (Eigen::Index i = 0; i < count; ++i) {
    sampled.traits.row(i) = traits.row(vertices[i]);
    sampled.found.row(i) = found.row(vertices[i]);
    sampled.right.row(i) = body.weights.row(vertices[i]);
  }
  samples.push_back(std::move(sampled));
}

std::vector<Sampled> SampleBody(const ExampleSource& source, int k, const RigNetwork& network,
                                const TrainWeightsOptions& options, uint64_t seed) {
  const StanceRange range = TrainingStances();
  std::vector<Sampled> samples;
  Random random(seed, k);
  const std::string& name = source.body(k).name;
  try {
    const WeightedBody rest = MakeWeightedBody(source.MakeCharacter(k), name);
    for (int s = 0; s < options.stances; ++s) {
      const WeightedBody worn = s % 2 == 1 ? PutOnCostume(rest, range.costumes, random) : rest;
      SampleStance(Stand(worn, range, random.Bits()), network, options.places, name, random, samples);
    }
  } catch (const InputError& error) {
    Warn("{} is left out: {}", name, error.what());
  }
  return samples;
}

std::vector<Sampled> SampleBodies(const ExampleSource& source, const RigNetwork& network,
                                  const TrainWeightsOptions& options, uint64_t seed) {
  std::vector<std::vector<Sampled>> made(source.bodies());
  Progress progress("Finding weights of bodies", source.bodies(), "bodies");
  for (int first = 0; first < source.bodies(); first += kBodiesAtOnce) {
    const int now = std::min(kBodiesAtOnce, source.bodies() - first);
    ParallelFor(now, 1, [&](int k) { made[first + k] = SampleBody(source, first + k, network, options, seed); });
    progress.Advance(now);
  }
  std::vector<Sampled> all;
  for (std::vector<Sampled>& body : made) std::move(body.begin(), body.end(), std::back_inserter(all));
  if (all.empty())
    throw InputError("the recipe", "", "has no body to train on, or none to validate with", "give more bodies");
  return all;
}

// Scaling of inputs to means of 0 and deviations of 1.
struct Standard {
  Eigen::VectorXf mean, scale;  // x -> (x - mean) * scale
};

// One place of the samples: straight, or as the mirror image has it.
struct Chosen {
  int sample = 0, place = 0;
  bool mirrored = false;
};
Chosen Draw(const std::vector<Sampled>& samples, Random& random) {
  const auto sample = static_cast<int>(random.Below(static_cast<uint32_t>(samples.size())));
  const auto place = static_cast<int>(random.Below(static_cast<uint32_t>(samples[sample].traits.rows())));
  return {sample, place, random.Below(2) == 0};
}

learn::ShareSamples Gather(const std::vector<Sampled>& samples, std::span<const Chosen> chosen,
                           const Standard* standard) {
  const auto count = static_cast<Eigen::Index>(chosen.size());
  learn::ShareSamples batch{RowMatrix(kWeightInputs, count), RowMatrix(kJoints, count), RowMatrix(kJoints, count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto& [sample, place, mirrored] = chosen[i];
    const Sampled& from = samples[sample];
    const JointView& view = mirrored ? from.mirrored : from.straight;
    const float* const found = from.found.row(place).data();
    view.Describe(from.traits.row(place).data(), found, batch.inputs.data() + i, count);
    view.TakeWeights(found, batch.priors.data() + i, count);
    view.TakeWeights(from.right.row(place).data(), batch.targets.data() + i, count);
  }
  if (standard != nullptr) {
    batch.inputs.colwise() -= standard->mean;
    batch.inputs.array().colwise() *= standard->scale.array();
  }
  return batch;
}

Standard StandardOf(const std::vector<Sampled>& samples, Random& random) {
  constexpr int kLookedAt = 20000;
  std::vector<Chosen> chosen(kLookedAt);
  for (Chosen& each : chosen) each = Draw(samples, random);
  const RowMatrix inputs = Gather(samples, chosen, nullptr).inputs;
  Standard standard{inputs.rowwise().mean(), {}};
  const RowMatrix centred = inputs.colwise() - standard.mean;
  standard.scale = (centred.rowwise().squaredNorm() / kLookedAt).cwiseSqrt().cwiseMax(kHardly).cwiseInverse();
  return standard;
}

std::vector<float> StartingParameters(const learn::NetworkShape& shape, Random& random) {
  std::vector<float> parameters(learn::ShareParameterCount(shape), 0.0F);
  const auto fill = [&](size_t first, int rows, int columns, double strength) {
    const double bound = strength * std::sqrt(6.0 / (rows + columns));
    for (size_t i = first; i < first + size_t(rows) * size_t(columns); ++i) {
      parameters[i] = static_cast<float>(random.Uniform(-bound, bound));
    }
  };
  const size_t second = size_t(shape.width) * (shape.inputs + 1),
               third = second + size_t(shape.width) * (shape.width + 1);
  fill(0, shape.width, shape.inputs, 1);
  fill(second, shape.width, shape.width, 1);
  fill(third, shape.outputs, shape.width, 0.1);  // at the start, weights stay as they were found
  return parameters;
}

// The network with the scaling of inputs in its first layer.
learn::Network Finished(const learn::NetworkShape& shape, const std::vector<float>& parameters,
                        const Standard& standard) {
  learn::Network network = learn::ShareNetwork(shape, parameters.data());
  network.W1 = network.W1 * standard.scale.asDiagonal();
  network.b1 -= network.W1 * standard.mean;
  return network;
}

learn::Network Fit(const std::vector<Sampled>& samples, const TrainWeightsOptions& options) {
  Random random(options.seed + 2);
  const Standard standard = StandardOf(samples, random);
  const learn::NetworkShape shape{kWeightInputs, options.width, kJoints};
  std::vector<float> parameters = StartingParameters(shape, random);
  std::vector<float> first(parameters.size(), 0.0F), second(parameters.size(), 0.0F), gradient(parameters.size());
  const int chunks = (options.batch + kPlacesAtOnce - 1) / kPlacesAtOnce;
  std::vector<std::vector<float>> gradients(chunks, std::vector<float>(parameters.size()));
  std::vector<Chosen> chosen(options.batch);
  Progress progress("Training", options.steps, "steps");
  for (int step = 1; step <= options.steps; ++step) {
    for (Chosen& each : chosen) each = Draw(samples, random);
    ParallelFor(chunks, 1, [&](int chunk) {
      const int from = chunk * kPlacesAtOnce, now = std::min(kPlacesAtOnce, options.batch - from);
      const learn::ShareSamples batch = Gather(samples, std::span(chosen).subspan(from, now), &standard);
      learn::ShareLoss(shape, parameters.data(), batch, gradients[chunk].data());
    });
    // In one order, whatever the number of threads.
    Eigen::Map<Eigen::VectorXf> sum(gradient.data(), static_cast<Eigen::Index>(gradient.size()));
    sum.setZero();
    for (const std::vector<float>& part : gradients) {
      sum += Eigen::Map<const Eigen::VectorXf>(part.data(), static_cast<Eigen::Index>(part.size()));
    }
    sum /= static_cast<float>(options.batch);
    const double rate = learn::CosineRate(options.rate, step, options.steps);
    learn::AdvanceAdam<float>(gradient, static_cast<float>(learn::AdamScale(step, rate)),
                              static_cast<float>(1 - rate * options.decay), {}, first, second, parameters);
    if (step % kStepsOfProgress == 0 || step == options.steps)
      progress.Advance(step % kStepsOfProgress == 0 ? kStepsOfProgress : step % kStepsOfProgress);
  }
  return Finished(shape, parameters, standard);
}

// Mean over all places of the sum of differences of weights.
void Measure(const std::vector<Sampled>& samples, const learn::Network& network, TrainedWeights& trained) {
  std::vector<double> before(samples.size()), after(samples.size());
  ParallelFor(static_cast<int>(samples.size()), 1, [&](int s) {
    const int places = static_cast<int>(samples[s].traits.rows());
    std::vector<Chosen> all;
    for (int i = 0; i < places; ++i) all.push_back({s, i, false});
    const learn::ShareSamples straight = Gather(samples, all, nullptr);
    for (Chosen& each : all) each.mirrored = true;
    const learn::ShareSamples image = Gather(samples, all, nullptr);
    const RowMatrix a = learn::CorrectShares(network, straight.inputs, straight.priors);
    const RowMatrix b = learn::CorrectShares(network, image.inputs, image.priors);
    RowMatrix mean(kJoints, places);
    for (int j = 0; j < kJoints; ++j) mean.row(j) = (a.row(j) + b.row(BipedJoints()[j].mirrored)) / 2;
    before[s] = (straight.priors - straight.targets).cwiseAbs().cast<double>().sum() / places;
    after[s] = (mean - straight.targets).cwiseAbs().cast<double>().sum() / places;
  });
  for (size_t s = 0; s < samples.size(); ++s) {
    trained.before += before[s] / static_cast<double>(samples.size());
    trained.after += after[s] / static_cast<double>(samples.size());
  }
}

}  // namespace

TrainedWeights TrainWeights(const ExampleSource& training, const ExampleSource& validation, const RigNetwork& network,
                            const TrainWeightsOptions& options) {
  TrainedWeights trained;
  const std::vector<Sampled> seen = SampleBodies(training, network, options, options.seed);
  const std::vector<Sampled> held = SampleBodies(validation, network, options, options.seed + 1);
  const learn::Network corrects = Fit(seen, options);
  Measure(held, corrects, trained);
  trained.refiner = WeightRefiner(corrects);
  trained.bodies = training.bodies();
  trained.places = static_cast<int>(seen.size()) * options.places;
  Info("weights that are {:.3f} of 2 off are {:.3f} off after the correction", trained.before, trained.after);
  return trained;
}

}  // namespace sinew::autorig
