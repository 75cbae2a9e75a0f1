#include "sinew/offline/io/clips.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/npy.h"
#include "sinew/offline/io/posed_meshes.h"
#include "sinew/offline/io/poses.h"
#include "tests/support/rigs.h"
#include "tests/support/shared_assets.h"
#include "tests/support/temporary_folder.h"

namespace sinew {
namespace {

using testing::TemporaryFolder;

// Joint 0 turns evenly about Y, one radian over the whole clip.
Clip Turning(int frames, float rate) {
  Clip clip;
  clip.skeleton = testing::MakeRig({.names = {}});
  clip.motion = {.name = "turn", .frames_per_second = rate, .joints = JointNames(clip.skeleton), .frames = {}};
  for (int f = 0; f < frames; ++f) {
    Pose pose = clip.skeleton.RestPose();
    const float angle = static_cast<float>(f) / static_cast<float>(frames - 1);
    pose[0].rotation = ToQuaternion(Eigen::Quaternionf(Eigen::AngleAxisf(angle, Eigen::Vector3f::UnitY())));
    clip.motion.frames.push_back(pose);
    clip.origins.push_back({0, f});
  }
  clip.sources = {{.kind = "motion", .file = "t.bvh", .clip = "turn"}};
  return clip;
}

double Angle(const Pose& pose) { return 2 * std::atan2(pose[0].rotation.y, pose[0].rotation.w); }

TEST(Clips, ResamplingKeepsTheMotion) {
  const Clip clip = Turning(31, 30);
  const Clip fine = Resample(clip, 120), coarse = Resample(clip, 10);
  ASSERT_EQ(fine.motion.frame_count(), 121);
  ASSERT_EQ(coarse.motion.frame_count(), 11);
  for (int f = 0; f < 121; ++f) EXPECT_NEAR(Angle(fine.motion.frames[f]), f / 120.0, 1e-5);
  for (int f = 0; f < 11; ++f) EXPECT_NEAR(Angle(coarse.motion.frames[f]), f / 10.0, 1e-5);
  EXPECT_EQ(coarse.origins[4].frame, 12);
}

TEST(Clips, AppendAndSelectRememberWhereFramesCameFrom) {
  Clip clip = Turning(5, 30);
  Append(clip, Turning(4, 30));
  EXPECT_EQ(clip.motion.frame_count(), 9);
  const Clip some = Select(clip, {7, 1});
  EXPECT_EQ(some.motion.frames_per_second, 0);
  EXPECT_EQ(some.origins[0].source, 1);
  EXPECT_EQ(some.origins[0].frame, 2);
  EXPECT_EQ(some.origins[1].source, 0);
}

TEST(Clips, AreReadFromEveryKindOfFile) {
  const TemporaryFolder folder;
  WriteBvh(folder / "a.bvh", Turning(5, 30));
  WritePoses(folder / "a.poses", Turning(4, 30));
  EXPECT_EQ(ReadClips((folder / "a.bvh").string(), 30)[0].motion.frame_count(), 5);
  EXPECT_EQ(ReadClips((folder / "a.poses").string(), 30)[0].motion.frame_count(), 4);
  EXPECT_THROW(ReadClips((folder / "a.fbx").string(), 30), InputError);
  EXPECT_THROW(ReadClips((folder / "b.bvh").string(), 30), InputError);
}

TEST(Clips, RefuseJointsOutOfReach) {
  const TemporaryFolder folder;
  Clip clip = Turning(5, 30);
  clip.motion.frames[3][1].translation.z = 1e18f;
  WritePoses(folder / "a.poses", clip);
  Character character;
  character.skeleton = clip.skeleton;
  AnimationCurve curve;
  curve.joint = 1;
  curve.path = AnimationCurve::Path::kTranslation;
  curve.times = {0, 1};
  curve.values = {0, 0, 0, 0, 0, -1e18f};
  Animation animation;
  animation.name = "turn";
  animation.curves = {curve};
  character.animations = {animation};
  gltf::WriteGltf(character, folder / "a.glb");
  for (const char* file : {"a.poses", "a.glb"}) {
    try {
      ReadClips((folder / file).string(), 30);
      FAIL() << file;
    } catch (const InputError& error) {
      const std::string said = error.what();
      EXPECT_NE(said.find(file), std::string::npos) << said;
      EXPECT_NE(said.find("\"turn\", frame "), std::string::npos) << said;
      EXPECT_NE(said.find("joint '" + clip.skeleton.joints[1].name + "': is "), std::string::npos) << said;
      EXPECT_NE(said.find("units from the origin"), std::string::npos) << said;
    }
  }
}

TEST(Clips, AnimationsAreChosenByNameOrNumber) {
  SINEW_REQUIRE_ASSETS();
  const std::string fox = (testing::AssetsFolder() / "gltf/Fox.glb").string();
  EXPECT_EQ(ReadClips(fox, 30).size(), 3u);
  EXPECT_EQ(ReadClips(fox + "#Walk", 30)[0].motion.name, "Walk");
  EXPECT_EQ(ReadClips(fox + "#2", 30)[0].motion.name, "Run");
  try {
    ReadClips(fox + "#Swim", 30);
    FAIL() << "nothing was thrown";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("there are 0 \"Survey\", 1 \"Walk\", 2 \"Run\""), std::string::npos);
  }
}

// A mesh that is written posed is what the runtime says, in the character's order.
TEST(PosedMeshes, AreWhatTheRuntimeEvaluates) {
  SINEW_REQUIRE_ASSETS();
  const TemporaryFolder folder;
  const Character man = gltf::ReadGltf(testing::AssetsFolder() / "gltf/CesiumMan.glb");
  const std::vector<Clip> clips = ClipsOf(man, "CesiumMan.glb", 4);
  const std::vector<Pose>& poses = clips[0].motion.frames;
  const Poser poser(man);
  WritePosedArray(man, poser, poses, folder / "all.npy");
  const NpyArray array = ReadNpy(folder / "all.npy");
  EXPECT_EQ(array.shape, (std::vector<int64_t>{static_cast<int64_t>(poses.size()), man.vertex_count(), 3}));
  const Points expected = poser.Evaluate(poses[2]).parts[0].positions;
  const std::vector<float> values = array.ToFloats();
  const Eigen::Map<const Points> second(values.data() + 2 * man.vertex_count() * 3, expected.rows(), 3);
  EXPECT_EQ(second, expected);
  WritePosedFolder(man, poser, {poses[2]}, "glb", folder / "frames");
  const Character back = gltf::ReadGltf(folder / "frames/frame_00000.glb");
  ASSERT_EQ(back.vertex_count(), man.vertex_count());
  EXPECT_LT((back.parts[0].mesh.positions - expected).cwiseAbs().maxCoeff(), 1e-6f);
  EXPECT_TRUE(back.skeleton.joints.empty());
  WritePosedFolder(man, poser, {poses[0]}, "obj", folder / "frames");
  EXPECT_TRUE(std::filesystem::exists(folder / "frames/frame_00000.obj"));
  std::filesystem::create_directory(folder / "precious");
  WriteFileAtomic(folder / "precious/diary.txt", "x");
  EXPECT_THROW(WritePosedFolder(man, poser, {poses[0]}, "obj", folder / "precious"), FailedError);
}

}  // namespace
}  // namespace sinew
