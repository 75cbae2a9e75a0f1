// Stages of a build that choose poses: to learn from, and to judge by.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/character/symmetry.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/embedded/build.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/io/poses.h"
#include "sinew/offline/pipeline/chain.h"
#include "sinew/offline/pipeline/cost.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/pipeline/own_motions.h"
#include "sinew/offline/pipeline/range_of_motion.h"
#include "sinew/offline/poses/everyday_poses.h"
#include "sinew/offline/poses/pose_maker.h"

namespace sinew::pipeline {
namespace {

namespace fs = std::filesystem;

// Samples are drawn over the whole limits and in other ways (range_of_motion.h).
constexpr int kDraws = 3;
// Offsets of the seed: test poses and the keys of a walk through the limits have random streams of their own.
constexpr uint64_t kTest = 2000, kWalk = 4000;
// Poses of own animations, of each and of all together, that say how near limbs may come to each other.
constexpr int kPosesEach = 12, kPoses = 600;

// Returns the files whose motions provide additional training frames. If poses.learn_from is empty, the character's own
// animations provide them; if it is "none", there are none.
std::vector<std::string> FilesToLearnFrom(const Config& config) {
  std::vector<std::string> files = config.Strings("poses", "learn_from");
  if (files == std::vector<std::string>{"none"}) files.clear();
  return files;
}

// The character with everything that making poses needs. The articulation and the maker refer to the character.
struct Poser {
  const Request& request;
  const Character character;
  const Articulation articulation{character.skeleton};
  const JointLimits limits;
  const OwnMotions own{request.config, character};
  mutable poses::PoseMaker maker{character,
                                 articulation,
                                 limits,
                                 {.clear = request.config.Flag("poses", "clear"),
                                  .clearance = {.own_poses = SpreadPoses(own.learned, kPosesEach, kPoses)}}};

  Poser(const Request& asked, const fs::path& folder)
      : request(asked),
        character(ReadCharacter(folder / kCharacter, kQuietly)),
        limits(ReadLimits(folder, character)) {}

