#include "sinew/offline/io/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/npy.h"
#include "tests/support/same_character.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_character.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TemporaryFolder;

Clip Walk() {
  Clip clip;
  clip.skeleton = testing::MakeRig({.names = {}});
  clip.motion = {.name = "walk", .frames_per_second = 30, .joints = JointNames(clip.skeleton), .frames = {}};
  Random random(4);
  for (int f = 0; f < 10; ++f) clip.motion.frames.push_back(testing::RandomPose(clip.skeleton, random, 0.3));
  return clip;
}

Character Walker() {
  Character character = testing::TestCharacter();
  character.animations = CharacterOf(Walk()).animations;
  return character;
}

// One file of each type, in a folder of its own.
struct Inputs {
  TemporaryFolder folder;
  Inputs() {
    WriteCharacter(Walker(), folder / "a.glb");
    WriteCharacter(Walker(), folder / "a.gltf");
    Character mesh;
    mesh.name = "mesh";
    mesh.parts.emplace_back().mesh = Walker().parts[0].mesh;
    WriteCharacter(mesh, folder / "a.obj");
    WriteBvh(folder / "a.bvh", Walk());
    Convert(folder / "a.obj", folder / "a.npy", {});
  }
  Converted To(const std::string& from, const std::string& to, const ConvertOptions& options = {}) const {
    return Convert(folder / ("a" + from), folder / ("out" + to), options);
  }
  Character Out(const std::string& extension) const { return ReadCharacter(folder / ("out" + extension)); }
};

ConvertOptions Unit(const std::string& unit) {
  ConvertOptions options;
  options.unit = unit;
  return options;
}

ConvertOptions WithAnimation(const std::string& name) {
  ConvertOptions options;
  options.animation = name;
  return options;
}

std::vector<std::string> WarningsOf(const Inputs& inputs, const std::string& from, const std::string& to) {
  const CollectWarnings warnings;
  inputs.To(from, to);
  return warnings.messages();
}

std::string ErrorOf(const Inputs& inputs, const std::string& from, const std::string& to,
                    const ConvertOptions& options = {}) {
  try {
    inputs.To(from, to, options);
  } catch (const Error& error) {
    EXPECT_FALSE(fs::exists(inputs.folder / ("out" + to))) << "something was written";
    return fmt::format("{}: {}", static_cast<int>(error.kind()), error.what());
  }
  return "no error";
}

TEST(Convert, EveryPairKeepsWhatBothTypesHold) {
  const Inputs inputs;
  const TriMesh mesh = Walker().parts[0].mesh;
  const CollectWarnings ignored;
  for (const char* from : {".glb", ".gltf", ".obj", ".npy"}) {
    for (const char* to : {".glb", ".gltf", ".obj", ".npy"}) {
      SCOPED_TRACE(fmt::format("{} to {}", from, to));
      const Converted done = inputs.To(from, to);
      EXPECT_EQ(done.vertices, mesh.vertex_count());
      EXPECT_EQ(done.triangles, mesh.triangle_count());
      for (const fs::path& file : done.files) EXPECT_TRUE(fs::exists(file)) << file;
      const bool points = std::string(to) == ".npy";
      if (points) Convert(inputs.folder / "out.npy", inputs.folder / "out.glb", {});
      const TriMesh out = inputs.Out(points ? ".glb" : to).parts[0].mesh;
      EXPECT_EQ(out.triangles, mesh.triangles);
      EXPECT_LT((out.positions - mesh.positions).cwiseAbs().maxCoeff(), 1e-6f);
    }
  }
}

TEST(Convert, BetweenTheTwoFormsOfGltfNothingIsLost) {
  const Inputs inputs;
  for (const auto& [from, to] : {std::pair(".glb", ".gltf"), std::pair(".gltf", ".glb")}) {
    EXPECT_THAT(WarningsOf(inputs, from, to), IsEmpty());
    EXPECT_THAT(testing::Differences(inputs.Out(to), ReadCharacter(inputs.folder / (std::string("a") + from))),
                IsEmpty());
  }
}

TEST(Convert, MotionsGoThroughGltfAndBack) {
  const Inputs inputs;
  const Clip before = Walk();
  EXPECT_EQ(inputs.To(".bvh", ".glb").frames, 10);
  const Character between = inputs.Out(".glb");
  EXPECT_TRUE(between.parts.empty());
  EXPECT_EQ(between.animations.size(), 1u);
  Convert(inputs.folder / "out.glb", inputs.folder / "out.bvh", {});
  const Clip after = ReadBvh(inputs.folder / "out.bvh");
  ASSERT_EQ(after.motion.frame_count(), before.motion.frame_count());
  EXPECT_NEAR(after.motion.frames_per_second, before.motion.frames_per_second, 1e-3);
  for (int f = 0; f < 10; ++f) {
    const auto was = LocalToModel(before.skeleton, before.motion.frames[f]);
    const auto is = LocalToModel(after.skeleton, after.motion.frames[f]);
    for (int j = 0; j < before.skeleton.joint_count(); ++j) {
      const int k = after.skeleton.Find(before.skeleton.joints[j].name);
      ASSERT_GE(k, 0) << before.skeleton.joints[j].name;
      EXPECT_LT((is[k].translation() - was[j].translation()).norm(), 1e-4f);
    }
  }
}

