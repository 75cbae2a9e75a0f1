#include "sinew/offline/render/picture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "sinew/offline/core/error.h"
#include "sinew/offline/io/gltf/document.h"
#include "sinew/offline/render/animation.h"
#include "tests/offline/render/png_reader.h"
#include "tests/support/mesh_families.h"

namespace sinew::render {
namespace {

using sinew::testing::ReadChunks;

// A ball on a stick of two joints: its upper half follows the upper joint.
Character TwoJoints() {
  Character character;
  character.name = "ball";
  character.skeleton.joints = {{.name = "low", .parent = -1, .rest = {}}, {.name = "high", .parent = 0, .rest = {}}};
  character.skeleton.joints[1].rest.translation = {0, 1, 0};
  Part part;
  part.mesh = testing::Moved(testing::Sphere(20, 10), {0, 1, 0});
  part.skin = 0;
  part.weights.influences = 1;
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    part.weights.joints.push_back(part.mesh.positions(v, 1) > 1 ? 1 : 0);
    part.weights.weights.push_back(1);
  }
  character.parts.push_back(part);
  Skin skin;
  skin.inverse_bind.assign(2, Eigen::Affine3f::Identity());
  skin.inverse_bind[1].translation() << 0, -1, 0;
  skin.has_joint = {true, true};
  character.skins.push_back(skin);
  return character;
}

PictureInput Still(const Character& character) {
  return {.character = &character, .poses = {character.skeleton.RestPose()}};
}

PictureOptions Small() {
  PictureOptions options;
  options.views = {ParseView("front")};
  options.sheet.height = 120;
  options.sheet.width = 120;
  return options;
}

template <typename Call>
std::string Sentence(const Call& call) {
  try {
    call();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Picture, StillIsAPlainPng) {
  const Character character = TwoJoints();
  const Picture picture = MakePicture({Still(character)}, Small());
  EXPECT_EQ(picture.frames, 1);
  const Image image = DecodeImage(picture.file, "picture.png", "");
  EXPECT_EQ(image.width, picture.width);
  EXPECT_EQ(image.height, picture.height);
  for (const auto& chunk : ReadChunks(picture.file)) EXPECT_NE(chunk.type, "acTL");
}

TEST(Picture, MotionBecomesAnApngAtItsRate) {
  const Character character = TwoJoints();
  PictureInput input = Still(character);
  for (int f = 1; f < 5; ++f) {
    input.poses.push_back(character.skeleton.RestPose());
    input.poses.back()[1].translation.y += 0.1f * static_cast<float>(f);
  }
  PictureOptions options = Small();
  options.frames_per_second = 24;
  const Picture picture = MakePicture({input}, options);
  EXPECT_EQ(picture.frames, 5);
  int controls = 0;
  for (const auto& chunk : ReadChunks(picture.file)) {
    if (chunk.type == "acTL") {
      EXPECT_EQ(chunk.U32(0), 5U);
    }
    if (chunk.type != "fcTL") continue;
    ++controls;
    EXPECT_EQ(chunk.U16(22), 24U * chunk.U16(20));
  }
  EXPECT_EQ(controls, 5);
  EXPECT_EQ(MakePicture({input}, options).file, picture.file);
}

TEST(Picture, TurntableTurnsOnce) {
  Character character = TwoJoints();
  character.parts[0].mesh.positions.col(0) *= 2;
  PictureOptions options = Small();
  options.turntable = true;
  options.turn_frames = 4;
  const Picture picture = MakePicture({Still(character)}, options);
  EXPECT_EQ(picture.frames, 4);
  for (const auto& chunk : ReadChunks(picture.file)) {
    // What changes between two quarter turns is as wide as the long side.
    if (chunk.type == "fcTL") {
      EXPECT_GT(chunk.U32(4), 60U);
    }
  }
}

TEST(Picture, OneScaleForAllHeatMaps) {
  const Character character = TwoJoints();
  PictureInput low = Still(character), high = low;
  low.heat = {std::vector<float>(character.vertex_count(), 2)};
  high.heat = {std::vector<float>(character.vertex_count(), 8)};
  high.heat[0][3] = std::numeric_limits<float>::quiet_NaN();
  const HeatScale scale = FitHeatScale({low, high});
  EXPECT_EQ(scale.low, 0);
  EXPECT_EQ(scale.high, 8);
  EXPECT_EQ(scale.map, ColorMap::kSequential);
  low.heat[0][0] = -11;
  EXPECT_EQ(FitHeatScale({low, high}).low, -11);
  EXPECT_EQ(FitHeatScale({low, high}).high, 11);
  EXPECT_EQ(FitHeatScale({low, high}).map, ColorMap::kDiverging);
  EXPECT_LT(FitHeatScale({Still(character)}).low, FitHeatScale({Still(character)}).high);
}

TEST(Picture, SaysWhatDoesNotFit) {
  const Character character = TwoJoints();
  PictureInput short_heat = Still(character);
  short_heat.heat = {{1, 2, 3}};
  EXPECT_NE(Sentence([&] { MakePicture({short_heat}, Small()); }).find("3 values"), std::string::npos);
  PictureInput three = Still(character), two = Still(character);
  three.poses.resize(3, three.poses[0]);
  two.poses.resize(2, two.poses[0]);
  EXPECT_NE(Sentence([&] { MakePicture({three, two}, Small()); }).find("3 and 2 frames"), std::string::npos);
  PictureOptions joint = Small();
  joint.drawing.weight_joint = "elbow";
  const std::string sentence = Sentence([&] { MakePicture({Still(character)}, joint); });
  EXPECT_NE(sentence.find("'elbow'"), std::string::npos);
  EXPECT_NE(sentence.find("low, high"), std::string::npos);
  EXPECT_NE(Sentence([] { Distances(Points::Zero(2, 3), Points::Zero(3, 3), 1); }).find("2 and 3"), std::string::npos);
}

TEST(Picture, CharactersWithoutWeightsSaySo) {
  Character character = TwoJoints();
  character.parts[0].weights = {};
  character.parts[0].skin = -1;
  PictureOptions options = Small();
  options.drawing.weights = true;
  EXPECT_NE(Sentence([&] { MakePicture({Still(character)}, options); }).find("no weights"), std::string::npos);
}

TEST(CharacterDrawing, PosesBodyAndBonesTogether) {
  const Character character = TwoJoints();
  const CharacterDrawing drawing(character, {.skeleton = true});
  Pose pose = character.skeleton.RestPose();
  pose[1].translation.y = 3;
  const Scene scene = drawing.At(pose);
  const Points points = drawing.PositionsAt(pose);
  EXPECT_EQ(scene.meshes[0].mesh.positions, points);
  EXPECT_NEAR(points.col(1).maxCoeff(), 4, 1e-4f);
  ASSERT_TRUE(scene.bones.has_value());
  EXPECT_NEAR(scene.bones->joints(1, 1), 3, 1e-5f);
}

TEST(CharacterDrawing, MorphTargetsMoveTheSurfaceBeforeSkinning) {
  const Character character = TwoJoints();
  const CharacterDrawing drawing(character, {});
  Pose pose = character.skeleton.RestPose();
  pose[1].translation.y = 3;
  MorphedRest morphed;
  for (const Part& part : character.parts) morphed.push_back(part.mesh.positions.array() + 0.5f);
  const Points before = drawing.PositionsAt(pose), after = drawing.PositionsAt(pose, morphed);
  EXPECT_LT(((after - before).array() - 0.5f).abs().maxCoeff(), 1e-5f);
  const Scene scene = drawing.At(pose, {}, morphed);
  EXPECT_EQ(scene.meshes[0].mesh.positions, after);
  EXPECT_EQ(scene.meshes[0].normals.rows(), after.rows()) << "normals follow the moved surface";
}

TEST(CharacterDrawing, WeightsBlendTheJointsColours) {
  const Character character = TwoJoints();
  const Scene scene = CharacterDrawing(character, {.weights = true}).At(character.skeleton.RestPose());
  for (int v = 0; v < character.vertex_count(); ++v) {
    const int joint = character.parts[0].weights.joints[v];
    EXPECT_LT((scene.meshes[0].colors.row(v).transpose() - JointColor(joint)).norm(), 1e-5f);
  }
  const CharacterDrawing one(character, {.weight_joint = "high"});
  const Scene heat = one.At(character.skeleton.RestPose());
  for (int v = 0; v < character.vertex_count(); ++v) {
    EXPECT_EQ(heat.meshes[0].scalars[v], character.parts[0].weights.joints[v] == 1 ? 1 : 0);
  }
}

TEST(CharacterDrawing, HelpersAreNotBones) {
  Skeleton skeleton;
  skeleton.joints = {{.name = "armature", .parent = -1, .rest = {}, .helper = true},
                     {.name = "hip", .parent = 0, .rest = {}},
                     {.name = "twist", .parent = 1, .rest = {}, .helper = true},
                     {.name = "knee", .parent = 2, .rest = {}}};
  const Bones bones = SkeletonBones(skeleton, skeleton.RestPose(), true);
  EXPECT_EQ(bones.parents, (std::vector<int>{-1, 0}));
  EXPECT_EQ(bones.colors.rows(), 2);
  for (Joint& joint : skeleton.joints) joint.helper = true;
  EXPECT_EQ(SkeletonBones(skeleton, skeleton.RestPose(), false).parents, (std::vector<int>{-1, 0, 1, 2}));
}

TEST(Animation, MovingTurnsAboutTheCenter) {
  Scene scene{.meshes = {{.mesh = testing::Moved(testing::Sphere(12, 6), {2, 0, 0})}}};
  scene.meshes[0].normals = VertexNormals(scene.meshes[0].mesh);
  const Points before = scene.meshes[0].mesh.positions;
  MoveScene(scene, {1, 0, 0}, 90, {0, 0, 5});
  const Points& after = scene.meshes[0].mesh.positions;
  // From x = 2 about x = 1: to (1, 0, -1), then 5 further.
  EXPECT_NEAR(after.col(0).mean() - 1, 0, 0.05f);
  EXPECT_NEAR(after.col(2).mean() - 4, 0, 0.05f);
  for (Eigen::Index v = 0; v < after.rows(); ++v) {
    EXPECT_NEAR((after.row(v) - after.row(0)).norm(), (before.row(v) - before.row(0)).norm(), 1e-4f);
  }
  const Points expected = VertexNormals(scene.meshes[0].mesh);
  EXPECT_LT((scene.meshes[0].normals - expected).cwiseAbs().maxCoeff(), 1e-3f);
}

TEST(Animation, OutermostPointsSpanAlmostTheWhole) {
  const Points points = testing::Sphere(120, 60).positions;
  const Points few = OutermostPoints(points);
  EXPECT_LE(few.rows(), 200);
  const Box all = BoundingBox(points), some = BoundingBox(few);
  EXPECT_LT((all.sizes() - some.sizes()).norm(), 0.03f * all.diagonal().norm());
  const Points swept = SweptPoints(testing::Moved(testing::Sphere(40, 20), {3, 0, 0}).positions, {0, 0, 0});
  EXPECT_NEAR(BoundingBox(swept).min().x(), -4, 0.15f);
  EXPECT_NEAR(BoundingBox(swept).max().z(), 4, 0.15f);
}

// Two in one column take the room of one, and show the same as one character of both parts.
TEST(Picture, DrawsInputsTogether) {
  const Character low = TwoJoints();
  Character high = low, both = low;
  high.parts[0].mesh.positions.col(1).array() += 3;
  both.parts.push_back(high.parts[0]);
  PictureOptions options = Small();
  options.together = true;
  const Picture together = MakePicture({Still(low), Still(high)}, options);
  EXPECT_EQ(together.width, 120);
  EXPECT_EQ(together.file, MakePicture({Still(both)}, Small()).file);
}

int CountPixels(const Bytes& file, bool (*is)(const Pixel&)) {
  const Image image = DecodeImage(file, "picture.png", "");
  return static_cast<int>(std::count_if(image.pixels.begin(), image.pixels.end(), is));
}

// A ball with a glTF material that says no more than this.
Picture WithMaterial(Character& character, const char* material) {
  auto document = std::make_shared<gltf::SourceDocument>();
  document->json = Json::parse(fmt::format(R"({{"materials": [{}]}})", material));
  character.source = document;
  character.parts[0].material = 0;
  return MakePicture({Still(character)}, Small());
}

TEST(Picture, MaterialsWithoutTextureHaveTheirColourAndTransparency) {
  const auto green = [](const Pixel& p) { return p[1] > p[0] + 60 && p[1] > p[2] + 60; };
  Character character = TwoJoints();
  EXPECT_EQ(CountPixels(WithMaterial(character, "{}").file, green), 0);
  const auto with = [&](const std::string& alpha, const std::string& mode) {
    const std::string text =
        fmt::format(R"({{"pbrMetallicRoughness": {{"baseColorFactor": [0.05, 0.6, 0.05, {}]}}{}}})", alpha, mode);
    return CountPixels(WithMaterial(character, text.c_str()).file, green);
  };
  const int solid = with("0.3", "");
  EXPECT_GT(solid, 1000);
  EXPECT_EQ(with("0.3", R"(, "alphaMode": "MASK")"), 0);
  EXPECT_EQ(with("0.6", R"(, "alphaMode": "MASK")"), solid);
  EXPECT_EQ(with("0.3", R"(, "alphaMode": "MASK", "alphaCutoff": 0.2)"), solid);
  EXPECT_EQ(with("0", R"(, "alphaMode": "BLEND")"), 0);
  EXPECT_EQ(with("1", R"(, "alphaMode": "BLEND")"), solid);
}

}  // namespace
}  // namespace sinew::render
