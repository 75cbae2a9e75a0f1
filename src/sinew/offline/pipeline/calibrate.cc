#include "sinew/offline/pipeline/calibrate.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>

#include "sinew/offline/anatomy/likely_unit.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/core/units.h"
#include "sinew/offline/dataset/simulate.h"
#include "sinew/offline/flesh/simulator.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/learn/fit_network.h"
#include "sinew/offline/pipeline/chain.h"
#include "sinew/offline/pipeline/clocks.h"
#include "sinew/offline/pipeline/range_of_motion.h"
#include "sinew/offline/pipeline/rehearse.h"
#include "sinew/offline/poses/body_spheres.h"
#include "sinew/offline/poses/pose_clearance.h"
#include "sinew/offline/poses/pose_maker.h"
#include "sinew/offline/skincells/skin_character.h"

namespace sinew::pipeline {
namespace {

// Processor seconds on the server of cost.h of the computation that MeasureSpeed() times.
constexpr double kServerSeconds = 0.11;

// Seconds of worker threads.
struct Spent {
  double processor = 0, wall = 0;
  void Add(const Spent& more) { processor += more.processor, wall += more.wall; }
};

// Measures what the calling thread spends on work().
template <typename Work>
Spent TimeThread(const Work& work) {
  const double processor = ThreadSeconds(), wall = WallSeconds();
  work();
  return {ThreadSeconds() - processor, WallSeconds() - wall};
}

// Times the training of a small network on every thread at once: products of small matrices, as in most of the work.
// Adds what all threads spend to `spent`.
double MeasureSpeed(Spent& spent) {
  Random random(1);
  learn::Samples samples{learn::RowMatrix(24, 256), learn::RowMatrix(16, 256)};
  for (learn::RowMatrix* matrix : {&samples.inputs, &samples.targets}) {
    for (float& value : matrix->reshaped()) value = static_cast<float>(random.Normal());
  }
  std::vector<Spent> each(Pool().concurrency());
  ParallelFor(static_cast<int>(each.size()), 1, [&](int t) {
    each[t] = TimeThread([&] { learn::FitNetwork(samples, samples, {.width = 32, .steps = 2000, .patience = 2000}); });
  });
  double processor = 0;
  for (const Spent& thread : each) {
    processor += thread.processor;
    spent.Add(thread);
  }
  return processor / static_cast<double>(each.size()) / kServerSeconds;
}

// Draws poses as the training stages do, and stores how long that takes in `calibration`.
std::vector<Pose> DrawPoses(const Request& request, const Character& character, const JointLimits& limits, int count,
                            Calibration& calibration) {
  const Articulation articulation(character.skeleton);
  const bool clear = request.config.Flag("poses", "clear");
  poses::PoseMakerOptions options{.clear = clear};
  if (clear) {
    const double start = ProcessSeconds();
    options.clearance.body = std::make_shared<const poses::BodySpheres>(poses::FindBodySpheres(character));
    calibration.spheres_seconds = ProcessSeconds() - start;
    const poses::PoseClearance clearance(character, articulation, limits, options.clearance);
    calibration.clearance_seconds = ProcessSeconds() - start - calibration.spheres_seconds;
  }
  poses::PoseMaker maker(character, articulation, limits, options);
  const double start = ProcessSeconds();
  std::vector<std::vector<Pose>> draws;
  for (const poses::Draw& draw : DrawsOf(request.config, articulation, count, request.seed)) {
    draws.push_back(maker.Sample(draw.options, "calibration", "calibration").clip.motion.frames);
  }
  const double spent = ProcessSeconds() - start - static_cast<double>(draws.size()) * calibration.clearance_seconds;
  calibration.pose_seconds = std::max(spent / count, 1e-6);
  // Wide poses take longest to simulate, so any first part of the list has about the same share of every kind.
  std::vector<std::pair<double, Pose>> mixed;
  for (const std::vector<Pose>& draw : draws) {
    for (size_t i = 0; i < draw.size(); ++i) {
      mixed.emplace_back((static_cast<double>(i) + 0.5) / static_cast<double>(draw.size()), draw[i]);
    }
  }
  std::stable_sort(mixed.begin(), mixed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Pose> poses;
  for (auto& [place, pose] : mixed) poses.push_back(std::move(pose));
  return poses;
}

// Durations of poses so far: their mean, and how well it is known.
class Durations {
 public:
  void Add(const Spent& spent) {
    const std::lock_guard lock(mutex_);
    spent_.Add(spent);
    squares_ += spent.processor * spent.processor;
    ++count_;
  }
  // Whether the standard error of the mean is so small that more poses would change the estimate by little.
  bool AreKnown() const {
    constexpr int kFewest = 10;
    constexpr double kError = 0.1;  // as a share of the mean
    const std::lock_guard lock(mutex_);
    if (count_ < kFewest) return false;
    const double mean = spent_.processor / count_, variance = std::max(0.0, squares_ / count_ - mean * mean);
    return variance / (count_ - 1) <= kError * kError * mean * mean;
  }
  // To be called when all threads are done.
  int count() const { return count_; }
  double mean() const { return spent_.processor / std::max(1, count_); }
  const Spent& spent() const { return spent_; }

 private:
  mutable std::mutex mutex_;
  Spent spent_;
  double squares_ = 0;
  int count_ = 0;
};

// Solves poses on all threads until their duration is known or `seconds` are over, at least one per thread. Keeps at
// most `keep` of the solutions in `frames`.
void Solve(const flesh::FleshModel& model, const std::vector<Pose>& poses, double seconds, int keep,
           Durations& durations, RehearsalFrames& frames) {
  std::vector<Points> shapes(std::min(poses.size(), static_cast<size_t>(keep)));
  const double start = WallSeconds();
  ParallelFor(static_cast<int>(poses.size()), 1, [&](int i) {
    if (i >= Pool().concurrency() && (durations.AreKnown() || WallSeconds() - start > seconds)) return;
    flesh::FrameResult solved;
    durations.Add(TimeThread([&] { solved = model.Solve(poses[i]); }));
    if (i < keep && solved.converged) shapes[i] = JoinParts(solved.parts);
  });
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].rows() == 0) continue;
    frames.poses.push_back(poses[i]);
    frames.shapes.push_back(std::move(shapes[i]));
  }
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

// Number of frames to rehearse with, whose shapes are kept in memory.
int FramesToKeep(const Character& character) {
  constexpr int kMax = 24, kMaxVertices = 4'000'000;
  return std::min(kMax, kMaxVertices / std::max(1, character.vertex_count()));
}

// Whether levels and training can be tried within seconds. They cannot with very many joints or parts; formulas then
// estimate them.
bool CanRehearse(const Character& character) {
  constexpr int kMaxJoints = 1000, kMaxParts = 250;
  return character.skeleton.joint_count() <= kMaxJoints && character.parts.size() <= kMaxParts;
}

// The flesh of the character, of the size of the quick quality at most.
struct MeasuredFlesh {
  flesh::FleshModel model;
  double factor = 1;  // how much longer the flesh of the build takes
};
MeasuredFlesh BuildFlesh(const Config& config, const Character& character, Calibration& calibration) {
  flesh::FleshSettings settings = FleshOptions(config).flesh;
  const std::string unit = config.String("input", "unit");
  const LikelyUnit guess = GuessUnit(character);
  settings.unit = unit == "auto" ? guess.metres : MetresPer(unit);
  settings.scale = unit == "auto" ? guess.of_person : 1;
  const int tets = settings.tets > 0 ? settings.tets : flesh::QualityOf(settings.quality).tets;
  const int measured = std::min(tets, flesh::QualityOf(flesh::Quality::kQuick).tets);
  settings.tets = measured;
  const double factor = std::pow(static_cast<double>(tets) / measured, 1.2);  // as in FrameSeconds()
  const double start = ProcessSeconds();
  MeasuredFlesh flesh{flesh::FleshModel(character, settings), factor};
  calibration.model_seconds = factor * (ProcessSeconds() - start);
  if (config.String("truths", "from") == kTruthsTaught) dataset::RequireFlesh(flesh.model.report(), character.name);
  calibration.rigid = !flesh.model.report().has_flesh();
  return flesh;
}

// Solves some of the poses, and of the character's own animation, and returns solutions of the former.
RehearsalFrames SolveSome(const Request& request, const Character& character, const MeasuredFlesh& flesh,
                          const std::vector<Pose>& poses, double seconds, Spent& spent, Calibration& calibration) {
  RehearsalFrames frames;
  Durations durations;
  Solve(flesh.model, poses, seconds, FramesToKeep(character), durations, frames);
  calibration.frames = durations.count();
  calibration.frame_seconds = flesh.factor * durations.mean();
  spent.Add(durations.spent());
  // An artist's motion may ask more of the flesh than poses inside the limits do.
  const std::vector<Pose> motion = FramesOfLongest(request, character, 2 * Pool().concurrency());
  if (motion.empty()) return frames;
  Durations of_motion;
  Solve(flesh.model, motion, seconds / 2, 0, of_motion, frames);
  calibration.motion_frame_seconds = flesh.factor * of_motion.mean();
  spent.Add(of_motion.spent());
  return frames;
}

}  // namespace

