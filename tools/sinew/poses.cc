#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/anatomy/limits_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/io/poses.h"
#include "sinew/offline/poses/pose_clearance.h"
#include "sinew/offline/poses/sample_clear_poses.h"
#include "sinew/offline/retarget/bend_hinges.h"
#include "sinew/offline/retarget/retarget.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

struct Options {
  std::string character;
  std::string output;
  int count = 0;
  std::vector<std::string> from;
  std::string limits;
  std::string map;
  float fps = 0;
  double amount = 1;
  bool probe = false;
  bool clamp = false;
  bool in_place = false;
  bool clear = false;
  bool allow_overlap = false;
  double tolerance = 100 * poses::ClearOptions{}.tolerance;  // percent

  poses::ClearOptions Clearing() const { return {.tolerance = tolerance / 100}; }
};

JointLimits LimitsFor(const Options& options, const Character& character) {
  JointLimits limits = FindLimits(character, options.character);
  if (!options.limits.empty()) {
    ApplyLimitsText(ReadTextFile(options.limits), options.limits, character.skeleton, limits);
  }
  return limits;
}

void WarnOfLeft(int left, int frames) {
  if (left > 0) Warn("in {} of {} poses a limb is still inside the body: no way out was found", left, frames);
}

bool WasRetargeted(const Clip& clip) {
  return std::any_of(clip.sources.begin(), clip.sources.end(), [](const auto& s) { return s.retargeted; });
}

Json ToJson(const ClipClearance& clearance) {
  return {{"tolerance", clearance.tolerance},
          {"corrected", clearance.corrected},
          {"rejected", clearance.rejected},
          {"left", clearance.left}};
}

Json ToJson(const poses::RangeCoverage& coverage) {
  return {{"mean", coverage.mean}, {"least", coverage.least}, {"least_joint", coverage.least_joint}};
}

poses::ClearSamples Samples(const Options& options, const poses::SampleOptions& sample, const Character& character,
                            const Articulation& articulation, const JointLimits& limits, Result& result) {
  poses::ClearSamples samples =
      poses::SampleClearPoses(character, articulation, limits, {.sample = sample, .clear = options.Clearing()});
  result.text += fmt::format(
      "{} of {} poses corrected and {} more samples passed over, so that no limb is inside the body "
      "(--allow-overlap keeps them)\njoint ranges filled: {:.1f}%, {:.1f}% without that; least {:.0f}%, {}\n",
      samples.corrected, sample.count, samples.rejected, 100 * samples.coverage.mean, 100 * samples.before.mean,
      100 * samples.coverage.least, samples.coverage.least_joint);
  result.json["coverage"] = {{"before", ToJson(samples.before)}, {"after", ToJson(samples.coverage)}};
  return samples;
}

Clip Sampled(const Options& options, const Common& common, const Character& character, const Articulation& articulation,
             const JointLimits& limits, Result& result) {
  Clip clip;
  clip.skeleton = articulation.skeleton();
  clip.motion.name = "samples";
  clip.motion.joints = JointNames(clip.skeleton);
  const int count = options.count > 0 ? options.count : 100;
  const poses::SampleOptions sample{.count = count, .seed = common.seed, .amount = options.amount};
  clip.sources = {{.kind = "limits", .file = "", .clip = "", .seed = common.seed}};
  if (options.allow_overlap) {
    clip.motion.frames = poses::SamplePoses(articulation, limits, sample);
    for (int f = 0; f < count; ++f) clip.origins.push_back({0, f});
    return clip;
  }
  poses::ClearSamples samples = Samples(options, sample, character, articulation, limits, result);
  clip.motion.frames = std::move(samples.poses);
  for (const int f : samples.indices) clip.origins.push_back({0, f});
  clip.sources[0].clearance = {.tolerance = options.Clearing().tolerance,
                               .corrected = samples.corrected,
                               .rejected = samples.rejected,
                               .left = samples.left};
  WarnOfLeft(samples.left, count);
  result.json["clearance"] = ToJson(*clip.sources[0].clearance);
  return clip;
}

void AddProbes(const Options& options, const Common& common, const Articulation& articulation,
               const JointLimits& limits, Clip& clip) {
  const int count = clip.motion.frame_count();
  const std::vector<Pose> others = poses::SamplePosesFrom(
      count, articulation, limits, {.count = count, .seed = common.seed, .amount = options.amount});
  poses::ProbingPoses probes = poses::MakeProbingPoses(clip.motion.frames, others);
  std::vector<FrameOrigin> origins;
  for (const int base : probes.bases) origins.push_back(clip.origins[base]);
  clip.motion.frames = std::move(probes.poses);
  clip.origins = std::move(origins);
}

// How the poses stand to the limits: said always, changed with --clamp.
class LimitsCheck {
 public:
  LimitsCheck(const Options& options, const Articulation& articulation, const JointLimits& limits)
      : clamp_(options.clamp), articulation_(articulation), limits_(limits) {}

