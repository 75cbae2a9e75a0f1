#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "sinew/offline/character/articulation.h"
#include "sinew/offline/character/find_limits.h"
#include "sinew/offline/character/limits_file.h"
#include "sinew/offline/character/retarget.h"
#include "sinew/offline/character/sample_poses.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/io/poses.h"
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
  bool clamp = false;
  bool in_place = false;
};

JointLimits LimitsFor(const Options& options, const Character& character) {
  JointLimits limits = FindLimits(character, options.character);
  if (!options.limits.empty()) {
    ApplyLimitsText(ReadTextFile(options.limits), options.limits, character.skeleton, limits);
  }
  return limits;
}

Clip Sampled(const Options& options, const Common& common, const Articulation& articulation,
             const JointLimits& limits) {
  Clip clip;
  clip.skeleton = articulation.skeleton();
  clip.motion.name = "samples";
  clip.motion.joints = JointNames(clip.skeleton);
  const int count = options.count > 0 ? options.count : 100;
  clip.motion.frames =
      SamplePoses(articulation, limits, {.count = count, .seed = common.seed, .amount = options.amount});
  clip.sources = {{.kind = "limits", .file = "", .clip = "", .seed = common.seed}};
  for (int f = 0; f < count; ++f) clip.origins.push_back({0, f});
  return clip;
}

// All frames of all motions, for the character's skeleton.
Clip Taken(const Options& options, const Skeleton& skeleton, Result& result) {
  Clip all;
  for (const std::string& from : options.from) {
    for (const Clip& clip : ReadClips(from, options.fps > 0 ? options.fps : 30)) {
      RetargetMap map = GuessMap(clip.skeleton, skeleton);
      if (!options.map.empty()) ApplyMapText(ReadTextFile(options.map), options.map, clip.skeleton, skeleton, map);
      const std::string table = DescribeMap(map, clip.skeleton, skeleton);
      Clip own = Retarget(clip, skeleton, map, {.in_place = options.in_place});
      const bool copied =
          std::none_of(own.sources.begin(), own.sources.end(), [](const auto& s) { return s.retargeted; });
      if (options.fps > 0) own = Resample(own, options.fps);
      result.text +=
          fmt::format("{}: \"{}\", {} frames{}\n{}", from, clip.motion.name, own.motion.frame_count(),
                      copied ? ", same skeleton: taken as they are" : ", joint by joint:", copied ? "" : table);
      result.json["motions"].push_back({{"file", from},
                                        {"name", clip.motion.name},
                                        {"frames", own.motion.frame_count()},
                                        {"retargeted", !copied},
                                        {"map", table}});
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
  return all;
}

// How the poses stand to the limits: said always, changed with --clamp.
void CheckLimits(const Options& options, const Articulation& articulation, const JointLimits& limits, Clip& clip,
                 Result& result) {
  int outside = 0;
  Articulation::Excess worst;
  for (Pose& pose : clip.motion.frames) {
    const Articulation::Excess excess = articulation.Outside(limits, pose);
    if (excess.angle <= 1 * kDegree) continue;
    ++outside;
    if (excess.angle > worst.angle) worst = excess;
    if (options.clamp) pose = articulation.Clamp(limits, pose);
  }
  const std::string joint = worst.joint >= 0 ? articulation.skeleton().joints[worst.joint].name : "";
  result.json["outside_limits"] = {
      {"frames", outside}, {"worst_degrees", worst.angle / kDegree}, {"worst_joint", joint}};
  if (outside == 0) return;
  result.text += fmt::format("{} of {} frames leave the limits by more than a degree, {} by {:.0f} degrees at most{}\n",
                             outside, clip.motion.frame_count(), joint, worst.angle / kDegree,
                             options.clamp ? "; they were brought back" : " (--clamp brings them back)");
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
    clip = Sampled(options, common, articulation, limits);
  } else {
    clip = Taken(options, character.skeleton, result);
    CheckLimits(options, articulation, limits, clip, result);
    if (options.count > 0) clip = Select(clip, SelectSpread(articulation, clip.motion.frames, options.count));
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
  command->add_option("--amount", options->amount, "How much of each range to sample, 0 to 1")
      ->check(CLI::Range(0.01, 1.0))
      ->capture_default_str();
  command->add_flag("--clamp", options->clamp, "Bring motions inside the limits");
  command->add_flag("--in-place", options->in_place, "Keep the body over one spot of the ground");
}

}  // namespace sinew::cli
