// `sinew export`: correctives wherever poses are known, plain skinning only where it is asked for.
#include <gtest/gtest.h>

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/io/poses.h"
#include "sinew/offline/lod/hierarchy.h"
#include "tests/support/synthetic_deformer.h"
#include "tests/tools/egg_command.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::Words;

const Bytes& EggBundle() {
  static const Bytes bytes = [] {
    const lod::Hierarchy hierarchy =
        lod::BuildHierarchy(testing::TestCharacter(), "egg", {.points = {160, 60}, .regions = 12});
    const bake::BakedBundle baked = bake::BuildBundle(hierarchy, testing::SyntheticDeformer(hierarchy), {});
    return Bytes(baked.file.bytes().begin(), baked.file.bytes().end());
  }();
  return bytes;
}

// Every frame has the same translation of the hips and the same scale of one joint, which are not those of rest.
Clip Walk() {
  Clip clip;
  clip.skeleton = testing::MakeRig({});
  clip.motion = {.name = "walk", .frames_per_second = 30, .joints = JointNames(clip.skeleton), .frames = {}};
  Random random(1);
  for (int f = 0; f < 8; ++f) {
    Pose pose = testing::RandomPose(clip.skeleton, random, 0.2);
    pose[1].translation.y += 0.25f;
    pose[2].scale = {1.25f, 1.25f, 1.25f};
    clip.motion.frames.push_back(pose);
  }
  return clip;
}

class ExportCommand : public testing::EggCommand {
 protected:
  ExportCommand() {
    WriteFileAtomic(folder_ / "body.sinew", EggBundle());
    WritePoses(folder_ / "walk.poses", Walk());
  }

  size_t Morphs(const std::string& file) const { return ReadCharacter(folder_ / file).parts[0].morphs.size(); }
};

TEST_F(ExportCommand, BakesTheCorrectivesOfAMotionUnlessAskedForPlainSkinning) {
  const Json baked = RunWell({"export", "body.sinew", "--poses", "walk.poses", "-o", "walk.glb", "--json"});
  EXPECT_EQ(baked.at("correctives"), true);
  EXPECT_EQ(baked.at("frames"), 8);
  EXPECT_LT(baked.at("error_rms_mm"), 0.1 * baked.at("skinning_rms_mm").get<double>());
  EXPECT_EQ(Morphs("walk.glb"), baked.at("targets").get<size_t>());
  EXPECT_GT(Morphs("walk.glb"), 0u);

  for (const char* file : {"plain.glb", "plain.gltf"}) {
    EXPECT_EQ(RunWell({"export", "body.sinew", "--plain", "-o", file, "--json"}).at("correctives"), false);
    EXPECT_EQ(Morphs(file), 0u);
    EXPECT_TRUE(ReadCharacter(folder_ / file).animations.empty());
  }
}

TEST_F(ExportCommand, TakesTheMotionOfABuild) {
  fs::create_directory(folder_ / "egg.build");
  fs::rename(folder_ / "body.sinew", folder_ / "egg.build" / "character.sinew");
  fs::rename(folder_ / "walk.poses", folder_ / "egg.build" / "motion.poses");
  // Poses beside a bundle belong to it only in the folder of a build.
  ExpectRefused({"export", "egg.build/character.sinew", "-o", "walk.glb"}, 2, {"--poses"});
  WriteFileAtomic(folder_ / "egg.build" / "build.toml", "");
  for (const char* character : {"egg.build", "egg.build/character.sinew"}) {
    const Json result = RunWell({"export", character, "-o", "walk.glb", "--json"});
    EXPECT_EQ(result.at("poses"), "egg.build/motion.poses");
    EXPECT_EQ(result.at("correctives"), true);
  }
  EXPECT_EQ(RunWell({"export", "egg.build", "--plain", "-o", "plain.glb", "--json"}).at("correctives"), false);
}

TEST_F(ExportCommand, RefusesWhatContradictsItself) {
  ExpectRefused({"export", "body.sinew", "-o", "x.glb"}, 2,
                {"body.sinew: correctives need poses", "--poses", "--plain"});
  ExpectRefused({"export", "body.sinew", "--plain", "--poses", "walk.poses", "-o", "x.glb"}, 2, {"--plain", "--poses"});
  ExpectRefused({"export", "body.sinew", "--plain", "--targets", "4", "-o", "x.glb"}, 2, {"--plain", "--targets"});
  ExpectRefused({"export", "body.sinew", "--poses", "walk.poses", "-o", "x.gltf"}, 2, {"x.gltf", ".glb only"});
  ExpectRefused({"export", "body.sinew", "--poses", "walk.poses", "--level", "9", "-o", "x.glb"}, 2, {"levels 1 to"});
  ExpectRefused({"export", ".", "-o", "x.glb"}, 3, {"folder without character.sinew"});
  EXPECT_FALSE(fs::exists(folder_ / "x.glb"));
}

// The exported animation is the motion that it was made of, also where all of its frames differ from rest alike.
TEST_F(ExportCommand, KeepsTranslationsAndScales) {
  RunWell({"export", "body.sinew", "--poses", "walk.poses", "-o", "walk.glb", "--json"});
  const Character read = ReadCharacter(folder_ / "walk.glb");
  ASSERT_EQ(read.animations.size(), 1u);
  const Motion shown = SampleAnimation(read.skeleton, read.animations[0], 30);
  const Clip walk = Walk();
  ASSERT_EQ(shown.frame_count(), walk.motion.frame_count());
  for (int f = 0; f < shown.frame_count(); ++f) {
    for (int j = 0; j < walk.skeleton.joint_count(); ++j) {
      const int at = read.skeleton.Find(walk.skeleton.joints[j].name);
      ASSERT_GE(at, 0);
      const Transform &expected = walk.motion.frames[f][j], &got = shown.frames[f][at];
      EXPECT_LT((ToEigen(got.translation) - ToEigen(expected.translation)).norm(), 1e-5f) << f << " " << j;
      EXPECT_LT((ToEigen(got.scale) - ToEigen(expected.scale)).norm(), 1e-5f) << f << " " << j;
    }
  }
}

// `sinew render --animation` shows the correctives of what was exported.
TEST_F(ExportCommand, CanBeLookedAt) {
  const Json baked = RunWell({"export", "body.sinew", "--poses", "walk.poses", "-o", "walk.glb", "--json"});
  Character bare = ReadCharacter(folder_ / "walk.glb");
  bare.source = nullptr;
  for (Part& part : bare.parts) part.morphs.clear();
  WriteCharacter(bare, folder_ / "bare.glb");
  const auto mean_distance = [&](const char* other) {
    const Json picture = RunWell({"render", "walk.glb", "--animation", "0", "--frame", "7", "--compare", other,
                                  "--size", "64", "-o", "walk.png", "--json"});
    return picture.at("inputs").at(0).at("heat").at("mean").get<double>();
  };
  EXPECT_EQ(mean_distance("walk.glb"), 0);
  EXPECT_GT(mean_distance("bare.glb"), 0.1 * baked.at("skinning_rms_mm").get<double>());
}

}  // namespace
}  // namespace sinew
