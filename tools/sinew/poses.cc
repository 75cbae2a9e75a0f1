#include <fmt/format.h>

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
#include "sinew/offline/poses/everyday_poses.h"
#include "sinew/offline/poses/human_poses.h"
#include "sinew/offline/poses/named_pose.h"
#include "sinew/offline/poses/pose_maker.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

struct Options {
  std::string character;
  std::string output;
  int count = 0;
  std::vector<std::string> from;
  std::vector<std::string> pose;
  std::string limits;
  std::string map;
  float fps = 0;
  double amount = 1;
  double human = 0;
  bool everyday = false;
  bool probe = false;
  bool clamp = false;
  bool in_place = false;
  bool as_is = false;
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

Json ToJson(const ClipClearance& clearance) {
  return {{"tolerance", clearance.tolerance},
          {"corrected", clearance.corrected},
          {"rejected", clearance.rejected},
          {"left", clearance.left}};
}

Json ToJson(const poses::RangeCoverage& coverage) {
  return {{"mean", coverage.mean}, {"least", coverage.least}, {"least_joint", coverage.least_joint}};
}

Clip Sampled(const Options& options, const Common& common, poses::PoseMaker& maker, Result& result) {
  const int count = options.count > 0 ? options.count : 100;
  poses::SampledPoses sampled = maker.Sample(
      {.count = count, .seed = common.seed, .amount = options.amount, .human_spread = options.human}, "samples", "");
  const std::optional<ClipClearance>& clearance = sampled.clip.sources[0].clearance;
  if (!clearance) return std::move(sampled.clip);
  result.text += fmt::format(
      "{} of {} poses corrected and {} more samples passed over, so that no limb is inside the body "
      "(--allow-overlap keeps them)\njoint ranges filled: {:.1f}%, {:.1f}% without that; least {:.0f}%, {}\n",
      clearance->corrected, count, clearance->rejected, 100 * sampled.after->mean, 100 * sampled.before->mean,
      100 * sampled.after->least, sampled.after->least_joint);
  result.json["coverage"] = {{"before", ToJson(*sampled.before)}, {"after", ToJson(*sampled.after)}};
  WarnOfLeft(clearance->left, count);
  result.json["clearance"] = ToJson(*clearance);
  return std::move(sampled.clip);
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

// How all motions together stand to the limits: said always, changed with --clamp.
struct LimitsCheck {
  int frames = 0, outside = 0;
  Articulation::Excess worst;

  void Add(const poses::CarriedMotion& carried) {
    frames += carried.clip.motion.frame_count();
    outside += carried.outside;
    if (carried.worst.angle > worst.angle) worst = carried.worst;
  }

  void Say(const Skeleton& skeleton, bool clamped, Result& result) const {
    const std::string joint = worst.joint >= 0 ? skeleton.joints[worst.joint].name : "";
    result.json["outside_limits"] = {
        {"frames", outside}, {"worst_degrees", worst.angle / kDegree}, {"worst_joint", joint}};
    if (outside == 0) return;
    result.text += fmt::format(
        "{} of {} frames leave the limits by more than a degree, {} by {:.0f} degrees at most{}\n", outside, frames,
        joint, worst.angle / kDegree, clamped ? "; they were brought back" : " (--clamp brings them back)");
  }
};

void SayCarried(const std::string& from, const Clip& clip, const poses::CarriedMotion& carried,
                const std::string& table, Result& result) {
  const int frames = carried.clip.motion.frame_count();
  const char* const how =
      carried.retargeted ? ", joint by joint:"
      : carried.recorded
          ? ", same skeleton, but elbows or knees bend sideways: turned to bend as hinges (--as-is keeps them)"
          : ", same skeleton: taken as they are";
  result.text +=
      fmt::format("{}: \"{}\", {} frames{}\n{}", from, clip.motion.name, frames, how, carried.retargeted ? table : "");
  Json motion = {{"file", from},
                 {"name", clip.motion.name},
                 {"frames", frames},
                 {"retargeted", carried.retargeted},
                 {"recorded", carried.recorded},
                 {"map", table}};
  if (carried.clearance) {
    motion["clearance"] = ToJson(*carried.clearance);
    WarnOfLeft(carried.clearance->left, frames);
    if (carried.clearance->corrected > 0) {
      result.text +=
          fmt::format("{} of {} frames corrected, where limbs were up to {:.1f}% of the body's size inside it\n",
                      carried.clearance->corrected, frames, 100 * carried.deepest);
    }
  }
  result.json["motions"].push_back(std::move(motion));
}

// All frames of all motions, for the character's skeleton.
Clip CarriedOver(const Options& options, const Skeleton& skeleton, poses::PoseMaker& maker, Result& result) {
  Clip all;
  LimitsCheck check;
  for (const std::string& from : options.from) {
    for (const Clip& clip : ReadClips(from, options.fps > 0 ? options.fps : 30)) {
      retarget::RetargetMap map = retarget::GuessMap(clip.skeleton, skeleton);
      if (!options.map.empty()) {
        retarget::ApplyMapText(ReadTextFile(options.map), options.map, clip.skeleton, skeleton, map);
      }
      poses::CarriedMotion carried = maker.CarryOver(clip, map,
                                                     {.in_place = options.in_place,
                                                      .frames_per_second = options.fps,
                                                      .clamp = options.clamp,
                                                      .as_is = options.as_is});
      SayCarried(from, clip, carried, retarget::DescribeMap(map, clip.skeleton, skeleton), result);
      check.Add(carried);
      if (all.skeleton.joints.empty()) {
        all = std::move(carried.clip);
        continue;
      }
      if (all.motion.frames_per_second != carried.clip.motion.frames_per_second) {
        throw UsageError(fmt::format("--from {}: has {:g} frames a second where an earlier one has {:g}; give --fps",
                                     from, carried.clip.motion.frames_per_second, all.motion.frames_per_second));
      }
      Append(all, carried.clip);
    }
  }
  if (options.from.size() > 1) all.motion.name = "poses";
  check.Say(skeleton, options.clamp, result);
  return all;
}

// The poses that --pose writes out, as they are: one beyond the limits may be what is to be looked at.
Clip Named(const Options& options, const Articulation& articulation, const JointLimits& limits, Result& result) {
  std::vector<poses::NamedPose> named;
  for (const std::string& text : options.pose) {
    named.push_back({text, text, poses::ParsePose(text, articulation, limits)});
    const Articulation::Excess excess = articulation.Outside(limits, named.back().pose);
    result.json["outside_limits"].push_back(excess.angle / kDegree);
    if (excess.angle < kDegree) continue;
    Warn("--pose {}: {} is {:.0f} degrees beyond its limits", text, articulation.skeleton().joints[excess.joint].name,
         excess.angle / kDegree);
  }
  return poses::ToClip(articulation.skeleton(), named.size() == 1 ? named[0].name : "poses", named);
}

Clip Everyday(const Options& options, const Articulation& articulation, const JointLimits& limits, Result& result) {
  const std::vector<poses::NamedPose> everyday = poses::EverydayPoses(articulation, limits);
  if (everyday.empty()) {
    throw InputError(options.character, "", "is no biped whose arms and legs are known by name, which --everyday needs",
                     "name poses with --pose, or sample them with --count");
  }
  for (size_t i = 0; i < everyday.size(); ++i) {
    result.json["poses"].push_back({{"name", everyday[i].name}, {"label", everyday[i].label}});
    result.text += fmt::format("{:>3}  {:<12} {}\n", i, everyday[i].name, everyday[i].label);
  }
  return poses::ToClip(articulation.skeleton(), "everyday", everyday);
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
  if (!options.pose.empty() || options.everyday) {
    const bool others = !options.from.empty() || options.count > 0 || options.probe || options.amount != 1 ||
                        options.human > 0 || options.clamp || options.clear || options.allow_overlap ||
                        options.in_place || options.as_is || !options.map.empty() || options.fps > 0 ||
                        (!options.pose.empty() && options.everyday);
    if (!others) return;
    throw UsageError(fmt::format("{} takes poses as they are: of the other options only --limits fits it",
                                 options.everyday ? "--everyday" : "--pose"));
  }
  const bool sampling = options.from.empty();
  if (sampling && !options.map.empty()) throw UsageError("--map is for motions: name one with --from");
  if (sampling && options.clamp) throw UsageError("--clamp is for motions: samples are inside the limits already");
  if (sampling && options.in_place) throw UsageError("--in-place is for motions: name one with --from");
  if (sampling && options.as_is) throw UsageError("--as-is is for motions: name one with --from");
  if (sampling && options.clear) throw UsageError("--clear is for motions: samples are cleared already");
  if (options.clear && options.allow_overlap)
    throw UsageError("--clear and --allow-overlap say the opposite: give one");
  if (!sampling && options.probe) throw UsageError("--probe is for samples: leave --from away");
  if (!sampling && options.human > 0) throw UsageError("--human is for samples: leave --from away");
  if (options.human > 0 && options.amount != 1) {
    throw UsageError("--human and --amount are two ways to sample: give one");
  }
  if (options.human > 0 && options.probe) throw UsageError("--probe fills the limits: leave --human away");
  if (!sampling && options.amount != 1) throw UsageError("--amount is for samples: leave --from away");
}

Result Run(const Options& options, const Common& common) {
  CheckTogether(options);
  const Character character = ReadCharacter(options.character);
  if (character.skeleton.joints.empty()) {
    throw InputError(options.character, "", "has no skeleton, so there is nothing to pose", "name a rigged character");
  }
  const Articulation articulation(character.skeleton);
  if (options.human > 0 && !poses::IsHuman(articulation)) {
    throw InputError(options.character, "", "does not have the joints of a person, by their names",
                     "leave --human away, or rename its joints (docs/retargeting.md)");
  }
  const JointLimits limits = LimitsFor(options, character);
  poses::PoseMaker maker(
      character, articulation, limits,
      {.clear = !options.allow_overlap, .clear_own = options.clear, .clearance = options.Clearing()});
  Result result;
  Clip clip;
  if (options.everyday) {
    clip = Everyday(options, articulation, limits, result);
  } else if (!options.pose.empty()) {
    clip = Named(options, articulation, limits, result);
  } else if (options.from.empty()) {
    clip = Sampled(options, common, maker, result);
    if (options.probe) AddProbes(options, common, articulation, limits, clip);
  } else {
    clip = CarriedOver(options, character.skeleton, maker, result);
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
      "poses",
      "Make poses: samples that fill the joint limits evenly, motions carried over to the character, or poses by name",
      "sinew poses body.glb --from walk.bvh -o walk.poses\n  sinew poses body.glb --count 500 -o range.poses\n"
      "  sinew poses body.glb --pose left_elbow=140,left_shoulder.twist=30 -o elbow.poses",
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
  command
      ->add_option("--pose", options->pose,
                   "One pose: JOINT[.bend|.side|.twist]=DEGREES,...; joints by the file's names or as left_elbow; "
                   "may be given several times")
      ->take_all()
      ->allow_extra_args(false);
  command->add_flag("--everyday", options->everyday,
                    "Twelve poses that everyone knows, for a biped: bent elbows and knees, sitting, kneeling, arms up, "
                    "a hug, a bow ...");
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
  command
      ->add_option("--human", options->human,
                   "For skeletons of people: draw poses as people take them instead of filling the limits; 1 as they "
                   "do, 1.5 rarer ones")
      ->check(CLI::Range(0.01, 4.0));
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
  command->add_flag("--as-is", options->as_is, "Let elbows and knees bend as motions bend them, sideways, too");
  command->add_flag("--in-place", options->in_place, "Keep the body over one spot of the ground");
}

}  // namespace sinew::cli
