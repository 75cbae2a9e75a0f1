#include "sinew/offline/autorig/train_refiner.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/autorig/costume.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"

namespace sinew::autorig {
namespace {

constexpr int kBodiesAtOnce = 32;  // between two lines of progress
constexpr double kUnit = 100;      // targets are percents of the height: the training's rates are made for such sizes
constexpr double kUsual = 0.7;     // error of joints, in percent, at which samples begin to count less

// Soundings of one body in several stances.
SoundingSamples SoundBody(const ExampleSource& source, int k, const JointRefiner& refiner,
                          const TrainRefinerOptions& options, uint64_t seed) {
  const StanceRange range = TrainingStances();
  SoundingSamples samples;
  Random random(seed, k);
  const std::string& name = source.body(k).name;
  try {
    const WeightedBody rest = MakeWeightedBody(source.MakeCharacter(k), name);
    // As it is, then perhaps in a costume, and last on an even mesh, as networks see it.
    WeightedBody worn = rest;
    for (int s = 0; s < options.stances; ++s) {
      if (s == options.stances / 2) worn = PutOnCostume(rest, 2 * range.costumes, random);
      if (s > 0 && s == options.stances - 1) worn = Remesh(rest, kWorkingVertices, random.Bits(), name);
      const WeightedBody standing = Stand(worn, range, random.Bits());
      const SurfaceQuery surface(standing.surface);
      for (int d = 0; d < options.draws; ++d) AddSamples(refiner, surface, standing.joints, random, samples);
    }
  } catch (const InputError& error) {
    Warn("{} is left out: {}", name, error.what());
  }
  return samples;
}

learn::Samples SoundBodies(const ExampleSource& source, const JointRefiner& refiner, const TrainRefinerOptions& options,
                           uint64_t seed) {
  std::vector<SoundingSamples> made(source.bodies());
  Progress progress("Sounding bodies", source.bodies(), "bodies");
  for (int first = 0; first < source.bodies(); first += kBodiesAtOnce) {
    const int now = std::min(kBodiesAtOnce, source.bodies() - first);
    ParallelFor(now, 1, [&](int k) { made[first + k] = SoundBody(source, first + k, refiner, options, seed); });
    progress.Advance(now);
  }
  Eigen::Index count = 0, column = 0;
  for (const SoundingSamples& body : made) count += static_cast<Eigen::Index>(body.count());
  learn::Samples samples{RowMatrix(kSoundings, count), RowMatrix(kPlaceColumns, count)};
  for (const SoundingSamples& body : made) {
    for (size_t i = 0; i < body.count(); ++i, ++column) {
      samples.inputs.col(column) = Eigen::Map<const Eigen::VectorXf>(body.soundings[i].data(), kSoundings);
      samples.targets.col(column) = kUnit * Eigen::Map<const Eigen::VectorXf>(body.moves[i].data(), kPlaceColumns);
      const double error = samples.targets.col(column).squaredNorm() / kJoints;
      samples.weights.push_back(static_cast<float>(1 / (1 + error / (kUsual * kUsual))));
    }
  }
  return samples;
}

// Root mean square distance of a joint, in heights, for a mean over samples of squared lengths.
double DistanceOf(double loss) { return std::sqrt(loss / kJoints) / kUnit; }

}  // namespace

TrainedRefiner TrainRefiner(const ExampleSource& training, const ExampleSource& validation, const JointRefiner& start,
                            const TrainRefinerOptions& options) {
  TrainedRefiner trained;
  trained.refiner = start;
  for (int k = 0; k < options.networks; ++k) {
    // Every network has stances and errors of its own, also where networks are added later.
    const uint64_t seed = options.seed + 2 * trained.refiner.networks();
    const learn::Samples seen = SoundBodies(training, trained.refiner, options, seed);
    const learn::Samples held = SoundBodies(validation, trained.refiner, options, seed + 1);
    if (seen.count() == 0 || held.count() == 0) {
      throw InputError("the recipe", "", "has no body to train on, or none to validate with", "give more bodies");
    }
    learn::FitOptions fit_options;
    fit_options.width = options.width;
    fit_options.steps = fit_options.patience = options.steps;
    fit_options.rate = options.rate;
    fit_options.decay = options.decay;
    fit_options.seed = options.seed;
    fit_options.free = true;
    learn::Fit fit = learn::FitNetwork(seen, held, fit_options);
    fit.network.W3 /= static_cast<float>(kUnit);
    fit.network.b3 /= static_cast<float>(kUnit);
    trained.refiner.Add(std::move(fit.network));
    trained.samples = seen.count();
    const double before = held.targets.squaredNorm() / static_cast<double>(held.count());
    trained.distances.push_back({DistanceOf(before), DistanceOf(fit.training), DistanceOf(fit.validation)});
    Info("{:.3f}% of the height off, {:.3f}% after one correction ({:.3f}% on bodies trained on)",
         100 * trained.distances.back().before, 100 * trained.distances.back().validation,
         100 * trained.distances.back().training);
  }
  return trained;
}

}  // namespace sinew::autorig
