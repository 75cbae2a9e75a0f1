#include "sinew/offline/pipeline/chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/pipeline/few_shot.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/pipeline/times.h"
#include "sinew/offline/poses/everyday_poses.h"
#include "tests/support/limb_figure.h"
#include "tests/support/mesh_families.h"
#include "tests/support/temporary_folder.h"

namespace sinew::pipeline {
namespace {

std::map<std::string, Json> SettingsOfStages(const Config& config) {
  const Request request{.character = "", .config = config, .seed = 1};
  std::map<std::string, Json> settings;
  for (const Stage& stage : MakeStages(request, FindSubject(request))) settings[stage.name] = stage.settings;
  return settings;
}

// Another value than Config() has that the setting takes. file: one that exists.
std::string OtherValue(const Setting& setting, const std::string& file) {
  const Json& value = setting.defaults[static_cast<size_t>(Preset::kQuick)];
  switch (setting.kind) {
    case SettingKind::kWhole:
    case SettingKind::kNumber:
      return Json(value == Json(setting.low) ? setting.high : setting.low).dump();
    case SettingKind::kFlag:
      return value.get<bool>() ? "false" : "true";
    case SettingKind::kChoice:
      return setting.choices[0] == value.get<std::string>() ? setting.choices[1] : setting.choices[0];
    case SettingKind::kWholes:
      return "[50]";
    case SettingKind::kRoles:
      return "Hair=thin";
    default:
      return file;
  }
}

TEST(Chain, EverySettingDecidesOverSomeStage) {
  const testing::TemporaryFolder folder;
  WriteFileAtomic(folder / "file.bvh", "anything");
  const std::map<std::string, Json> before = SettingsOfStages(Config());
  for (const Setting& setting : Settings()) {
    const std::string name = setting.section + "." + setting.key;
    SCOPED_TRACE(name);
    if (name == "input.character" || name == "input.seed") continue;  // MakeRequest() takes them out of the settings
    if (setting.section == "rig") continue;                           // of meshes without a skeleton: rig_stage_test.cc
    if (setting.section == "truths") continue;                        // of truths that are not simulated: below
    if (name == "training.shapes") continue;                          // of blend shapes: below
    if (setting.section == "contact") continue;                       // of colliders: below
    Config config;
    config.Set(name + "=" + OtherValue(setting, folder / "file.bvh"));
    std::map<std::string, Json> after = SettingsOfStages(config);
    EXPECT_NE(after.at("report"), before.at("report")) << "the page shows all";
    after["report"] = before.at("report");
    if (setting.section != "report") {
      EXPECT_NE(after, before);
    }
  }
}

TEST(Chain, EverySettingOfContactDecidesOverItsStageAlone) {
  const testing::TemporaryFolder folder;
  Character ball;
  ball.parts.emplace_back().mesh = testing::Sphere();
  const std::string file = (folder / "ball.obj").string();
  WriteCharacter(ball, file);
  Config with;
  with.Set("contact.colliders=" + file);
  std::map<std::string, Json> before = SettingsOfStages(with);
  EXPECT_FALSE(SettingsOfStages(Config()).contains("contact"));
  for (const Setting& setting : Settings()) {
    if (setting.section != "contact" || setting.key == "colliders") continue;
    SCOPED_TRACE(setting.key);
    Config config = with;
    config.Set("contact." + setting.key + "=" + OtherValue(setting, "left_hip"));
    std::map<std::string, Json> after = SettingsOfStages(config);
    EXPECT_NE(after.at("contact"), before.at("contact"));
    for (const char* stage : {"contact", "report"}) after[stage] = before[stage];
    EXPECT_EQ(after, before);
  }
}

TEST(Chain, WhoTeachesDecidesOverTheTruthsToLearnFrom) {
  const testing::TemporaryFolder folder;
  for (const char* name : {"a.model", "b.model"}) WriteFileAtomic(folder / name, name);
  const auto set = [](Config config, const std::string& setting) {
    config.Set(setting);
    return config;
  };
  const Config simulated;
  const Config taught = set(set(simulated, "truths.from=teach"), "truths.models=" + (folder / "a.model").string());
  const Config others[][2] = {{simulated, taught},
                              {taught, set(taught, "truths.keep_all=true")},
                              {taught, set(taught, "truths.few_shot=20")},
                              {taught, set(taught, "truths.models=" + (folder / "b.model").string())}};
  for (const auto& [one, other] : others) {
    const std::map<std::string, Json> before = SettingsOfStages(one), after = SettingsOfStages(other);
    EXPECT_NE(after.at("training-truths"), before.at("training-truths"));
    EXPECT_NE(after.at("report"), before.at("report"));
    for (const char* stage : {"training-poses", "hierarchy", "weights", "timing"}) {
      EXPECT_EQ(after.at(stage), before.at(stage)) << stage;
    }
  }
  EXPECT_THROW(SettingsOfStages(set(simulated, "truths.from=given")), UsageError) << "no dataset is named";
}

TEST(Chain, AFewSimulatedPosesAreAStageBeforeTheOthersAreTaught) {
  const testing::TemporaryFolder folder;
  WriteFileAtomic(folder / "a.model", "a");
  Config config;
  config.Set("truths.models=" + (folder / "a.model").string());
  config.Set("truths.few_shot=20");
  EXPECT_FALSE(SettingsOfStages(config).contains("few-truths")) << "all are simulated";
  config.Set("truths.from=teach");
  const std::map<std::string, Json> with = SettingsOfStages(config);
  EXPECT_TRUE(with.contains("few-truths"));
  const Request request{.character = "", .config = config, .seed = 1};
  std::set<std::string> written;
  for (const Stage& stage : MakeStages(request, FindSubject(request))) {
    EXPECT_TRUE(stage.name != "training-truths" || written.contains(kFewTruths));
    written.insert(stage.outputs.begin(), stage.outputs.end());
  }
  config.Set("truths.few_shot=10");
  std::map<std::string, Json> fewer = SettingsOfStages(config);
  EXPECT_NE(fewer.at("few-truths"), with.at("few-truths"));
  for (const char* judge : {"test-truths", "motion-truths"}) EXPECT_EQ(fewer.at(judge), with.at(judge)) << judge;
  config.Set("truths.few_shot=0");
  EXPECT_FALSE(SettingsOfStages(config).contains("few-truths"));
  config.Set("truths.few_shot=1");
  EXPECT_THROW(SettingsOfStages(config), UsageError);
}

TEST(Chain, RolesOfPartsDecideOverTheTruthsAlone) {
  Config config;
  config.Set("simulation.parts=Hair=thin");
  const std::map<std::string, Json> before = SettingsOfStages(Config()), after = SettingsOfStages(config);
  for (const auto& [stage, settings] : after) {
    const bool decides = stage.ends_with("-truths") || stage == "report";
    EXPECT_EQ(settings != before.at(stage), decides) << stage;
  }
}

TEST(Chain, RolesOfPartsThatAreMissingAreRefusedBeforeAnythingRuns) {
  const testing::TemporaryFolder folder;
  WriteCharacter(testing::MakeLimbFigure().character, folder / "figure.glb");
  Config config;
  config.Set("simulation.parts=Hair=thin");
  EXPECT_THROW(FindSubject({.character = folder / "figure.glb", .config = config, .seed = 1}), UsageError);
}

TEST(Chain, StagesReadOnlyWhatEarlierOnesWrite) {
  for (const char* method : {"sinew", "single-level", "auto", "blendshape"}) {
    Request request{.character = "", .config = Config(), .seed = 1};
    request.config.Set(std::string("training.method=") + method);
    std::set<std::string> written;
    for (const Stage& stage : MakeStages(request, FindSubject(request))) {
      SCOPED_TRACE(std::string(method) + ": " + stage.name);
      for (const std::string& need : stage.needs) EXPECT_TRUE(written.contains(need)) << need;
      EXPECT_FALSE(stage.outputs.empty());
      EXPECT_GT(stage.cost.processor_seconds(), 0);
      for (const std::string& output : stage.outputs) EXPECT_TRUE(written.insert(output).second) << output;
    }
    EXPECT_TRUE(written.contains(kDeformer)) << method;
    EXPECT_TRUE(written.contains(kBundle)) << method;
  }
}

TEST(Chain, WhatShipsDecidesNothingAboutWhatIsLearned) {
  const std::map<std::string, Json> before = SettingsOfStages(Config());
  for (const char* method : {"single-level", "auto"}) {
    Config config;
    config.Set(std::string("training.method=") + method);
    for (const auto& [stage, settings] : SettingsOfStages(config)) {
      EXPECT_EQ(settings != before.at(stage), stage == "bundle" || stage == "report") << method << ": " << stage;
    }
  }
}

TEST(Chain, BlendShapesShipAndSinewsMethodIsWhatTheyAreComparedWith) {
  const std::map<std::string, Json> before = SettingsOfStages(Config());
  Config config;
  config.Set("training.method=blendshape");
  const std::map<std::string, Json> blended = SettingsOfStages(config);
  EXPECT_FALSE(blended.contains("single-level"));
  EXPECT_EQ(blended.at("training"), before.at("training"));
  config.Set("training.shapes=3");
  for (const auto& [stage, settings] : SettingsOfStages(config)) {
    EXPECT_EQ(settings != blended.at(stage), stage == "blend-shapes" || stage == "report") << stage;
  }
  config.Set("single_level.compare=false");
  EXPECT_FALSE(SettingsOfStages(config).contains("training"));
}

// Returns the names of the stages of a request that read or write what begins with "everyday".
std::set<std::string> EverydayStages(const Request& request) {
  std::set<std::string> names;
  for (const Stage& stage : MakeStages(request, FindSubject(request))) {
    for (const auto* files : {&stage.needs, &stage.outputs}) {
      for (const std::string& file : *files) {
        if (file.starts_with("everyday")) names.insert(stage.name);
      }
    }
  }
  return names;
}

TEST(Chain, EverydayPosesJudgeBipedsAndTrainNothing) {
  const std::set<std::string> judging = {"everyday-poses", "everyday-truths", "evaluation", "report"};
  EXPECT_EQ(EverydayStages({.character = "", .config = Config(), .seed = 1}), judging);
  Config quadruped;
  quadruped.Set("input.kind=quadruped");
  EXPECT_EQ(EverydayStages({.character = "", .config = quadruped, .seed = 1}), std::set<std::string>{});
  // A given character, by the names of its joints.
  const testing::TemporaryFolder folder;
  Character figure = testing::MakeLimbFigure().character;
  WriteCharacter(figure, folder / "figure.glb");
  EXPECT_EQ(EverydayStages({.character = folder / "figure.glb", .config = Config(), .seed = 1}), judging);
  for (int j = 0; j < figure.skeleton.joint_count(); ++j) figure.skeleton.joints[j].name = "j" + std::to_string(j);
  WriteCharacter(figure, folder / "nameless.glb");
  EXPECT_EQ(EverydayStages({.character = folder / "nameless.glb", .config = Config(), .seed = 1}),
            std::set<std::string>{});
}

TEST(Chain, LevelsThatCannotBeMadeAreLeftOutAndSaid) {
  const testing::TemporaryFolder folder;
  WriteCharacter(testing::MakeLimbFigure().character, folder / "figure.glb");
  Config config;
  config.Set("hierarchy.points=[1000000, 150, 150, 3]");
  const Request request{.character = folder / "figure.glb", .config = config, .seed = 1};
  Times times(folder / "times.json");
  for (const Stage& stage : MakeStages(request, FindSubject(request))) {
    stage.run({folder.path(), times});
    if (stage.name == "hierarchy") break;
  }
  EXPECT_EQ(lod::ReadHierarchy(folder / kLevels).level_count(), 2);
  const std::string told = ReadTextFile(folder / kLevels / kLeftOutLevels);
  for (const char* level : {"of 1000000 points", "of 150 points", "of 3 points"}) {
    EXPECT_NE(told.find(level), std::string::npos) << told;
  }
}

// One joint swings up from rest and back, once a second, each time farther.
Animation Swinging(const std::string& name, int joint, const Joint& rest, float seconds) {
  AnimationCurve curve{.joint = joint, .path = AnimationCurve::Path::kRotation, .times = {}, .values = {}};
  for (float t = 0; t <= seconds; t += 0.25F) {
    const Eigen::Quaternionf turn(
        Eigen::AngleAxisf(0.15F * (1 + t) * std::sin(6.2831853F * t), Eigen::Vector3f::UnitX()));
    const Eigen::Quaternionf q = ToEigen(rest.rest.rotation) * turn;
    curve.times.push_back(t);
    curve.values.insert(curve.values.end(), {q.x(), q.y(), q.z(), q.w()});
  }
  return {.name = name, .curves = {curve}};
}

std::set<std::string> ClipsIn(const Clip& clip) {
  std::set<std::string> names;
  for (const FrameOrigin& origin : clip.origins) names.insert(clip.sources[origin.source].clip);
  return names;
}

// A figure with three animations, and what a build learns from and judges by. All three begin and end at rest.
class OwnAnimations : public ::testing::Test {
 protected:
  OwnAnimations() {
    Character character = testing::MakeLimbFigure().character;
    const Skeleton& rig = character.skeleton;
    const int elbow = rig.Find("left_elbow"), knee = rig.Find("right_knee"), hip = rig.Find("left_hip");
    character.animations = {Swinging("wave", elbow, rig.joints[elbow], 1), Swinging("walk", hip, rig.joints[hip], 2),
                            Swinging("kick", knee, rig.joints[knee], 1)};
    WriteCharacter(character, folder_ / "figure.glb");
  }