  void Apply(Clip& clip) {
    for (Pose& pose : clip.motion.frames) {
      ++frames_;
      const Articulation::Excess excess = articulation_.Outside(limits_, pose);
      if (excess.angle <= 1 * kDegree) continue;
      ++outside_;
      if (excess.angle > worst_.angle) worst_ = excess;
      if (clamp_) pose = articulation_.Clamp(limits_, pose);
    }
  }

  void Say(Result& result) const {
    const std::string joint = worst_.joint >= 0 ? articulation_.skeleton().joints[worst_.joint].name : "";
    result.json["outside_limits"] = {
        {"frames", outside_}, {"worst_degrees", worst_.angle / kDegree}, {"worst_joint", joint}};
    if (outside_ == 0) return;
    result.text += fmt::format(
        "{} of {} frames leave the limits by more than a degree, {} by {:.0f} degrees at most{}\n", outside_, frames_,
        joint, worst_.angle / kDegree, clamp_ ? "; they were brought back" : " (--clamp brings them back)");
  }

 private:
  const bool clamp_;
  const Articulation& articulation_;
  const JointLimits& limits_;
  int frames_ = 0, outside_ = 0;
  Articulation::Excess worst_;
};

// Frames of one motion, so that its correction can be continuous in time.
void ClearClip(const poses::PoseClearance& clearance, Clip& clip, Result& result) {
  poses::ClearedMotion cleared = clearance.Clear(clip.motion.frames, clip.motion.frames_per_second);
  double deepest = 0;
  for (int f = 0; f < clip.motion.frame_count(); ++f) {
    deepest = std::max(deepest, cleared.frames[f].depth_before);
    clip.motion.frames[f] = std::move(cleared.frames[f].pose);
  }
  const ClipClearance summary{.tolerance = clearance.options().tolerance,
                              .corrected = cleared.corrected(),
                              .rejected = 0,
                              .left = cleared.left()};
  // What a pose file brings keeps its sources: each was a motion by itself, and one of them stands for all.
  if (!clip.sources.empty()) clip.sources[0].clearance = summary;
  result.json["motions"].back()["clearance"] = ToJson(summary);
  WarnOfLeft(summary.left, clip.motion.frame_count());
  if (summary.corrected == 0) return;
  result.text += fmt::format("{} of {} frames corrected, where limbs were up to {:.1f}% of the body's size inside it\n",
                             summary.corrected, clip.motion.frame_count(), 100 * deepest);
}

Clip Retargeted(const Options& options, const std::string& from, const Clip& clip, const Skeleton& skeleton,
                Result& result) {
  retarget::RetargetMap map = retarget::GuessMap(clip.skeleton, skeleton);
  if (!options.map.empty())
    retarget::ApplyMapText(ReadTextFile(options.map), options.map, clip.skeleton, skeleton, map);
  const std::string table = retarget::DescribeMap(map, clip.skeleton, skeleton);
  Clip own = retarget::Retarget(clip, skeleton, map, {.in_place = options.in_place});
  const bool copied = !WasRetargeted(own);
  if (options.fps > 0) own = Resample(own, options.fps);
  result.text += fmt::format("{}: \"{}\", {} frames{}\n{}", from, clip.motion.name, own.motion.frame_count(),
                             copied ? ", same skeleton: taken as they are" : ", joint by joint:", copied ? "" : table);
  result.json["motions"].push_back({{"file", from},
                                    {"name", clip.motion.name},
                                    {"frames", own.motion.frame_count()},
                                    {"retargeted", !copied},
                                    {"map", table}});
  return own;
}

// All frames of all motions, for the character's skeleton.
Clip Taken(const Options& options, const Character& character, const Articulation& articulation,
           const JointLimits& limits, Result& result) {
  Clip all;
  LimitsCheck check(options, articulation, limits);
  std::optional<poses::PoseClearance> clearance;
  for (const std::string& from : options.from) {
    for (const Clip& clip : ReadClips(from, options.fps > 0 ? options.fps : 30)) {
      Clip own = Retargeted(options, from, clip, character.skeleton, result);
      if (WasRetargeted(own)) {
        for (Pose& pose : own.motion.frames) pose = retarget::BendHinges(articulation, limits, pose);
      }
      check.Apply(own);
      // A character's own animations are an artist's: theirs to correct.
      if (options.clear || (WasRetargeted(own) && !options.allow_overlap)) {
        if (!clearance) clearance.emplace(character, articulation, limits, options.Clearing());
        ClearClip(*clearance, own, result);
      }
      if (all.skeleton.joints.empty()) {
        all = std::move(own);
        continue;
      }
      if (all.motion.frames_per_second != own.motion.frames_per_second) {
        throw UsageError(fmt::format("--from {}: has {:g} frames a second where an earlier one has {:g}; give --fps",
                                     from, own.motion.frames_per_second, all.motion.frames_per_second));
      }
      Append(all, own);
    }
  }
  if (options.from.size() > 1) all.motion.name = "poses";
  check.Say(result);
  return all;
}

