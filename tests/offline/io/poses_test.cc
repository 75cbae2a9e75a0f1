#include "sinew/offline/io/poses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/io/npy.h"
#include "tests/support/rigs.h"
#include "tests/support/temporary_folder.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

Clip SomeClip(uint64_t seed, bool moving, bool scaling) {
  Random random(seed);
  Clip clip;
  clip.skeleton = testing::MakeRig({.frames_seed = seed, .names = {}});
  clip.motion = {.name = "some", .frames_per_second = 30, .joints = JointNames(clip.skeleton), .frames = {}};
  clip.sources = {{.kind = "limits", .file = "", .clip = "", .seed = 7},
                  {.kind = "motion", .file = "walk.bvh", .clip = "walk", .seed = 0, .retargeted = true}};
  clip.sources[0].clearance = {.tolerance = 0.25, .corrected = 2, .rejected = 3, .left = 1};
  for (int f = 0; f < 5; ++f) {
    Pose pose = testing::RandomPose(clip.skeleton, random, 1);
    if (!moving) pose[0].translation = clip.skeleton.joints[0].rest.translation;
    if (scaling) pose[3].scale = {1, 1.25f, 1};
    clip.motion.frames.push_back(pose);
    clip.origins.push_back({f / 3, f * 2});
  }
  return clip;
}

void ExpectComesBack(uint64_t seed, bool moving, bool scaling) {
  const TemporaryFolder folder;
  const Clip clip = SomeClip(seed, moving, scaling);
  WritePoses(folder / "a.poses", clip);
  ASSERT_TRUE(fs::exists(folder / "a.poses/translation.npy") == moving);
  ASSERT_TRUE(fs::exists(folder / "a.poses/scale.npy") == scaling);
  const Clip back = ReadPoses(folder / "a.poses");
  ASSERT_TRUE(JointNames(back.skeleton) == JointNames(clip.skeleton));
  ASSERT_TRUE(back.motion.name == "some");
  ASSERT_TRUE(back.sources[1].file == "walk.bvh");
  ASSERT_TRUE(back.sources[0].seed == 7u);
  ASSERT_TRUE(back.sources[0].clearance && !back.sources[1].clearance);
  ASSERT_TRUE(back.sources[0].clearance->tolerance == 0.25 && back.sources[0].clearance->corrected == 2);
  ASSERT_TRUE(back.sources[0].clearance->rejected == 3 && back.sources[0].clearance->left == 1);
  for (int f = 0; f < 5; ++f) {
    ASSERT_TRUE(back.origins[f].source == clip.origins[f].source);
    ASSERT_TRUE(back.origins[f].frame == clip.origins[f].frame);
    for (int j = 0; j < clip.skeleton.joint_count(); ++j) {
      const Transform &a = clip.motion.frames[f][j], &b = back.motion.frames[f][j];
      ASSERT_TRUE(ToEigen(a.rotation).coeffs() == ToEigen(b.rotation).coeffs());
      ASSERT_TRUE(ToEigen(a.translation) == ToEigen(b.translation));
      ASSERT_TRUE(ToEigen(a.scale) == ToEigen(b.scale));
    }
  }
}

// Each run waits for the disk several times: few runs.
TEST(Poses, ComeBackBitForBit) {
  for (const uint64_t seed : {1, 2}) {
    for (const bool moving : {false, true}) ExpectComesBack(seed, moving, seed == 2);
  }
}

