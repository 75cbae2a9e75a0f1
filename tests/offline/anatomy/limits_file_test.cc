#include "sinew/offline/anatomy/limits_file.h"

#include <gtest/gtest.h>

#include <numbers>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

void ExpectSame(const JointLimits& a, const JointLimits& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t j = 0; j < a.size(); ++j) {
    EXPECT_EQ(a[j].free, b[j].free);
    if (a[j].free) continue;
    EXPECT_EQ(a[j].origin, b[j].origin);
    EXPECT_EQ(a[j].known_as, b[j].known_as);
    EXPECT_LT((a[j].bone - b[j].bone).norm(), 1e-6);
    EXPECT_LT((a[j].bend_toward - b[j].bend_toward).norm(), 1e-6);
    EXPECT_LT(a[j].neutral.angularDistance(b[j].neutral), 1e-5);
    EXPECT_NEAR(a[j].bend.max, b[j].bend.max, 1e-6);
    EXPECT_NEAR(a[j].side.min, b[j].side.min, 1e-6);
    EXPECT_NEAR(a[j].twist.max, b[j].twist.max, 1e-6);
  }
}

TEST(LimitsFile, ComesBack) {
  const Skeleton rig = testing::MakeRig({.arm_down = 0.5, .frames_seed = 3, .names = {}});
  const JointLimits limits = FindLimits(rig, {});
  JointLimits back(limits.size());
  ApplyLimitsText(LimitsToJson(rig, limits).dump(), "x", rig, back);
  ExpectSame(limits, back);
}

TEST(LimitsFile, ExtrasOfTheCharacterComeFirst) {
  Character character;
  character.skeleton = testing::MakeRig({.names = {}});
  character.extras = Json{{"other", 1}};
  JointLimits limits = FindLimits(character, "c.glb");
  EditLimit("left_knee.bend=-2,111", character.skeleton, limits);
  StoreLimitsInExtras(limits, character);
  EXPECT_EQ((*character.extras)["other"], 1);
  const JointLimits found = FindLimits(character, "c.glb");
  const JointLimit& knee = found[character.skeleton.Find("left_knee")];
  EXPECT_NEAR(knee.bend.max, 111 * kDegree, 1e-6);
  EXPECT_EQ(knee.origin, LimitOrigin::kFile);
  EXPECT_EQ(found[character.skeleton.Find("right_knee")].origin, LimitOrigin::kNames);
}

TEST(LimitsFile, TheFirstVersionIsStillRead) {
  const Skeleton rig = testing::MakeRig({.names = {}});
  JointLimits limits = FindLimits(rig, {});
  const std::string path = SINEW_SOURCE_DIR "/tests/golden/limits_v1.json";
  ApplyLimitsText(ReadTextFile(path), path, rig, limits);
  EXPECT_TRUE(limits[0].free);
  const JointLimit& knee = limits[rig.Find("left_knee")];
  EXPECT_NEAR(knee.bend.max, 130 * kDegree, 1e-9);
  EXPECT_EQ(knee.origin, LimitOrigin::kFile);
  const JointLimit& shoulder = limits[rig.Find("left_shoulder")];
  EXPECT_NEAR(shoulder.neutral.w(), std::cos(15 * kDegree), 1e-6);
  EXPECT_EQ(shoulder.origin, LimitOrigin::kNames);
  EXPECT_EQ(shoulder.known_as, "left_shoulder");
}

std::string Message(const std::string& text) {
  const Skeleton rig = testing::MakeRig({.names = {}});
  JointLimits limits = FindLimits(rig, {});
  try {
    ApplyLimitsText(text, "l.json", rig, limits);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string OfKnee(const std::string& fields) {
  return R"({"format": "sinew-limits", "version": 1, "joints": {"left_knee": {)" + fields + "}}}";
}

TEST(LimitsFile, SaysWhatIsWrong) {
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(Message(text).find(part), std::string::npos) << Message(text);
  };
  EXPECT_EQ(Message(OfKnee("")), "no error");
  has("{", "l.json");
  has("[]", "l.json: limits: are not a JSON object");
  has("{}", "lack \"format\"");
  has(R"({"format": "sinew-limits", "version": 7})", "are of version 7");
  has(R"({"format": "sinew-limits", "version": 1, "joints": {"tail": {}}})", "name no joint of this character");
  has(OfKnee(R"("bend": 3)"), "joint \"left_knee\": bend must be an array of 2 numbers");
  has(OfKnee(R"("bend": [5, 10])"), "bend must be two angles");
  has(OfKnee(R"("bone": [0, 0, 2])"), "bone must be a unit vector");
  has(OfKnee(R"("bnd": [0, 1])"), "bnd is not a field of a limit");
  has(OfKnee(R"("free": 1)"), "free must be true or false");
  has(OfKnee(R"("origin": "guess")"), "origin must be");
}

TEST(LimitsFile, EveryTruncationIsAnError) {
  const Skeleton rig = testing::MakeRig({.names = {}});
  const std::string text = LimitsToJson(rig, FindLimits(rig, {})).dump();
  for (size_t size = 0; size < text.size(); size += 11) EXPECT_NE(Message(text.substr(0, size)), "no error") << size;
}

TEST(LimitsFile, EditsSayWhatIsWrong) {
  const Skeleton rig = testing::MakeRig({.names = {}});
  JointLimits limits = FindLimits(rig, {});
  const auto message = [&](const std::string& edit) -> std::string {
    try {
      EditLimit(edit, rig, limits);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("left_knee.free=true"), "no error");
  EXPECT_TRUE(limits[rig.Find("left_knee")].free);
  EXPECT_NE(message("left_knee").find("write JOINT.FIELD=VALUE"), std::string::npos);
  EXPECT_NE(message("tail.bend=0,1").find("no joint \"tail\""), std::string::npos);
  EXPECT_NE(message("left_knee.bend=a,b").find("a,b is not a value"), std::string::npos);
  EXPECT_NE(message("left_knee.bend=20,30").find("bend must be two angles"), std::string::npos);
}

}  // namespace
}  // namespace sinew