void Write(const std::string& output, const Clip& clip) {
  const std::string extension = LowerExtension(output);
  if (extension == ".bvh") {
    WriteBvh(output, clip);
  } else if (extension == ".poses") {
    WritePoses(output, clip);
  } else {
    throw UsageError(fmt::format("-o {}: poses are written as a .poses folder or a .bvh file", output));
  }
}

void CheckTogether(const Options& options) {
  const bool sampling = options.from.empty();
  if (sampling && !options.map.empty()) throw UsageError("--map is for motions: name one with --from");
  if (sampling && options.clamp) throw UsageError("--clamp is for motions: samples are inside the limits already");
  if (sampling && options.in_place) throw UsageError("--in-place is for motions: name one with --from");
  if (sampling && options.clear) throw UsageError("--clear is for motions: samples are cleared already");
  if (options.clear && options.allow_overlap)
    throw UsageError("--clear and --allow-overlap say the opposite: give one");
  if (!sampling && options.probe) throw UsageError("--probe is for samples: leave --from away");
  if (!sampling && options.amount != 1) throw UsageError("--amount is for samples: leave --from away");
}

Result Run(const Options& options, const Common& common) {
  CheckTogether(options);
  const Character character = ReadCharacter(options.character);
  if (character.skeleton.joints.empty()) {
    throw InputError(options.character, "", "has no skeleton, so there is nothing to pose", "name a rigged character");
  }
  const Articulation articulation(character.skeleton);
  const JointLimits limits = LimitsFor(options, character);
  Result result;
  Clip clip;
  if (options.from.empty()) {
    clip = Sampled(options, common, character, articulation, limits, result);
    if (options.probe) AddProbes(options, common, articulation, limits, clip);
  } else {
    clip = Taken(options, character, articulation, limits, result);
    if (options.count > 0) clip = Select(clip, poses::SelectSpread(articulation, clip.motion.frames, options.count));
  }
  Write(options.output, clip);
  result.json["file"] = options.output;
  result.json["frames"] = clip.motion.frame_count();
  result.json["frames_per_second"] = clip.motion.frames_per_second;
  result.json["joints"] = character.skeleton.joint_count();
  result.text += fmt::format("wrote {}: {} poses of {} joints\n", options.output, clip.motion.frame_count(),
                             character.skeleton.joint_count());
  return result;
}

}  // namespace

void AddPosesCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add(
      "poses", "Make poses: samples that fill the joint limits evenly, or motions carried over to the character",
      "sinew poses body.glb --from walk.bvh -o walk.poses\n  sinew poses body.glb --count 500 -o range.poses",
      [options](const Common& common) { return Run(*options, common); });
  command->add_option("CHARACTER", options->character, "A rigged character (.glb, .gltf)")->required();
  command->add_option("-o,--output", options->output, "The pose file: a .poses folder, or a .bvh file")->required();
  command
      ->add_option("--count", options->count,
                   "Number of samples (100 without it); with --from: keep this many frames, those that differ most")
      ->check(CLI::Range(1, 10'000'000));
  command
      ->add_option("--from", options->from,
                   "Motions: .bvh files, .poses folders, .glb files (all animations, or one: FILE.glb#NAME)")
      ->take_all();
  command->add_option("--limits", options->limits, "Joint limits (JSON) to use first");
  command->add_option("--map", options->map,
                      "JSON that pairs joints: {\"of the character\": \"of the motion\" or null}");
  command
      ->add_option("--fps", options->fps, "Frames a second of the result; without it the motion's own, animations 30")
      ->check(CLI::Range(0.01, 10000.0));
  command
      ->add_option("--amount", options->amount,
                   "How much of each range to sample; above 1: beyond the limits, to test with")
      ->check(CLI::Range(0.01, 2.0))
      ->capture_default_str();
  command->add_flag("--probe", options->probe,
                    "After every sample the same again for each joint, that joint alone turned otherwise: to ask a rig "
                    "what joints matter where (`sinew train --probe`)");
  command->add_flag("--clamp", options->clamp, "Bring motions inside the limits");
  command->add_flag("--allow-overlap", options->allow_overlap,
                    "Leave limbs that are inside the body there, in samples and in motions carried over");
  command->add_flag(
      "--clear", options->clear,
      "Bring limbs out of the body in motions of the same skeleton, too, which are else taken as they are");
  command->add_option("--overlap", options->tolerance, "How deep the body may be inside itself, in percent of its size")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  command->add_flag("--in-place", options->in_place, "Keep the body over one spot of the ground");
}

}  // namespace sinew::cli
