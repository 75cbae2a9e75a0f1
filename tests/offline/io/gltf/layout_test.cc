// Every legal way to say the same thing gives the same character.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/io/gltf/document.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "tests/support/full_disk.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/same_character.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_character.h"

namespace sinew::gltf {
namespace {

using ::testing::ElementsAre;
using testing::GltfBuilder;
using ::testing::IsEmpty;
using testing::Layout;
using testing::SmallRig;

Character Read(const GltfBuilder& builder, const GltfOptions& options = {.skin = "", .quiet = true}) {
  return ReadGltf(builder.Glb(), "x.glb", "", options);
}
Json& Primitive(GltfBuilder& b) { return b.json["meshes"][0]["primitives"][0]; }

TEST(Layouts, TheSmallRigIsWhatItSays) {
  const Character c = Read(SmallRig());
  ASSERT_EQ(c.parts.size(), 1);
  EXPECT_EQ(c.parts[0].name, "body");
  EXPECT_EQ(c.vertex_count(), 4);
  EXPECT_EQ(c.triangle_count(), 4);
  ASSERT_EQ(c.skeleton.joint_count(), 2);
  EXPECT_EQ(c.skeleton.joints[1].name, "knee");
  EXPECT_EQ(c.skeleton.joints[1].parent, 0);
  EXPECT_EQ(c.parts[0].weights.influences, 2);
  EXPECT_THAT(c.parts[0].weights.joints, ElementsAre(0, 0, 0, 1, 1, 0, 1, 0));
  EXPECT_THAT(c.parts[0].weights.weights, ElementsAre(1, 0, 0.75f, 0.25f, 1, 0, 1, 0));
  ASSERT_EQ(c.animations.size(), 1);
  EXPECT_FLOAT_EQ(c.animations[0].duration(), 1);
}

// An attribute's values in another layout that can hold them exactly.
struct Variant {
  const char* attribute;
  int components;
  Layout layout;
};

class Layouts : public ::testing::TestWithParam<Variant> {};

std::vector<float> ValuesOf(const Character& c, const std::string& attribute) {
  const Part& part = c.parts[0];
  if (attribute == "POSITION")
    return {part.mesh.positions.data(), part.mesh.positions.data() + part.mesh.positions.size()};
  if (attribute == "NORMAL") return {part.normals.data(), part.normals.data() + part.normals.size()};
  if (attribute == "JOINTS_0") return {0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  if (attribute == "WEIGHTS_0") return {1, 0, 0, 0, 0.75f, 0.25f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  return part.attributes[0].values;
}

TEST_P(Layouts, ReadTheSame) {
  const auto& [attribute, components, layout] = GetParam();
  const Character expected = Read(SmallRig());
  GltfBuilder builder = SmallRig();
  Primitive(builder)["attributes"][attribute] = builder.Accessor(ValuesOf(expected, attribute), components, layout);
  Character got = Read(builder);
  for (VertexAttribute& a : got.parts[0].attributes) a.component_type = 5126, a.normalized = false;
  const bool exact = !(layout.normalized && std::string(attribute) == "WEIGHTS_0");
  if (exact) {
    EXPECT_THAT(testing::Differences(expected, got), IsEmpty());
  }
  const Character again = ReadGltf(EncodeGlb(Read(builder)), "x.glb", "");
  EXPECT_THAT(testing::Differences(Read(builder), again), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    All, Layouts,
    ::testing::Values(Variant{"POSITION", 3, {.stride = 20}}, Variant{"POSITION", 3, {.stride = 16, .offset = 8}},
                      Variant{"POSITION", 3, {.sparse = true}}, Variant{"POSITION", 3, {.component_type = 5120}},
                      Variant{"POSITION", 3, {.component_type = 5121, .stride = 4}},
                      Variant{"POSITION", 3, {.component_type = 5122, .stride = 8}},
                      Variant{"POSITION", 3, {.component_type = 5123, .normalized = true, .stride = 8}},
                      Variant{"NORMAL", 3, {.component_type = 5120, .normalized = true, .stride = 4}},
                      Variant{"NORMAL", 3, {.component_type = 5122, .normalized = true, .stride = 8, .offset = 4}},
                      Variant{"JOINTS_0", 4, {.component_type = 5123}},
                      Variant{"JOINTS_0", 4, {.component_type = 5121, .stride = 12}},
                      Variant{"WEIGHTS_0", 4, {.component_type = 5121, .normalized = true}},
                      Variant{"WEIGHTS_0", 4, {.component_type = 5123, .normalized = true, .stride = 16}},
                      Variant{"TEXCOORD_0", 2, {.stride = 16}}));

TEST(Layouts, GltfTextWithADataUriIsTheSame) {
  const std::string text = SmallRig().Gltf();
  const Character character = ReadGltf(std::as_bytes(std::span(text)), "x.glb", "");
  EXPECT_THAT(testing::Differences(Read(SmallRig()), character), IsEmpty());
}

TEST(Layouts, ExternalBuffersAndImagesAreFoundBesideTheFile) {
  const testing::TemporaryFolder folder;
  GltfBuilder builder = SmallRig();
  WriteFileAtomic(folder / "the data.bin", builder.binary);
  WriteFileAtomic(folder / "skin.png", std::string("\x89PNG\r\n\x1a\n picture"));
  Json json = builder.json;
  json["buffers"] = Json::array({{{"byteLength", builder.binary.size()}, {"uri", "the%20data.bin"}}});
  json["images"] = Json::array({{{"uri", "skin.png"}}, {{"uri", "lost.png"}}});
  WriteFileAtomic(folder / "x.gltf", json.dump());
  const Character character = ReadGltf(folder / "x.gltf");
  Character expected = Read(builder);
  EXPECT_THAT(testing::Differences(expected, character), IsEmpty());
  const Character packed = ReadGltf(EncodeGlb(character), "x.glb", "");
  const Json& images = packed.source->json["images"];
  EXPECT_EQ(images[0]["mimeType"], "image/png");
  EXPECT_TRUE(images[0].contains("bufferView")) << "the picture came along";
  EXPECT_EQ(images[1]["uri"], "lost.png") << "the one that was not there is still named";
}

TEST(Layouts, WithoutIndicesTriangleStripsAndFans) {
  const auto triangles = [](int mode, std::vector<float> indices) {
    GltfBuilder builder = SmallRig();
    Primitive(builder)["mode"] = mode;
    Primitive(builder).erase("indices");
    if (!indices.empty()) Primitive(builder)["indices"] = builder.Accessor(indices, 1, {.component_type = 5121});
    return Read(builder).parts[0].mesh.triangles;
  };
  EXPECT_EQ(triangles(4, {}), (Triangles(1, 3) << 0, 1, 2).finished());
  EXPECT_EQ(triangles(5, {}), (Triangles(2, 3) << 0, 1, 2, 1, 3, 2).finished());
  EXPECT_EQ(triangles(6, {}), (Triangles(2, 3) << 1, 2, 0, 2, 3, 0).finished());
  EXPECT_EQ(triangles(5, {3, 2, 1, 0}), (Triangles(2, 3) << 3, 2, 1, 2, 0, 1).finished());
}

TEST(Layouts, PointsAndLinesStayInTheFileButAreNoParts) {
  GltfBuilder builder = SmallRig();
  Json lines = Primitive(builder);
  lines["mode"] = 1;
  builder.json["meshes"][0]["primitives"].push_back(lines);
  const Character character = Read(builder);
  EXPECT_EQ(character.parts.size(), 1);
  const Character again = ReadGltf(EncodeGlb(character), "x.glb", "", {.skin = "", .quiet = true});
  EXPECT_EQ(again.source->json["meshes"][0]["primitives"].size(), 2);
}

TEST(Layouts, NormalsTooLongToComputeWithAreShortenedAndKeptInTheFile) {
  GltfBuilder builder = SmallRig();
  const int normals = builder.Accessor({3, 0, 0, 0, 1e20f, 1e20f, 0, 0, -3e38f, 0, 1, 0}, 3);
  Primitive(builder)["attributes"]["NORMAL"] = normals;
  const Character character = Read(builder);
  const float half = std::sqrt(0.5f);
  EXPECT_TRUE(character.parts[0].normals.isApprox(
      (Points(4, 3) << 3, 0, 0, 0, half, half, 0, 0, -1, 0, 1, 0).finished(), 1e-6f));
  const Bytes written = EncodeGlb(character);
  EXPECT_EQ(ReadGltf(written, "x.glb", "", {.skin = "", .quiet = true}).parts[0].normals, character.parts[0].normals);
  const float kept = 1e20f;
  const auto* bytes = reinterpret_cast<const std::byte*>(&kept);
  EXPECT_NE(std::search(written.begin(), written.end(), bytes, bytes + sizeof kept), written.end());
}

TEST(Layouts, ASecondSetOfInfluencesAndTheStrongestOfMany) {
  GltfBuilder builder = SmallRig();
  for (int j = 0; j < 10; ++j) {
    const int node = builder.Add("nodes", {{"name", fmt::format("j{}", j)}});
    builder.json["nodes"][1]["children"].push_back(node);
    builder.json["skins"][0]["joints"].push_back(node);
  }
  builder.json["skins"][0].erase("inverseBindMatrices");
  auto& attributes = Primitive(builder)["attributes"];
  std::vector<std::vector<float>> joints(3), weights(3);
  for (int v = 0; v < 4; ++v) {
    for (int k = 0; k < 12; ++k) {
      joints[k / 4].push_back(static_cast<float>(k));
      weights[k / 4].push_back(static_cast<float>(k + 1) / 78);
    }
  }
  for (int set = 0; set < 3; ++set) {
    attributes[fmt::format("JOINTS_{}", set)] = builder.Accessor(joints[set], 4, {.component_type = 5123});
    attributes[fmt::format("WEIGHTS_{}", set)] = builder.Accessor(weights[set], 4);
  }
  const Character character = Read(builder);
  const SkinWeights& w = character.parts[0].weights;
  ASSERT_EQ(w.influences, 8);
  float sum = 0;
  for (int k = 0; k < 8; ++k) {
    EXPECT_EQ(w.joints[k], 11 - k);
    sum += w.weights[k];
  }
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_THAT(testing::Differences(character, ReadGltf(EncodeGlb(character), "x.glb", "", {.skin = "", .quiet = true})),
              IsEmpty());
}

TEST(Repairs, WeightsThatDoNotSumToOne) {
  GltfBuilder builder = SmallRig();
  Primitive(builder)["attributes"]["WEIGHTS_0"] =
      builder.Accessor({2, 0, 0, 0, 0.3f, 0.1f, 0, 0, 0, 0, 0, 0, 1, -0.5f, 0, 0}, 4);
  const Character character = Read(builder);
  EXPECT_THAT(character.parts[0].weights.weights, ElementsAre(1, 0, 0.75f, 0.25f, 1, 0, 1, 0));
  EXPECT_EQ(character.parts[0].weights.joints[4], 0) << "without weights: the skin's first joint";
}

TEST(Repairs, AJointNamedTwiceMovesWithBothWeights) {
  GltfBuilder builder = SmallRig();
  Primitive(builder)["attributes"]["JOINTS_0"] =
      builder.Accessor({0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 4, {.component_type = 5121});
  Primitive(builder)["attributes"]["WEIGHTS_0"] =
      builder.Accessor({1, 0, 0, 0, 0.25f, 0.25f, 0.5f, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 4);
  const Character character = Read(builder);
  EXPECT_THAT(character.parts[0].weights.weights, ElementsAre(1, 0, 0.75f, 0.25f, 1, 0, 1, 0));
  EXPECT_EQ(character.parts[0].weights.joints[2], 1);
}

TEST(Nodes, AMatrixIsTakenApartAndTurningAncestorsAreHelpers) {
  GltfBuilder builder = SmallRig();
  builder.json["scenes"][0]["nodes"] = {2, 4};
  builder.Add("nodes", {{"name", "still"}, {"children", {0}}});
  builder.Add("nodes",
              {{"name", "z_up"}, {"children", {3}}, {"matrix", {2, 0, 0, 0, 0, 0, -2, 0, 0, 2, 0, 0, 5, 6, 7, 1}}});
  const Character c = Read(builder);
  ASSERT_EQ(c.skeleton.joint_count(), 3);
  const Joint& helper = c.skeleton.joints[0];
  EXPECT_EQ(helper.name, "z_up");
  EXPECT_TRUE(helper.helper);
  EXPECT_FLOAT_EQ(helper.rest.scale.y, 2);
  EXPECT_FLOAT_EQ(helper.rest.translation.z, 7);
  EXPECT_NEAR(helper.rest.rotation.x, -std::sqrt(0.5f), 1e-6);
  EXPECT_EQ(c.skeleton.joints[1].parent, 0);
  EXPECT_THAT(testing::Differences(c, ReadGltf(EncodeGlb(c), "x.glb", "")), IsEmpty());
}

TEST(Nodes, NodesBetweenJointsBelongToTheSkeleton) {
  GltfBuilder builder = SmallRig();
  builder.json["nodes"][0]["children"] = {3};
  builder.Add("nodes", {{"name", "between"}, {"children", {1}}});
  const Character c = Read(builder);
  ASSERT_EQ(c.skeleton.joint_count(), 3);
  EXPECT_TRUE(c.skeleton.joints[1].helper);
  EXPECT_EQ(c.skeleton.joints[2].parent, 1);
}

TEST(Nodes, NamesAreMadeUniqueButStayInTheFile) {
  GltfBuilder builder = SmallRig();
  builder.json["nodes"][1]["name"] = "hip";
  const Character c = Read(builder);
  EXPECT_EQ(c.skeleton.joints[0].name, "hip");
  EXPECT_EQ(c.skeleton.joints[1].name, "hip_1");
  EXPECT_EQ(ReadGltf(EncodeGlb(c), "x.glb", "").source->json["nodes"][1]["name"], "hip");
}

TEST(Nodes, AMeshBelowAJointMovesWithIt) {
  GltfBuilder builder = SmallRig();
  const Json position = Primitive(builder)["attributes"]["POSITION"];
  builder.Add("meshes", {{"name", "hat"}, {"primitives", Json::array({{{"attributes", {{"POSITION", position}}}}})}});
  const int hat = builder.Add("nodes", {{"name", "hat"}, {"mesh", 1}, {"translation", {0, 0, 3}}});
  builder.json["nodes"][1]["children"] = {hat};
  const Character c = Read(builder);
  ASSERT_EQ(c.parts.size(), 2);
  const Part& part = c.parts[1];
  ASSERT_GE(part.skin, 0);
  EXPECT_TRUE(c.skins[part.skin].attached);
  EXPECT_EQ(part.weights.joints[0], 1);
  EXPECT_FLOAT_EQ(c.skins[part.skin].inverse_bind[1].translation().z(), 3);
  const Character again = ReadGltf(EncodeGlb(c), "x.glb", "");
  EXPECT_THAT(testing::Differences(c, again), IsEmpty());
  EXPECT_EQ(again.source->json["skins"].size(), 1) << "it hangs where it hung";
  Character alone = c;
  alone.source = nullptr;
  const Character made = ReadGltf(EncodeGlb(alone), "x.glb", "");
  EXPECT_THAT(testing::Differences(alone, made), IsEmpty());
  EXPECT_EQ(made.source->json["skins"].size(), 1) << "it hangs below its joint without its file, too";
  // A part that is new in a file that has such a node.
  Character more = c;
  Part second = c.parts[1];
  second.source_mesh = second.source_node = second.source_primitive = -1;
  second.name = "feather";
  more.parts.push_back(second);
  EXPECT_THAT(testing::Differences(more, ReadGltf(EncodeGlb(more), "x.glb", "")), IsEmpty());
}

TEST(Nodes, PartsOfOneNodeBelowAJointStayTogetherWithoutTheirFile) {
  GltfBuilder builder = SmallRig();
  const Json primitive = {{"attributes", {{"POSITION", Primitive(builder)["attributes"]["POSITION"]}}}};
  builder.Add("meshes", {{"name", "hat"}, {"primitives", {primitive, primitive}}});
  const int hat = builder.Add("nodes", {{"mesh", 1}, {"scale", {2, 1, 3}}, {"rotation", {0, 0.6, 0, 0.8}}});
  builder.json["nodes"][1]["children"] = {hat};
  Character c = Read(builder);
  ASSERT_EQ(c.parts.size(), 3);
  ASSERT_EQ(c.skins.size(), 2);
  c.source = nullptr;
  EXPECT_THAT(testing::Differences(c, ReadGltf(EncodeGlb(c), "x.glb", "")), IsEmpty());
  // Nothing but rigid parts: the joints come back, since a skin that nothing wears names them.
  c.parts.erase(c.parts.begin());
  c.skins.erase(c.skins.begin());
  for (Part& part : c.parts) part.skin = 0;
  const Character rigid = ReadGltf(EncodeGlb(c), "x.glb", "");
  EXPECT_EQ(rigid.skeleton.joint_count(), c.skeleton.joint_count());
  for (const Part& part : rigid.parts) EXPECT_TRUE(rigid.skins[part.skin].attached);
}

TEST(Nodes, WithoutSkinsAnimatedNodesAreTheSkeleton) {
  GltfBuilder builder = SmallRig();
  builder.json.erase("skins");
  builder.json["nodes"][2].erase("skin");
  builder.json["scenes"][0]["nodes"] = {0};
  builder.json["nodes"][1]["children"] = {2};
  const Character c = Read(builder);
  ASSERT_EQ(c.skeleton.joint_count(), 2);
  EXPECT_EQ(c.skeleton.joints[1].name, "knee");
  ASSERT_EQ(c.parts.size(), 1);
  EXPECT_TRUE(c.skins[c.parts[0].skin].attached);
  EXPECT_THAT(testing::Differences(c, ReadGltf(EncodeGlb(c), "x.glb", "")), IsEmpty());
}

TEST(Skins, SeveralThatShareASkeletonAreOneCharacter) {
  GltfBuilder builder = SmallRig();
  builder.Add("skins", {{"name", "glove"}, {"joints", {1}}});
  Json glove = Primitive(builder);
  glove["attributes"]["JOINTS_0"] = builder.Accessor(std::vector<float>(16, 0), 4, {.component_type = 5121});
  builder.Add("meshes", {{"name", "glove"}, {"primitives", Json::array({glove})}});
  builder.Root({{"mesh", 1}, {"skin", 1}});
  const Character c = Read(builder);
  EXPECT_EQ(c.skeleton.joint_count(), 2);
  ASSERT_EQ(c.skins.size(), 2);
  EXPECT_EQ(c.skins[1].has_joint, (std::vector<bool>{false, true}));
  ASSERT_EQ(c.parts.size(), 2);
  EXPECT_EQ(c.parts[1].weights.joints[0], 1) << "joints are the skeleton's, not the skin's";
  EXPECT_THAT(testing::Differences(c, ReadGltf(EncodeGlb(c), "x.glb", "")), IsEmpty());
}

TEST(Skins, AChoiceAmongSeveralSkeletonsKeepsTheOthersInTheFile) {
  GltfBuilder builder = SmallRig();
  const int stranger = builder.Root({{"name", "stranger"}});
  builder.Add("skins", {{"name", "other"}, {"joints", {stranger}}});
  Json other = Primitive(builder);
  other["attributes"]["JOINTS_0"] = builder.Accessor(std::vector<float>(16, 0), 4, {.component_type = 5121});
  builder.Add("meshes", {{"name", "other"}, {"primitives", Json::array({other})}});
  builder.Root({{"mesh", 1}, {"skin", 1}});
  for (const char* choice : {"other", "1"}) {
    const Character c = Read(builder, {.skin = choice, .quiet = true});
    ASSERT_EQ(c.skeleton.joint_count(), 1);
    EXPECT_EQ(c.skeleton.joints[0].name, "stranger");
    ASSERT_EQ(c.parts.size(), 1);
    EXPECT_EQ(c.parts[0].name, "other");
    const Bytes bytes = EncodeGlb(c);
    EXPECT_EQ(ReadGltf(bytes, "x.glb", "", {.skin = "skin"}).skeleton.joint_count(), 2);
    const Character alone = ReadGltf(EncodeGlb(WithoutOtherSkeletons(c)), "x.glb", "");
    EXPECT_THAT(testing::Differences(c, alone), IsEmpty()) << "needs no choice";
  }
}

TEST(Morphs, NamesAndDisplacementsComeAndGo) {
  GltfBuilder builder = SmallRig();
  builder.json["meshes"][0]["extras"]["targetNames"] = {"smile"};
  builder.json["meshes"][0]["weights"] = {0.5};
  const int positions = builder.Accessor({0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}, 3, {.sparse = true});
  Primitive(builder)["targets"] = Json::array({{{"POSITION", positions}}});
  Character c = Read(builder);
  ASSERT_EQ(c.parts[0].morphs.size(), 1);
  EXPECT_EQ(c.parts[0].morphs[0].name, "smile");
  EXPECT_EQ(c.parts[0].morphs[0].positions(1, 2), 1);
  EXPECT_THAT(testing::Differences(c, ReadGltf(EncodeGlb(c), "x.glb", "")), IsEmpty());
  c.parts[0].morphs[0].positions(2, 0) = 4;
  c.parts[0].morphs[0].name = "grin";
  EXPECT_THAT(testing::Differences(c, ReadGltf(EncodeGlb(c), "x.glb", "")), IsEmpty());
}

TEST(Animations, StepLinearCubicAndNormalisedIntegers) {
  GltfBuilder builder = SmallRig();
  Json& animation = builder.json["animations"][0];
  const int times = animation["samplers"][0]["input"];
  const auto add = [&](const char* path, const char* interpolation, int output) {
    animation["samplers"].push_back({{"input", times}, {"output", output}, {"interpolation", interpolation}});
    animation["channels"].push_back(
        {{"sampler", animation["samplers"].size() - 1}, {"target", {{"node", 0}, {"path", path}}}});
  };
  add("translation", "STEP", builder.Accessor({0, 0, 0, 1, 2, 3}, 3));
  add("scale", "CUBICSPLINE", builder.Accessor(std::vector<float>(18, 1), 3));
  add("rotation", "LINEAR",
      builder.Accessor({0, 0, 0, 1, 0, 0, 0, 1}, 4, {.component_type = 5122, .normalized = true}));
  add("weights", "LINEAR", times);
  const Character c = Read(builder);
  ASSERT_EQ(c.animations[0].curves.size(), 4);
  EXPECT_EQ(c.animations[0].curves[1].interpolation, AnimationCurve::Interpolation::kStep);
  EXPECT_EQ(c.animations[0].curves[2].interpolation, AnimationCurve::Interpolation::kCubicSpline);
  EXPECT_THAT(c.animations[0].curves[3].values, ElementsAre(0, 0, 0, 1, 0, 0, 0, 1));
  const Character again = ReadGltf(EncodeGlb(c), "x.glb", "");
  EXPECT_THAT(testing::Differences(c, again), IsEmpty());
  EXPECT_EQ(again.source->json["animations"][0]["channels"].size(), 5);
}

TEST(Animations, AChangedOneKeepsItsOtherChannels) {
  GltfBuilder builder = SmallRig();
  Json& animation = builder.json["animations"][0];
  animation["channels"].push_back({{"sampler", 0}, {"target", {{"node", 2}, {"path", "weights"}}}});
  Character c = Read(builder);
  c.animations[0].curves[0].times[1] = 2;
  c.animations.push_back(c.animations[0]);
  c.animations.back().source_animation = -1;
  c.animations.back().name = "copy";
  const Character again = ReadGltf(EncodeGlb(c), "x.glb", "");
  EXPECT_THAT(testing::Differences(c, again), IsEmpty());
  EXPECT_EQ(again.source->json["animations"][0]["channels"].size(), 2);
  c.animations.clear();
  const Character none = ReadGltf(EncodeGlb(c), "x.glb", "");
  EXPECT_TRUE(none.animations.empty());
  EXPECT_EQ(none.source->json["animations"][0]["channels"].size(), 1) << "what was not ours is still there";
}

TEST(Animations, ThoseThatMoveNoJointAreKnownByName) {
  EXPECT_THAT(OtherAnimations(Read(SmallRig())), IsEmpty());
  EXPECT_THAT(OtherAnimations(testing::TestCharacter()), IsEmpty()) << "it has no file";
  GltfBuilder builder = SmallRig();
  const Json samplers = builder.json["animations"][0]["samplers"];
  const int camera = builder.Root({{"name", "camera"}}), unnamed = builder.Root(Json::object());
  const auto add = [&](const char* name, const std::vector<std::pair<int, const char*>>& targets) {
    Json channels = Json::array();
    for (const auto& [node, path] : targets) {
      channels.push_back({{"sampler", 0}, {"target", {{"node", node}, {"path", path}}}});
    }
    builder.Add("animations", {{"name", name}, {"channels", channels}, {"samplers", samplers}});
  };
  add("orbit", {{camera, "rotation"}, {unnamed, "rotation"}, {camera, "translation"}});
  add("both", {{camera, "rotation"}, {1, "rotation"}});
  add("", {{2, "weights"}});
  const Character c = Read(builder);
  ASSERT_EQ(c.animations.size(), 2);
  EXPECT_EQ(c.animations[1].name, "both");
  const auto expect_others = [&](const Character& character) {
    const std::vector<OtherAnimation> others = OtherAnimations(character);
    ASSERT_EQ(others.size(), 2);
    EXPECT_EQ(others[0].name, "orbit");
    EXPECT_THAT(others[0].nodes, ElementsAre("camera", fmt::format("node {}", unnamed)));
    EXPECT_FALSE(others[0].morphs);
    EXPECT_EQ(others[1].name, "animation_3");
    EXPECT_THAT(others[1].nodes, IsEmpty());
    EXPECT_TRUE(others[1].morphs);
  };
  expect_others(c);
  expect_others(ReadGltf(EncodeGlb(c), "x.glb", ""));
}

TEST(Editing, WhatTheDocumentCarriedSurvivesAChange) {
  GltfBuilder builder = SmallRig();
  builder.json["materials"] =
      Json::array({{{"name", "skin"}, {"extensions", {{"KHR_materials_unlit", Json::object()}}}}});
  Primitive(builder)["material"] = 0;
  builder.json["cameras"] = Json::array({{{"type", "perspective"}, {"perspective", {{"yfov", 1}, {"znear", 0.1}}}}});
  builder.json["extras"] = {{"studio", "ours"}};
  builder.json["scenes"][0]["extras"] = {{"sinew", {{"limits", 1}}}, {"other", 2}};
  builder.json["images"] =
      Json::array({{{"bufferView", builder.View(Bytes(7, std::byte{9}))}, {"mimeType", "image/png"}}});
  Character c = Read(builder);
  EXPECT_EQ((*c.extras)["sinew"]["limits"], 1);
  (*c.extras)["sinew"]["limits"] = 5;
  c.parts[0].mesh.positions(0, 0) = -1;
  c.skeleton.joints[1].rest.translation.x = 9;
  c.skeleton.joints[1].name = "ankle";
  c.skins[0].inverse_bind[1].translation().x() = -9;
  const Character again = ReadGltf(EncodeGlb(c), "x.glb", "");
  EXPECT_THAT(testing::Differences(c, again), IsEmpty());
  for (const char* key : {"materials", "cameras", "extras"})
    EXPECT_EQ(again.source->json[key], builder.json[key]) << key;
  EXPECT_EQ(again.source->json["scenes"][0]["extras"]["other"], 2);
  const Json& view = again.source->json["bufferViews"][again.source->json["images"][0]["bufferView"].get<size_t>()];
  EXPECT_EQ(again.source->buffers[0][view["byteOffset"].get<size_t>()], std::byte{9});
}

TEST(Editing, AnUnknownExtensionKeepsAllDataWhereItWas) {
  GltfBuilder builder = SmallRig();
  builder.json["extensionsUsed"] = {"ACME_flesh"};
  const int secret = builder.Accessor({1, 2, 3}, 1);
  builder.json["extensions"]["ACME_flesh"] = {{"accessor", secret}};
  Character c = Read(builder);
  c.parts[0].mesh.positions(0, 0) = -1;
  const Character again = ReadGltf(EncodeGlb(c), "x.glb", "");
  EXPECT_EQ(again.source->json["accessors"][secret]["count"], 3);
  EXPECT_EQ(again.source->json["accessors"][secret]["bufferView"], builder.json["accessors"][secret]["bufferView"]);
  EXPECT_THAT(testing::Differences(c, again), IsEmpty());
}

TEST(Editing, AMeshThatTwoNodesShareIsCopiedBeforeOneChanges) {
  GltfBuilder builder = SmallRig();
  builder.Root({{"name", "twin"}, {"mesh", 0}, {"skin", 0}});
  Character c = Read(builder);
  ASSERT_EQ(c.parts.size(), 2);
  c.parts[1].mesh.positions(0, 0) = -1;
  EXPECT_THAT(testing::Differences(c, ReadGltf(EncodeGlb(c), "x.glb", "")), IsEmpty());
}

TEST(Editing, PartsCanBeAddedAndRemoved) {
  Character c = Read(SmallRig());
  Part copy = c.parts[0];
  copy.source_mesh = copy.source_node = copy.source_primitive = -1;
  copy.name = "second";
  c.parts.push_back(copy);
  EXPECT_THAT(testing::Differences(c, ReadGltf(EncodeGlb(c), "x.glb", "")), IsEmpty());
  c.parts.erase(c.parts.begin());
  EXPECT_THAT(testing::Differences(c, ReadGltf(EncodeGlb(c), "x.glb", "")), IsEmpty());
}

TEST(Editing, JointsCanBeAddedAndMoved) {
  Character c = Read(SmallRig());
  c.skeleton.joints.push_back({.name = "toe", .parent = 1, .rest = {}, .helper = false});
  c.skins[0].inverse_bind.push_back(Eigen::Affine3f::Identity());
  c.skins[0].has_joint.push_back(true);
  c.parts[0].weights.joints[0] = 2;
  EXPECT_THAT(testing::Differences(c, ReadGltf(EncodeGlb(c), "x.glb", "")), IsEmpty());
}

TEST(Editing, AnUnskinnedPartCanBeMoved) {
  GltfBuilder builder;
  const int position = builder.Accessor({0, 0, 0, 1, 0, 0, 0, 1, 0}, 3);
  builder.Add("meshes", {{"name", "rock"}, {"primitives", Json::array({{{"attributes", {{"POSITION", position}}}}})}});
  builder.Add("nodes", {{"mesh", 0}});
  builder.Root({{"children", {0}}, {"translation", {1, 2, 3}}});
  Character c = Read(builder);
  EXPECT_FLOAT_EQ(c.parts[0].model_from_mesh.translation().y(), 2);
  c.parts[0].model_from_mesh.translation().y() = 7;
  EXPECT_THAT(testing::Differences(c, ReadGltf(EncodeGlb(c), "x.glb", "")), IsEmpty());
}

// As a kill between the two writes of a .gltf would: the numbers fit on the disk, and the text does not.
TEST(GltfPair, HalfAWriteLeavesTheOldPair) {
  const testing::TemporaryFolder folder;
  Character old = testing::TestCharacter();
  WriteGltf(old, folder / "a.gltf");
  Character moved = old;
  moved.parts[0].mesh.positions *= 2;
  moved.extras = Json{{"note", std::string(300000, 'x')}};
  {
    const testing::FullDisk disk(200000);
    EXPECT_THROW(WriteGltf(moved, folder / "a.gltf"), FailedError);
  }
  EXPECT_EQ(ReadGltf(folder / "a.gltf").parts[0].mesh.positions, old.parts[0].mesh.positions);
  WriteGltf(moved, folder / "a.gltf");
  EXPECT_EQ(ReadGltf(folder / "a.gltf").parts[0].mesh.positions, moved.parts[0].mesh.positions);
  // What the two writes before left is gone; what only looks similar is not.
  WriteFileAtomic(folder / "b.0123456789abcdef.bin", "x");
  WriteFileAtomic(folder / "a.of my own.bin", "x");
  WriteGltf(old, folder / "a.gltf");
  const std::filesystem::directory_iterator entries(folder.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 4);
}

}  // namespace
}  // namespace sinew::gltf