  Clip Sample(const poses::SampleOptions& options, const std::string& name) const {
    return maker.Sample(options, name, name).clip;
  }
  Clip CarryOver(const Clip& clip, const retarget::RetargetMap& map) const { return maker.CarryOver(clip, map).clip; }
};

// Samples poses in all ways that the settings name.
Clip RangeOfMotion(const Poser& poser, int count, uint64_t stream) {
  Clip all;
  for (const poses::Draw& draw :
       DrawsOf(poser.request.config, poser.articulation, count, poser.request.seed + stream)) {
    Clip sampled = poser.Sample(draw.options, draw.name);
    if (all.motion.frames.empty()) {
      all = std::move(sampled);
    } else {
      Append(all, sampled);
    }
  }
  return all;
}

// Reads all motions of the files and retargets them to the character.
std::vector<Clip> ReadMotions(const Poser& poser, const std::vector<std::string>& files) {
  std::vector<Clip> motions;
  for (const std::string& file : files) {
    for (const Clip& clip : ReadClips(file, kFramesPerSecond)) {
      motions.push_back(poser.CarryOver(clip, retarget::GuessMap(clip.skeleton, poser.character.skeleton)));
    }
  }
  return motions;
}

void MakeTestPoses(const Request& request, const StageContext& context) {
  const Poser poser(request, context.folder);
  WritePoses(context.folder / kTestPoses, RangeOfMotion(poser, request.config.Whole("poses", "test"), kTest));
}

// Returns the animations of the embedded biped.
std::vector<Clip> BipedMotions() {
  const embedded::Kind& kind = embedded::FindKind("biped");
  const embedded::Figure figure = kind.build(embedded::Shape(kind.parameters));
  Character biped;
  biped.skeleton = embedded::SkeletonOf(figure.joints);
  biped.animations = kind.animations(figure);
  return ClipsOf(biped, "embedded biped", kFramesPerSecond);
}

// Returns the animations of the embedded biped, retargeted to the character; none if it is no biped.
std::vector<Clip> EmbeddedMotions(const Poser& poser) {
  std::vector<Clip> motions;
  for (const Clip& clip : BipedMotions()) {
    const retarget::RetargetMap map = retarget::GuessMap(clip.skeleton, poser.character.skeleton);
    const auto matched = std::count_if(map.joints.begin(), map.joints.end(),
                                       [](const retarget::JointMatch& match) { return match.source >= 0; });
    // A hand or foot alone shares only a wrist or an ankle with the biped; a body shares most joints.
    if (2 * matched < clip.skeleton.joint_count()) return {};
    motions.push_back(poser.CarryOver(clip, map));
  }
  return motions;
}

// Makes a motion from pose to pose inside the limits, for characters without any known motion.
Clip WalkThroughLimits(const Poser& poser) {
  constexpr int kKeys = 6;
  Clip clip = poser.Sample(
      {.count = kKeys, .seed = poser.request.seed + kWalk, .amount = poser.request.config.Double("poses", "inner")},
      "walk through the limits");
  clip.motion.frames_per_second = 1;
  clip.sources[0].kind = "motion";
  Clip walk = Resample(clip, kFramesPerSecond);
  // Interpolates relative to the anatomical parents: where joints of a chain stand side by side in the hierarchy,
  // interpolating each by itself would take the chain apart between two keys.
  const int last = clip.motion.frame_count() - 1;
  for (int f = 0; f < walk.motion.frame_count(); ++f) {
    const float at = std::min(static_cast<float>(f) / kFramesPerSecond, static_cast<float>(last));
    const int before = static_cast<int>(at), after = std::min(before + 1, last);
    walk.motion.frames[f] = poser.articulation.Between(clip.motion.frames[before], clip.motion.frames[after],
                                                       at - static_cast<float>(before));
  }
  return walk;
}

std::vector<Clip> MotionsToJudgeBy(const Poser& poser) {
  std::vector<Clip> motions = ReadMotions(poser, poser.request.config.Strings("poses", "motion"));
  if (motions.empty()) motions = poser.own.judged;
  if (motions.empty()) motions = EmbeddedMotions(poser);
  if (motions.empty()) motions = {WalkThroughLimits(poser)};
  return motions;
}

std::vector<Clip> MotionsToLearnFrom(const Poser& poser) {
  const Config& config = poser.request.config;
  return LearnsOwnAnimations(config) ? poser.own.learned : ReadMotions(poser, FilesToLearnFrom(config));
}

// Resamples motions at a lower rate, such that all together have at most `most` frames, and joins them.
Clip Thinned(const std::vector<Clip>& motions, int most) {
  double frames = 0;
  for (const Clip& clip : motions) frames += clip.motion.frame_count();
  Clip all;
  for (const Clip& clip : motions) {
    const double rate = clip.motion.frames_per_second * std::min(1.0, most / frames);
    const Clip thinned = rate < clip.motion.frames_per_second ? Resample(clip, static_cast<float>(rate)) : clip;
    if (all.motion.frames.empty()) {
      all = thinned;
    } else {
      Append(all, thinned);
    }
  }
  return all;
}

Clip UnseenMotion(const Poser& poser) {
  return Thinned(MotionsToJudgeBy(poser), poser.request.config.Whole("poses", "motion_frames"));
}

// Whether two poses are the same but for where the body is and which way it faces, and for rounding: all joints below
// the roots have the same transforms to a thousandth of a radian, and to a ten-thousandth of the body's size.
bool Alike(const Poser& poser, const Pose& a, const Pose& b) {
  constexpr float kAngle = 1e-3f, kLength = 1e-4f;
  const auto size = static_cast<float>(poser.articulation.body().Size());
  for (size_t j = 0; j < a.size(); ++j) {
    if (poser.limits[j].free) continue;
    if (ToEigen(a[j].rotation).angularDistance(ToEigen(b[j].rotation)) > kAngle ||
        (ToEigen(a[j].translation) - ToEigen(b[j].translation)).norm() > kLength * size ||
        (ToEigen(a[j].scale) - ToEigen(b[j].scale)).norm() > kLength) {
      return false;
    }
  }
  return true;
}

// Returns poses that judge the result and that motions to learn from may hold, too: of the unseen motion, since many
// animations of a character begin with the same pose, and everyday ones. With them their mirror images, if those of
// frames are learned from, too: the second step of a walk is often the mirror image of the first.
std::vector<Pose> PosesToJudgeBy(const Poser& poser) {
  std::vector<Pose> judging = UnseenMotion(poser).motion.frames;
  for (const poses::NamedPose& everyday : poses::EverydayPoses(poser.articulation, poser.limits)) {
    judging.push_back(everyday.pose);
  }
  if (!poser.request.config.Flag("training", "mirror")) return judging;
  const std::optional<Symmetry> symmetry = FindSymmetry(poser.character);
  if (!symmetry) return judging;
  for (size_t i = 0, count = judging.size(); i < count; ++i) {
    judging.push_back(MirrorPose(*symmetry, poser.character.skeleton, judging[i]));
  }
  return judging;
}

// Appends those frames of the motions that differ most. Frames that are Alike() to one that judges are left out.
void LearnFrom(const Poser& poser, const std::vector<Clip>& motions, Clip& clip) {
  Clip all = motions[0];
  for (size_t i = 1; i < motions.size(); ++i) Append(all, motions[i]);
  const std::vector<Pose> judging = PosesToJudgeBy(poser);
  std::vector<int> fresh;
  for (int f = 0; f < all.motion.frame_count(); ++f) {
    const auto same = [&](const Pose& pose) { return Alike(poser, pose, all.motion.frames[f]); };
    if (std::none_of(judging.begin(), judging.end(), same)) fresh.push_back(f);
  }
  all = Select(all, fresh);
  std::vector<int> chosen =
      poses::SelectSpread(poser.articulation, all.motion.frames, poser.request.config.Whole("poses", "learn_frames"));
  std::sort(chosen.begin(), chosen.end());
  Append(clip, Select(all, chosen));
}

void MakeTrainingPoses(const Request& request, const StageContext& context) {
  const Poser poser(request, context.folder);
  Clip clip = RangeOfMotion(poser, request.config.Whole("poses", "training"), 0);
  if (const std::vector<Clip> motions = MotionsToLearnFrom(poser); !motions.empty()) LearnFrom(poser, motions, clip);
  WritePoses(context.folder / kTrainingPoses, clip);
}

void MakeMotionPoses(const Request& request, const StageContext& context) {
  WritePoses(context.folder / kMotionPoses, UnseenMotion(Poser(request, context.folder)));
}

void MakeEverydayPoses(const StageContext& context) {
  const Character character = ReadCharacter(context.folder / kCharacter, kQuietly);
  const Articulation articulation(character.skeleton);
  WritePoses(context.folder / kEverydayPoses,
             poses::ToClip(character.skeleton, "everyday",
                           poses::EverydayPoses(articulation, ReadLimits(context.folder, character))));
}

Stage PoseStage(const Request& request, const char* name, const char* does, const char* output, int count,
                const std::vector<std::string>& keys, const std::vector<std::string>& files) {
  Stage stage{.name = name, .does = does, .needs = {kCharacter, kLimits}};
  stage.settings = request.config.Pick("poses", keys);
  stage.settings["seed"] = request.seed;
  for (const std::string& file : files) {
    const std::string path = fs::exists(file) ? file : file.substr(0, file.rfind('#'));
    // Checked now, not after the earlier stages have run.
    if (!fs::exists(path)) throw InputError(file, "", "does not exist", "check poses.learn_from and poses.motion");
    stage.outside[OutsideName(stage, file)] = HashPath(path);
  }
  stage.outputs = {output};
  stage.cost = PosesCost(request.calibration, count, kDraws);
  stage.remedy = "'sinew poses' shows how motions are carried over";
  return stage;
}

// Whether frames of motions are learned from, in addition to poses inside the limits.
bool LearnsMotions(const Config& config, const Subject& subject) {
  return LearnsOwnAnimations(config) ? subject.animations > 0 : !FilesToLearnFrom(config).empty();
}

Stage TrainingPosesStage(const Request& request, const Subject& subject) {
  const Config& config = request.config;
  std::vector<std::string> keys = {"training", "clear", "learn_from", "learn_frames"};
  keys.insert(keys.end(), kDrawKeys.begin(), kDrawKeys.end());
  std::vector<std::string> files = FilesToLearnFrom(config);
  // Frames of the unseen motion are excluded from training, so the choice of that motion matters too.
  if (LearnsMotions(config, subject)) {
    keys.insert(keys.end(), {"motion", "motion_frames"});
    const std::vector<std::string> motions = config.Strings("poses", "motion");
    files.insert(files.end(), motions.begin(), motions.end());
  }
  Stage stage = PoseStage(request, "training-poses", "choose poses to learn from", kTrainingPoses,
                          TrainingFrames(config, subject), keys, files);
  stage.version = LearnsMotions(config, subject) ? 6 : 4;
  if (LearnsMotions(config, subject)) stage.settings["mirror"] = config.Flag("training", "mirror");
  stage.run = [request](const StageContext& context) { MakeTrainingPoses(request, context); };
  return stage;
}

Stage MotionPosesStage(const Request& request, const Subject& subject) {
  const Config& config = request.config;
  std::vector<std::string> keys = {"motion", "motion_frames", "inner", "clear"};
  // The evaluation uses what is not learned from.
  if (subject.animations > 0) keys.emplace_back("learn_from");
  Stage stage = PoseStage(request, "motion-poses", "choose an unseen motion", kMotionPoses,
                          config.Whole("poses", "motion_frames"), keys, config.Strings("poses", "motion"));
  stage.version = 4;
  // The character's own animations stay as they are.
  const bool own = config.Strings("poses", "motion").empty() && subject.animations > 0;
  stage.cost = own ? Cost{.serial = 0.1} : PosesCost(request.calibration, config.Whole("poses", "motion_frames"), 1);
  stage.run = [request](const StageContext& context) { MakeMotionPoses(request, context); };
  return stage;
}

Stage EverydayPosesStage() {
  Stage stage{.name = "everyday-poses", .does = "take poses that everyone knows", .needs = {kCharacter, kLimits}};
  stage.outputs = {kEverydayPoses};
  stage.cost = {.serial = 0.1};
  stage.remedy = "'sinew poses --everyday' shows them";
  stage.run = [](const StageContext& context) { MakeEverydayPoses(context); };
  return stage;
}

}  // namespace

int TrainingFrames(const Config& config, const Subject& subject) {
  return config.Whole("poses", "training") +
         (LearnsMotions(config, subject) ? config.Whole("poses", "learn_frames") : 0);
}

int JudgedFrames(const Config& config, const Subject& subject) {
  return config.Whole("poses", "test") + config.Whole("poses", "motion_frames") +
         (subject.biped ? poses::kEverydayCount : 0);
}

void AddPoseStages(const Request& request, const Subject& subject, std::vector<Stage>& stages) {
  const Config& config = request.config;
  stages.push_back(TrainingPosesStage(request, subject));
  std::vector<std::string> keys = {"test", "clear", "learn_from"};
  keys.insert(keys.end(), kDrawKeys.begin(), kDrawKeys.end());
  stages.push_back(
      PoseStage(request, "test-poses", "choose unseen poses", kTestPoses, config.Whole("poses", "test"), keys, {}));
  stages.back().version = 2;
  stages.back().run = [request](const StageContext& context) { MakeTestPoses(request, context); };
  stages.push_back(MotionPosesStage(request, subject));
  if (subject.biped) stages.push_back(EverydayPosesStage());
}

}  // namespace sinew::pipeline
