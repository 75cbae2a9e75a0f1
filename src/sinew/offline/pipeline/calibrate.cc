#include "sinew/offline/pipeline/calibrate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/anatomy/likely_unit.h"
#include "sinew/offline/anatomy/limits_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/core/units.h"
#include "sinew/offline/flesh/simulator.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/learn/fit_network.h"
#include "sinew/offline/poses/pose_maker.h"
#include "sinew/offline/skincells/skin_character.h"

namespace sinew::pipeline {
namespace {

using Clock = std::chrono::steady_clock;

double Since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Duration on the server of cost.h of the computation that MeasureSpeed() times.
constexpr double kServerSeconds = 0.11;

// Times the training of a small network on every thread at once: products of small matrices, as in most of the work.
double MeasureSpeed() {
  Random random(1);
  learn::Samples samples{learn::RowMatrix(24, 256), learn::RowMatrix(16, 256)};
  for (learn::RowMatrix* matrix : {&samples.inputs, &samples.targets}) {
    for (float& value : matrix->reshaped()) value = static_cast<float>(random.Normal());
  }
  std::vector<double> seconds(Pool().concurrency());
  ParallelFor(static_cast<int>(seconds.size()), 1, [&](int t) {
    const auto start = Clock::now();
    learn::FitNetwork(samples, samples, {.width = 32, .steps = 2000, .patience = 2000});
    seconds[t] = Since(start);
  });
  const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
  return mean / kServerSeconds;
}

// Poses as the training stages draw them.
std::vector<Pose> PosesOf(const Request& request, const Character& character, const JointLimits& limits, int count) {
  const Articulation articulation(character.skeleton);
  const poses::PoseMaker maker(character, articulation, limits, {.clear = request.config.Flag("poses", "clear")});
  const int wide = static_cast<int>(std::lround(request.config.Double("poses", "wide") * count));
  std::vector<Pose> poses;
  const auto add = [&](int number, double amount) {
    if (number == 0) return;
    const Clip clip =
        maker.Sample({.count = number, .seed = request.seed, .amount = amount}, "calibration", "calibration").clip;
    poses.insert(poses.end(), clip.motion.frames.begin(), clip.motion.frames.end());
  };
  add(wide, 1);
  add(count - wide, request.config.Double("poses", "inner"));
  // Wide poses take longest, so any first part of the list has its share of them.
  std::vector<Pose> mixed;
  for (int i = 0, w = 0, rest = wide; i < count; ++i) {
    const bool take_wide = w < wide && w * count <= i * wide;
    mixed.push_back(take_wide ? poses[w++] : poses[std::min<size_t>(rest++, poses.size() - 1)]);
  }
  return mixed;
}

JointLimits LimitsOf(const Request& request, const Character& character, const std::string& name) {
  JointLimits limits = FindLimits(character, name);
  const std::string file = request.config.String("limits", "file");
  if (!file.empty()) ApplyLimitsText(ReadTextFile(file), file, character.skeleton, limits);
  return limits;
}

struct Measured {
  int frames = 0;           // number of poses that were solved
  double mean_seconds = 0;  // of one thread, for a pose
};

// Solves poses on all threads until `seconds` are over, at least one per thread.
Measured Solve(const flesh::FleshModel& model, const std::vector<Pose>& poses, double seconds) {
  std::vector<double> took(poses.size(), 0.0);
  const auto start = Clock::now();
  ParallelFor(static_cast<int>(poses.size()), 1, [&](int i) {
    if (i >= Pool().concurrency() && Since(start) > seconds) return;
    const auto begin = Clock::now();
    model.Solve(poses[i]);
    took[i] = Since(begin);
  });
  Measured measured;
  for (const double time : took) {
    measured.frames += time > 0 ? 1 : 0;
    measured.mean_seconds += time;
  }
  measured.mean_seconds /= std::max(1, measured.frames);
  return measured;
}

// Returns frames of the character's own longest animation, evenly spread; none if it has none or is judged by others.
std::vector<Pose> FramesOfLongest(const Request& request, const Character& character, int count) {
  if (!request.config.Strings("poses", "motion").empty()) return {};
  std::vector<Pose> longest;
  for (Clip& clip : ClipsOf(character, "calibration", 30)) {
    if (clip.motion.frames.size() > longest.size()) longest = std::move(clip.motion.frames);
  }
  std::vector<Pose> frames;
  for (int i = 0; i < count && !longest.empty(); ++i) {
    frames.push_back(longest[(2 * static_cast<size_t>(i) + 1) * longest.size() / (2 * static_cast<size_t>(count))]);
  }
  return frames;
}

}  // namespace

Calibration Calibrate(const Request& request, Subject& subject, double seconds) {
  Calibration calibration;
  calibration.speed = MeasureSpeed();
  Character character = SubjectCharacter(request, subject);
  const Config& config = request.config;
  if (!HasWeights(character) || config.String("weights", "compute") == "always") {
    skincells::SkinOptions skin;
    skin.method = skincells::Method::kProximity;
    skincells::SkinCharacter(character, subject.name, skin);
  }
  // Build the flesh, of the size of the quick quality at most.
  flesh::FleshSettings settings = FleshOptions(config).flesh;
  const std::string unit = config.String("input", "unit");
  settings.unit = unit == "auto" ? GuessUnit(character).metres : MetresPer(unit);
  const int tets = settings.tets > 0 ? settings.tets : flesh::QualityOf(settings.quality).tets;
  const int measured = std::min(tets, flesh::QualityOf(flesh::Quality::kQuick).tets);
  settings.tets = measured;
  const double factor = std::pow(static_cast<double>(tets) / measured, 1.2);  // as in FrameSeconds()
  const auto start = Clock::now();
  const flesh::FleshModel model(character, settings);
  calibration.model_seconds = factor * Since(start);
  // Solve poses on all threads until the time is over.
  const int threads = Pool().concurrency();
  constexpr int kMaxPoses = 64;
  const int count = std::max(kMaxPoses, 2 * threads);
  const std::vector<Pose> poses = PosesOf(request, character, LimitsOf(request, character, subject.name), count);
  const Measured samples = Solve(model, poses, seconds);
  calibration.frames = samples.frames;
  calibration.frame_seconds = factor * samples.mean_seconds;
  // An artist's motion may ask more of the flesh than poses inside the limits do.
  const std::vector<Pose> motion = FramesOfLongest(request, character, 2 * threads);
  if (!motion.empty()) calibration.motion_frame_seconds = factor * Solve(model, motion, seconds / 2).mean_seconds;
  return calibration;
}

}  // namespace sinew::pipeline