// A pose file whose manifest `spoil` has changed.
std::string Message(const std::function<void(Json&)>& spoil) {
  const TemporaryFolder folder;
  WritePoses(folder / "a.poses", SomeClip(3, true, false));
  const fs::path manifest = folder / "a.poses/poses.json";
  Json json = ParseJson(ReadTextFile(manifest), "x");
  spoil(json);
  WriteFileAtomic(manifest, json.dump());
  try {
    ReadPoses(folder / "a.poses");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Poses, SayWhatIsWrong) {
  const auto has = [](const std::function<void(Json&)>& spoil, const std::string& part) {
    EXPECT_NE(Message(spoil).find(part), std::string::npos) << Message(spoil);
  };
  EXPECT_EQ(Message([](Json&) {}), "no error");
  has([](Json& j) { j["format"] = "other"; }, "is not a pose manifest");
  has([](Json& j) { j["version"] = 2; }, "\"version\" is not a whole number from 1 to 1");
  has([](Json& j) { j["joints"][4]["parent"] = 4; }, "joint 4: \"parent\" is not a whole number from -1 to 3");
  has([](Json& j) { j["joints"][4]["name"] = "pelvis"; }, "joint 4: has the name of an earlier joint");
  has([](Json& j) { j["joints"][4]["rotation"] = {0, 0, 0, 2}; }, "joint 4: \"rotation\" is not a unit quaternion");
  has([](Json& j) { j["joints"][4].erase("scale"); }, "joint 4: \"scale\" is missing");
  has([](Json& j) { j["frames"] = 6; }, "rotation.npy: is not a float32 array of 6 x");
  has([](Json& j) { j["frames"] = 99999999999; }, "\"frames\" is not a whole number");
  has([](Json& j) { j["arrays"]["rotation"]["hash"] = "0"; },
      "rotation.npy: is not the array that poses.json describes");
  has([](Json& j) { j["arrays"]["rotation"]["file"] = "../x.npy"; }, "not a plain file name");
  has([](Json& j) { j["origins"][0] = {0, 0, 50}; }, "\"origins\" is not a whole number");
  has([](Json& j) { j["origins"].erase(0); }, "\"origins\" does not cover every frame");
}

TEST(Poses, NumbersThatAreNoPoseAreRefused) {
  const TemporaryFolder folder;
  WritePoses(folder / "a.poses", SomeClip(3, false, false));
  NpyArray array = ReadNpy(folder / "a.poses/rotation.npy");
  std::vector<float> values = array.ToFloats();
  const auto store = [&](float value) {
    values[50] = value;
    const Bytes bytes = FormatNpy(MakeNpy(values, array.shape));
    WriteFileAtomic(folder / "a.poses/rotation.npy", bytes);
    Json json = ParseJson(ReadTextFile(folder / "a.poses/poses.json"), "x");
    json["arrays"]["rotation"]["hash"] = HashHex(bytes);
    WriteFileAtomic(folder / "a.poses/poses.json", json.dump());
  };
  for (const float bad : {std::nanf(""), 5.0f}) {
    store(bad);
    EXPECT_THROW(ReadPoses(folder / "a.poses"), InputError);
  }
}

TEST(Poses, NumbersThatAreNoPoseAreNotWritten) {
  const TemporaryFolder folder;
  const auto expect_refused = [&](const std::function<void(Clip&)>& change) {
    Clip clip = SomeClip(3, false, false);
    change(clip);
    EXPECT_THROW(WritePoses(folder / "a.poses", clip), FailedError);
    EXPECT_TRUE(fs::is_empty(folder.path()));
  };
  expect_refused([](Clip& clip) { clip.skeleton.joints[1].rest.scale.x = INFINITY; });
  expect_refused([](Clip& clip) { clip.motion.frames[2][1].translation.y = NAN; });
  expect_refused([](Clip& clip) { clip.motion.frames[4][3].rotation = {0, 0, 0, 0}; });
}

TEST(Poses, DoNotReplaceAnotherFolder) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "a.poses");
  EXPECT_FALSE(IsPoseFile(folder / "a.poses"));
  EXPECT_THROW(WritePoses(folder / "a.poses", SomeClip(1, false, false)), FailedError);
  WritePoses(folder / "b.poses", SomeClip(1, false, false));
  WritePoses(folder / "b.poses", SomeClip(2, false, false));
  EXPECT_TRUE(IsPoseFile(folder / "b.poses"));
}

TEST(Poses, EveryTruncationOfTheManifestIsAnError) {
  const TemporaryFolder folder;
  WritePoses(folder / "a.poses", SomeClip(3, true, false));
  const std::string text = ReadTextFile(folder / "a.poses/poses.json");
  for (size_t size = 0; size + 2 < text.size(); size += 7) {
    EXPECT_THROW(ParsePoseManifest(text.substr(0, size), "x"), InputError) << size;
  }
}

TEST(Poses, FitAnotherOrderOfJointsAndNoOtherSkeleton) {
  const Clip clip = SomeClip(3, true, false);
  Skeleton longer = clip.skeleton;
  longer.joints.push_back({.name = "extra", .parent = 0, .rest = {}});
  EXPECT_EQ(PosesFor(longer, clip, "a").size(), 5u);
  Skeleton other = clip.skeleton;
  other.joints[7].name = "bone_7";
  try {
    PosesFor(other, clip, "a.poses");
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("sinew poses CHARACTER --from"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sinew
