#include "sinew/offline/poses/pose_maker.h"

#include <algorithm>
#include <memory>
#include <numbers>
#include <utility>

#include "sinew/offline/poses/human_poses.h"
#include "sinew/offline/retarget/correct_motion.h"

namespace sinew::poses {
namespace {

// Angle outside a limit up to which a pose counts as inside: files round.
constexpr double kOutside = std::numbers::pi / 180;

bool IsRetargeted(const Clip& clip) {
  return std::any_of(clip.sources.begin(), clip.sources.end(),
                     [](const ClipSource& source) { return source.retargeted; });
}

}  // namespace

PoseMaker::PoseMaker(const Character& character, const Articulation& articulation, const JointLimits& limits,
                     const PoseMakerOptions& options)
    : character_(character), articulation_(articulation), limits_(limits), options_(options) {}

void PoseMaker::Prepare() {
  std::shared_ptr<const BodySpheres>& body = options_.clearance.body;
  if (!body) body = std::make_shared<const BodySpheres>(FindBodySpheres(character_));
}

SampledPoses PoseMaker::Sample(const SampleOptions& options, const std::string& name, const std::string& source) {
  SampledPoses sampled;
  Clip& clip = sampled.clip;
  clip.skeleton = articulation_.skeleton();
  clip.motion.name = name;
  clip.motion.joints = JointNames(clip.skeleton);
  clip.sources = {{.kind = "limits", .file = "", .clip = source, .seed = options.seed}};
  if (!options_.clear) {
    clip.motion.frames = DrawPosesFrom(0, articulation_, limits_, options);
    for (int f = 0; f < options.count; ++f) clip.origins.push_back({0, f});
    return sampled;
  }
  Prepare();
  ClearSamples samples =
      SampleClearPoses(character_, articulation_, limits_, {.sample = options, .clear = options_.clearance});
  clip.motion.frames = std::move(samples.poses);
  for (const int f : samples.indices) clip.origins.push_back({0, f});
  clip.sources[0].clearance = {.tolerance = options_.clearance.tolerance,
                               .corrected = samples.corrected,
                               .rejected = samples.rejected,
                               .left = samples.left};
  sampled.before = samples.before;
  sampled.after = samples.coverage;
  return sampled;
}

CarriedMotion PoseMaker::CarryOver(const Clip& clip, const retarget::RetargetMap& map, const CarryOptions& options) {
  CarriedMotion carried;
  carried.clip = retarget::Retarget(clip, character_.skeleton, map, {.in_place = options.in_place});
  carried.retargeted = IsRetargeted(carried.clip);
  if (options.frames_per_second > 0) carried.clip = Resample(carried.clip, options.frames_per_second);
  if (!options.as_is) {
    carried.recorded = retarget::CorrectMotion(articulation_, limits_, carried.retargeted, carried.clip);
  }
  for (Pose& pose : carried.clip.motion.frames) {
    const Articulation::Excess excess = articulation_.Outside(limits_, pose);
    if (excess.angle <= kOutside) continue;
    ++carried.outside;
    if (excess.angle > carried.worst.angle) carried.worst = excess;
    if (options.clamp) pose = articulation_.Clamp(limits_, pose);
  }
  if (options_.clear_own || ((carried.retargeted || carried.recorded) && options_.clear)) Clear(carried);
  return carried;
}

// Clears all frames together, so that the correction is continuous in time.
void PoseMaker::Clear(CarriedMotion& carried) {
  Prepare();
  if (!clearance_) clearance_.emplace(character_, articulation_, limits_, options_.clearance);
  Motion& motion = carried.clip.motion;
  ClearedMotion cleared = clearance_->Clear(motion.frames, motion.frames_per_second);
  for (int f = 0; f < motion.frame_count(); ++f) {
    carried.deepest = std::max(carried.deepest, cleared.frames[f].depth_before);
    motion.frames[f] = std::move(cleared.frames[f].pose);
  }
  carried.clearance = {.tolerance = options_.clearance.tolerance,
                       .corrected = cleared.corrected(),
                       .rejected = 0,
                       .left = cleared.left()};
  // A pose file keeps its sources, each of which was a motion by itself; the first records the clearance of all.
  if (!carried.clip.sources.empty()) carried.clip.sources[0].clearance = carried.clearance;
}

}  // namespace sinew::poses
