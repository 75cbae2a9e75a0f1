#include "sinew/offline/io/bvh.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstring>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "tests/support/rigs.h"
#include "tests/support/shared_assets.h"

namespace sinew {
namespace {

const std::string kSmall = R"(HIERARCHY
ROOT hips
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Yrotation Xrotation Zrotation
  JOINT upper arm
  {
    OFFSET 1 0 0
    CHANNELS 3 Xrotation Zrotation Yrotation
    End Site
    {
      OFFSET 0.5 0 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.0333333
0 1 0 0 0 0 0 0 0
1 2 3 90 0 0 0 90 0
)";

std::string Message(const std::string& text) {
  try {
    ParseBvh(text, "a.bvh");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Bvh, ReadsNamesOffsetsAndChannelsInTheirOrder) {
  const Clip clip = ParseBvh(kSmall, "a.bvh");
  ASSERT_EQ(clip.skeleton.joint_count(), 3);
  EXPECT_EQ(clip.skeleton.joints[1].name, "upper arm");
  EXPECT_EQ(clip.skeleton.joints[2].name, "upper arm_end");
  EXPECT_TRUE(clip.skeleton.joints[2].helper);
  EXPECT_EQ(clip.motion.frames_per_second, 30);
  ASSERT_EQ(clip.motion.frame_count(), 2);
  const Pose& pose = clip.motion.frames[1];
  EXPECT_EQ(pose[0].translation.z, 3);
  EXPECT_LT((ToEigen(pose[0].rotation) * Eigen::Vector3f::UnitX() - -Eigen::Vector3f::UnitZ()).norm(), 1e-6);
  EXPECT_LT((ToEigen(pose[1].rotation) * Eigen::Vector3f::UnitX() - Eigen::Vector3f::UnitY()).norm(), 1e-6);
}

TEST(Bvh, EulerAnglesMultiplyInTheOrderOfTheChannels) {
  const Clip clip = ParseBvh(Replaced(kSmall, "0 1 0 0 0 0 0 0 0", "0 1 0 30 40 50 0 0 0"), "a.bvh");
  using Eigen::AngleAxisf;
  using Eigen::Vector3f;
  const float d = 3.14159265f / 180;
  const Eigen::Quaternionf expected = AngleAxisf(30 * d, Vector3f::UnitY()) * AngleAxisf(40 * d, Vector3f::UnitX()) *
                                      AngleAxisf(50 * d, Vector3f::UnitZ());
  EXPECT_LT(ToEigen(clip.motion.frames[0][0].rotation).angularDistance(expected), 1e-5);
}

TEST(Bvh, MotionMayBeMissing) {
  const Clip clip = ParseBvh(kSmall.substr(0, kSmall.find("MOTION")), "a.bvh");
  EXPECT_EQ(clip.motion.frame_count(), 0);
  EXPECT_EQ(clip.skeleton.joint_count(), 3);
}

TEST(Bvh, AFrameTimeOfZeroIsNoTime) {
  EXPECT_EQ(ParseBvh(Replaced(kSmall, "0.0333333", "0"), "a.bvh").motion.frames_per_second, 0);
}

TEST(Bvh, RepairsNames) {
  const Clip twice = ParseBvh(Replaced(kSmall, "upper arm", "hips"), "a.bvh");
  EXPECT_EQ(twice.skeleton.joints[1].name, "hips_1");
  const Clip nameless = ParseBvh(Replaced(kSmall, "upper arm", ""), "a.bvh");
  EXPECT_EQ(nameless.skeleton.joints[1].name, "joint_1");
}

TEST(Bvh, NamesThatWouldEndTheirLineAreWrittenWithoutThat) {
  Clip clip = ParseBvh(kSmall, "a.bvh");
  clip.skeleton.joints[0].name = "one\ntwo{three}";
  EXPECT_EQ(ParseBvh(FormatBvh(clip), "a.bvh").skeleton.joints[0].name, "one_two_three_");
}

TEST(Bvh, SaysWhatIsWrongAndWhere) {
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(Message(text).find(part), std::string::npos) << Message(text);
  };
  has("", "a.bvh: line 1: HIERARCHY was expected");
  has("HIERARCHY\nMOTION", "there is no ROOT");
  has(Replaced(kSmall, "OFFSET 1 0 0", "OFFSET 1 x 0"), "line 8: \"x\" is not a number");
  has(Replaced(kSmall, "OFFSET 1 0 0", "OFFSET 1 nan 0"), "\"nan\" is not a number");
  has(Replaced(kSmall, "OFFSET 1 0 0", "OFFSET 1 1e300 0"), "too large");
  has(Replaced(kSmall, "CHANNELS 3", "CHANNELS 300"), "line 9: a joint has 0 to 12 channels");
  has(Replaced(kSmall, "Zrotation Yrotation\n", "Wrotation Yrotation\n"), "\"Wrotation\" is not a channel");
  has(Replaced(kSmall, "Frames: 2", "Frames: 3"), "the file ends where a number was expected");
  has(Replaced(kSmall, "Frames: 2", "Frames: 4000000000"), "4000000000 frames of 9 numbers are claimed");
  has(Replaced(kSmall, "Frames: 2", "Frames: -2"), "not a whole number");
  has(Replaced(kSmall, "0.0333333", "-1"), "negative");
  has(Replaced(kSmall, "0.0333333", "1e-300"), "a frame time of 1e-300 seconds cannot be meant");
  has(Replaced(kSmall, "0.0333333", "1e20"), "a frame time of 1e+20 seconds cannot be meant");
  has(Replaced(kSmall, "MOTION", "MOTIONS"), "\"MOTIONS\" stands where MOTION was expected");
  has(Replaced(kSmall, "End Site", "End Sight"), "\"Sight\" stands where Site was expected");
}

TEST(Bvh, EveryTruncationIsAnErrorOrShorter) {
  for (size_t size = 0; size < kSmall.size(); ++size) {
    try {
      const Clip clip = ParseBvh(kSmall.substr(0, size), "a.bvh");
      // All that may be missing is the whole motion, or digits of the very last number.
      EXPECT_TRUE(clip.motion.frame_count() == 0 || size >= kSmall.size() - 2) << size;
    } catch (const InputError&) {
    }
  }
}

TEST(Bvh, ManyJointsDeepAreNoProblem) {
  std::string text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n";
  for (int i = 0; i < 20000; ++i) text += "JOINT j" + std::to_string(i) + "\n{\nOFFSET 0 1 0\nCHANNELS 0\n";
  for (int i = 0; i < 20001; ++i) text += "}\n";
  EXPECT_EQ(ParseBvh(text, "a.bvh").skeleton.joint_count(), 20001);
  EXPECT_NE(Message(text + "MOTION\nFrames: 100000000\nFrame Time: 1\n").find("are claimed"), std::string::npos);
}

// Whatever the rest orientations, what is written puts every joint where it was.
RC_GTEST_PROP(Bvh, WrittenAndReadKeepsEveryPosition, (uint16_t seed)) {
  Random random(seed);
  Clip clip;
  clip.skeleton = testing::MakeRig({.arm_down = random.Uniform(0, 1), .frames_seed = seed, .names = {}});
  clip.motion = {.name = "m", .frames_per_second = 24, .joints = JointNames(clip.skeleton), .frames = {}};
  for (int f = 0; f < 3; ++f) {
    clip.motion.frames.push_back(testing::RandomPose(clip.skeleton, random, 3));
    clip.motion.frames.back()[5].translation.y += 0.1f;
  }
  const Clip back = ParseBvh(FormatBvh(clip), "x");
  RC_ASSERT(back.motion.frames_per_second == 24);
  RC_ASSERT(back.motion.frame_count() == 3);
  for (int f = 0; f < 3; ++f) {
    const auto a = LocalToModel(clip.skeleton, clip.motion.frames[f]);
    const auto b = LocalToModel(back.skeleton, back.motion.frames[f]);
    for (int j = 0; j < clip.skeleton.joint_count(); ++j) {
      const int k = back.skeleton.Find(clip.skeleton.joints[j].name);
      RC_ASSERT(k >= 0);
      RC_ASSERT((a[j].translation() - b[k].translation()).norm() < 1e-5f);
    }
  }
}

TEST(Bvh, WritingWhatWasReadKeepsItAll) {
  const Clip clip = ParseBvh(kSmall, "a.bvh");
  const Clip back = ParseBvh(FormatBvh(clip), "a.bvh");
  EXPECT_EQ(JointNames(back.skeleton), JointNames(clip.skeleton));
  for (int f = 0; f < 2; ++f) {
    for (int j = 0; j < 3; ++j) {
      const Transform &a = clip.motion.frames[f][j], &b = back.motion.frames[f][j];
      EXPECT_LT(ToEigen(a.rotation).angularDistance(ToEigen(b.rotation)), 1e-5);
      EXPECT_LT((ToEigen(a.translation) - ToEigen(b.translation)).norm(), 1e-6);
    }
  }
}

// The assets' .mot files have the same content in another form: see their README.
struct Mot {
  uint32_t frames = 0, joints = 0;
  std::vector<float> root, rotation;
};

Mot ReadMot(const std::filesystem::path& path) {
  const Bytes bytes = ReadFile(path);
  Mot mot;
  std::memcpy(&mot.frames, &bytes[8], 4);
  std::memcpy(&mot.joints, &bytes[12], 4);
  mot.root.resize(mot.frames * 3);
  mot.rotation.resize(mot.frames * mot.joints * 4);
  std::memcpy(mot.root.data(), &bytes[20], mot.root.size() * 4);
  std::memcpy(mot.rotation.data(), &bytes[20 + mot.root.size() * 4], mot.rotation.size() * 4);
  return mot;
}

TEST(Bvh, RealClipsAreReadRight) {
  SINEW_REQUIRE_ASSETS();
  for (const char* name : {"walk", "run", "jump", "dance", "climb_ladder", "punch", "sit_stand", "cartwheel"}) {
    const auto base = testing::AssetsFolder() / "motion" / name;
    const Clip clip = ReadBvh(base.string() + ".bvh");
    const Mot mot = ReadMot(base.string() + ".mot");
    ASSERT_EQ(clip.motion.frame_count(), static_cast<int>(mot.frames)) << name;
    const std::vector<std::string> order = {
        "pelvis",     "left_hip",    "right_hip",    "spine1",      "left_knee",     "right_knee",
        "spine2",     "left_ankle",  "right_ankle",  "spine3",      "left_foot",     "right_foot",
        "neck",       "left_collar", "right_collar", "head",        "left_shoulder", "right_shoulder",
        "left_elbow", "right_elbow", "left_wrist",   "right_wrist", "left_hand",     "right_hand"};
    double worst_rotation = 0, worst_root = 0;
    for (uint32_t f = 0; f < mot.frames; ++f) {
      for (uint32_t j = 0; j < mot.joints; ++j) {
        const int k = clip.skeleton.Find(order[j]);
        ASSERT_GE(k, 0);
        const Eigen::Quaternionf expected(&mot.rotation[(f * mot.joints + j) * 4]);
        worst_rotation =
            std::max<double>(worst_rotation, expected.angularDistance(ToEigen(clip.motion.frames[f][k].rotation)));
      }
      const Eigen::Vector3f root = Eigen::Map<const Eigen::Vector3f>(&mot.root[f * 3]);
      worst_root = std::max<double>(worst_root, (root - ToEigen(clip.motion.frames[f][0].translation)).norm());
    }
    EXPECT_LT(worst_rotation, 1e-3) << name;  // float32 quaternions say no more about small angles
    EXPECT_LT(worst_root, 1e-4) << name;
  }
}

}  // namespace
}  // namespace sinew