TEST(Convert, SaysWhatIsLost) {
  const Inputs inputs;
  EXPECT_THAT(WarningsOf(inputs, ".glb", ".obj"),
              ElementsAre(HasSubstr(".obj holds no skeleton, no weights, no animations: the surface as it rests")));
  EXPECT_THAT(WarningsOf(inputs, ".glb", ".npy"),
              ElementsAre(HasSubstr(".npy holds no skeleton, no weights, no animations, no normals:")));
  EXPECT_THAT(WarningsOf(inputs, ".glb", ".bvh"),
              ElementsAre(HasSubstr(".bvh holds no surface, no weights: the skeleton's motion alone is written")));
  EXPECT_THAT(WarningsOf(inputs, ".obj", ".glb"), IsEmpty());
  EXPECT_THAT(WarningsOf(inputs, ".bvh", ".glb"), IsEmpty());
  EXPECT_THAT(WarningsOf(inputs, ".npy", ".obj"), IsEmpty());
}

TEST(Convert, RefusesWhatHasNothingInCommon) {
  const Inputs inputs;
  for (const auto& [from, to] :
       {std::pair(".bvh", ".obj"), std::pair(".bvh", ".npy"), std::pair(".obj", ".bvh"), std::pair(".npy", ".bvh")}) {
    EXPECT_THAT(ErrorOf(inputs, from, to), HasSubstr("a motion has no surface")) << from << to;
  }
  EXPECT_THAT(ErrorOf(inputs, ".glb", ".fbx"), HasSubstr("2: "));
  EXPECT_THAT(ErrorOf(inputs, ".glb", ".fbx"), HasSubstr(".glb, .gltf, .obj, .bvh, .npy"));
}

TEST(Convert, SaysWhatIsWrongWithItsInput) {
  const Inputs inputs;
  const CollectWarnings ignored;
  const auto put = [&](const std::string& name, const NpyArray& array) { WriteNpy(inputs.folder / name, array); };
  EXPECT_THAT(ErrorOf(inputs, ".glb", ".obj", Unit("parsec")), HasSubstr("2: 'parsec' is not a unit"));
  EXPECT_THAT(ErrorOf(inputs, ".glb", ".bvh", WithAnimation("run")), HasSubstr("--animation: 0 'walk'"));
  EXPECT_THAT(ErrorOf(inputs, "_missing.glb", ".obj"), HasSubstr("3: "));
  WriteCharacter(testing::TestCharacter(), inputs.folder / "a_still.glb");
  EXPECT_THAT(ErrorOf(inputs, "_still.glb", ".bvh"), HasSubstr("has no animation"));
  put("a_flat.npy", MakeNpy(std::vector<float>{1, 2, 3}, {3}));
  EXPECT_THAT(ErrorOf(inputs, "_flat.npy", ".obj"), HasSubstr("not rows of three coordinates"));
  put("a_alone.npy", MakeNpy(std::vector<float>{1, 2, 3}, {1, 3}));
  EXPECT_THAT(ErrorOf(inputs, "_alone.npy", ".obj"), HasSubstr("there is no a_alone_triangles.npy"));
  put("a_alone_triangles.npy", MakeNpy(std::vector<int32_t>{0, 0, 1}, {1, 3}));
  EXPECT_THAT(ErrorOf(inputs, "_alone.npy", ".obj"), HasSubstr("row 0: names vertex 1, but there are 1"));
  put("a_nan.npy", MakeNpy(std::vector<float>{1, 2, NAN}, {1, 3}));
  EXPECT_THAT(ErrorOf(inputs, "_nan.npy", ".obj"), HasSubstr("row 0: is not finite"));
}

TEST(Convert, AUnitScalesEveryLength) {
  const Inputs inputs;
  const Character before = ReadCharacter(inputs.folder / "a.glb");
  EXPECT_FLOAT_EQ(inputs.To(".glb", ".glb", Unit("cm")).scale, 0.01f);
  const Character after = inputs.Out(".glb");
  EXPECT_LT((after.parts[0].mesh.positions - 0.01f * before.parts[0].mesh.positions).cwiseAbs().maxCoeff(), 1e-7f);
  const auto was = LocalToModel(before.skeleton, before.skeleton.RestPose());
  const auto is = LocalToModel(after.skeleton, after.skeleton.RestPose());
  for (size_t j = 0; j < was.size(); ++j) {
    EXPECT_LT((is[j].translation() - 0.01f * was[j].translation()).norm(), 1e-6f);
    EXPECT_LT(
        (after.skins[0].inverse_bind[j].translation() - 0.01f * before.skins[0].inverse_bind[j].translation()).norm(),
        1e-6f);
  }
}

}  // namespace
}  // namespace sinew