Calibration Calibrate(const Request& request, Subject& subject, double seconds) {
  Calibration calibration;
  Spent spent;
  calibration.speed = MeasureSpeed(spent);
  const double start = ProcessSeconds();
  const bool embedded = subject.file.empty();
  Character character = SubjectCharacter(request, subject);
  if (embedded) calibration.embedded_seconds = ProcessSeconds() - start;
  if (!HasWeights(character) || request.config.String("weights", "compute") == "always") {
    skincells::SkinOptions skin;
    skin.method = skincells::Method::kProximity;
    skincells::SkinCharacter(character, subject.name, skin);
  }
  const JointLimits limits = LimitsOf(request, character);
  const MeasuredFlesh flesh = BuildFlesh(request.config, character, calibration);
  // Without flesh poses are only drawn to see how long that takes.
  constexpr int kMaxPoses = 64, kPosesToDraw = 32;
  const int count = calibration.rigid ? kPosesToDraw : std::max(kMaxPoses, 2 * Pool().concurrency());
  const std::vector<Pose> poses = DrawPoses(request, character, limits, count, calibration);
  RehearsalFrames frames;
  if (!calibration.rigid) frames = SolveSome(request, character, flesh, poses, seconds, spent, calibration);
  if (CanRehearse(character)) Rehearse(request, character, limits, frames, calibration);
  constexpr double kLeastShare = 0.05;
  calibration.share = std::clamp(spent.processor / spent.wall, kLeastShare, 1.0);
  return calibration;
}

}  // namespace sinew::pipeline