  std::vector<Stage> StagesWith(const std::string& setting) const {
    Config config;
    for (const char* small : {"poses.training=4", "poses.clear=false", "poses.learn_frames=1000"}) config.Set(small);
    if (!setting.empty()) config.Set(setting);
    const Request request{.character = folder_ / "figure.glb", .config = config, .seed = 1};
    return MakeStages(request, FindSubject(request));
  }
  void Choose(const std::string& setting) {
    Times times(folder_ / "times.json");
    const std::set<std::string> run = {"input", "limits", "weights", "training-poses", "motion-poses"};
    for (const Stage& stage : StagesWith(setting)) {
      if (run.contains(stage.name)) stage.run({folder_.path(), times});
    }
    learned_ = ReadClips(folder_ / kTrainingPoses, 30).at(0);
    judged_ = ReadClips(folder_ / kMotionPoses, 30).at(0);
  }

  const testing::TemporaryFolder folder_;
  Clip learned_, judged_;
};

TEST_F(OwnAnimations, AreLearnedFromButTheLongest) {
  Choose("");
  EXPECT_EQ(ClipsIn(learned_),
            (std::set<std::string>{"as people move", "as people rarely move", "kick", "wave", "whole limits"}));
  EXPECT_EQ(ClipsIn(judged_), std::set<std::string>{"walk"});
  for (const Pose& pose : learned_.motion.frames) {
    for (const Pose& unseen : judged_.motion.frames) {
      bool differ = false;
      for (size_t j = 0; j < pose.size(); ++j) {
        differ |= ToEigen(pose[j].rotation).coeffs() != ToEigen(unseen[j].rotation).coeffs();
      }
      EXPECT_TRUE(differ) << "what is judged by must not be learned";
    }
  }
}

// One animation, or one that is much longer than all others: its first half is learned from, its second half judged by.
TEST_F(OwnAnimations, AreLearnedFromInTheFirstHalfOfTheOnlyOne) {
  Character character = ReadCharacter(folder_ / "figure.glb");
  std::erase_if(character.animations, [](const Animation& animation) { return animation.name != "walk"; });
  WriteCharacter(character, folder_ / "figure.glb");
  Choose("");
  EXPECT_EQ(ClipsIn(learned_),
            (std::set<std::string>{"as people move", "as people rarely move", "walk", "whole limits"}));
  EXPECT_EQ(ClipsIn(judged_), std::set<std::string>{"walk"});
  int last_learned = -1, first_judged = 1000;
  for (const FrameOrigin& origin : learned_.origins) {
    if (learned_.sources[origin.source].clip == "walk") last_learned = std::max(last_learned, origin.frame);
  }
  for (const FrameOrigin& origin : judged_.origins) first_judged = std::min(first_judged, origin.frame);
  EXPECT_GT(last_learned, 0);
  EXPECT_LT(last_learned, first_judged);
}

TEST_F(OwnAnimations, AreAllJudgedByIfNoneIsLearned) {
  Choose("poses.learn_from=none");
  EXPECT_EQ(ClipsIn(learned_), (std::set<std::string>{"as people move", "as people rarely move", "whole limits"}));
  EXPECT_EQ(learned_.motion.frame_count(), 4);
  EXPECT_EQ(ClipsIn(judged_), (std::set<std::string>{"kick", "walk", "wave"}));
}

// A hip that only the animation that judges turns back by 60 degrees keeps the range of its name; the one that is
// learned from widens the elbow's.
TEST_F(OwnAnimations, WidenLimitsOnlyIfTheyDoNotJudge) {
  Character character = ReadCharacter(folder_ / "figure.glb");
  const JointLimits named = FindLimits(character.skeleton, {});
  const int hip = character.skeleton.Find("left_hip"), elbow = character.skeleton.Find("left_elbow");
  const auto far_out = [&](const Animation& swing, int joint) {
    Animation far = swing;
    far.curves[0].values.clear();
    for (size_t i = 0; i < far.curves[0].times.size(); ++i) {
      const double angle = i % 2 == 0 ? 0 : 1.6;
      const Eigen::Quaternionf turn(
          Eigen::AngleAxisd(angle, named[joint].bone.cross(-named[joint].bend_toward)).cast<float>());
      const Eigen::Quaternionf q = ToEigen(character.skeleton.joints[joint].rest.rotation) * turn;
      far.curves[0].values.insert(far.curves[0].values.end(), {q.x(), q.y(), q.z(), q.w()});
    }
    return far;
  };
  character.animations[0] = far_out(character.animations[0], elbow);
  character.animations[1] = far_out(character.animations[1], hip);
  WriteCharacter(character, folder_ / "figure.glb");
  Choose("");
  const JointLimits limits = ReadLimits(folder_.path(), ReadCharacter(folder_ / "figure.glb"));
  EXPECT_EQ(ClipsIn(judged_), std::set<std::string>{"walk"});
  EXPECT_NEAR(limits[hip].bend.min, named[hip].bend.min, 1e-4);
  EXPECT_LT(limits[elbow].bend.min, named[elbow].bend.min - 1);
}

// Frames that repeat one of the motion that judges, elsewhere and facing elsewhere, are not learned from.
TEST_F(OwnAnimations, RepeatsOfWhatIsJudgedAreNotLearned) {
  Character character = ReadCharacter(folder_ / "figure.glb");
  Animation copy = character.animations[1];
  copy.name = "walk elsewhere";
  copy.curves.push_back(
      {.joint = 0, .path = AnimationCurve::Path::kTranslation, .times = {0, 2}, .values = {3, 0, 0, 3, 0, 0}});
  // A little shorter, so that it is not the one that judges.
  for (AnimationCurve& curve : copy.curves) curve.times.back() -= 0.01F;
  character.animations.push_back(copy);
  WriteCharacter(character, folder_ / "figure.glb");
  Choose("poses.motion_frames=1000");
  int repeats = 0;
  for (const FrameOrigin& origin : learned_.origins) {
    repeats += learned_.sources[origin.source].clip == "walk elsewhere" ? 1 : 0;
  }
  EXPECT_LE(repeats, 10);
}

// An animation that takes everyday poses is learned from without them.
TEST_F(OwnAnimations, EverydayPosesAreNotLearned) {
  Character character = ReadCharacter(folder_ / "figure.glb");
  const Articulation articulation(character.skeleton);
  const std::vector<poses::NamedPose> everyday =
      poses::EverydayPoses(articulation, LimitsOf({.character = "", .config = Config(), .seed = 1}, character));
  ASSERT_EQ(everyday.size(), static_cast<size_t>(poses::kEverydayCount));
  Animation held{.name = "held", .curves = {}};
  for (int j = 0; j < character.skeleton.joint_count(); ++j) {
    AnimationCurve curve{.joint = j, .path = AnimationCurve::Path::kRotation, .times = {}, .values = {}};
    for (size_t f = 0; f < 12; ++f) {
      // Half a second from one to the next is fifteen frames, so that each is met.
      const Eigen::Quaternionf q = ToEigen(everyday[f].pose[j].rotation);
      curve.times.push_back(0.5F * static_cast<float>(f));
      curve.values.insert(curve.values.end(), {q.x(), q.y(), q.z(), q.w()});
    }
    held.curves.push_back(curve);
  }
  // The longest one judges.
  for (float& time : character.animations[1].curves[0].times) time *= 4;
  character.animations.push_back(held);
  WriteCharacter(character, folder_ / "figure.glb");
  Choose("");
  EXPECT_TRUE(ClipsIn(learned_).contains("held"));
  for (const Pose& pose : learned_.motion.frames) {
    for (const poses::NamedPose& named : everyday) {
      float angle = 0;
      for (size_t j = 0; j < pose.size(); ++j) {
        angle = std::max(angle, ToEigen(pose[j].rotation).angularDistance(ToEigen(named.pose[j].rotation)));
      }
      EXPECT_GT(angle, 1e-3F) << named.name;
    }
  }
}

TEST_F(OwnAnimations, WhatIsLearnedDecidesOverWhatIsJudgedBy) {
  const auto motion_stage = [&](const std::string& setting) {
    std::vector<Stage> stages = StagesWith(setting);
    return *std::find_if(stages.begin(), stages.end(), [](const Stage& s) { return s.name == "motion-poses"; });
  };
  EXPECT_NE(motion_stage("poses.learn_from=none").settings, motion_stage("").settings);
}

}  // namespace
}  // namespace sinew::pipeline
