// Real characters, as published by others: read as their publishers describe them, written and read again without loss.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/offline/io/gltf/document.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "tests/support/same_character.h"
#include "tests/support/shared_assets.h"
#include "tests/support/temporary_folder.h"

namespace sinew::gltf {
namespace {

using ::testing::IsEmpty;

struct Expected {
  const char* file;
  int vertices, triangles, joints, helpers, animations;
};

class Assets : public ::testing::TestWithParam<Expected> {};

TEST_P(Assets, AreReadAsDescribed) {
  SINEW_REQUIRE_ASSETS();
  const Expected& expected = GetParam();
  const Character character = ReadGltf(testing::AssetsFolder() / expected.file);
  EXPECT_EQ(character.vertex_count(), expected.vertices);
  EXPECT_EQ(character.triangle_count(), expected.triangles);
  int helpers = 0;
  for (const Joint& joint : character.skeleton.joints) helpers += joint.helper ? 1 : 0;
  EXPECT_EQ(character.skeleton.joint_count() - helpers, expected.joints);
  EXPECT_EQ(helpers, expected.helpers);
  EXPECT_EQ(static_cast<int>(character.animations.size()), expected.animations);
}

INSTANTIATE_TEST_SUITE_P(All, Assets,
                         ::testing::Values(Expected{"gltf/CesiumMan.glb", 3273, 4672, 19, 2, 1},
                                           Expected{"gltf/RiggedFigure.glb", 370, 256, 19, 1, 1},
                                           Expected{"gltf/Fox.glb", 1728, 576, 24, 0, 3},
                                           Expected{"gltf/hand_left.glb", 1360, 2314, 25, 0, 0},
                                           Expected{"makehuman/base.glb", 13380, 26756, 24, 0, 0},
                                           Expected{"makehuman/base_fingers.glb", 13380, 26756, 53, 0, 0},
                                           Expected{"garments/base_skirt.glb", 720, 1368, 24, 0, 0},
                                           Expected{"garments/base_tights.glb", 2674, 5300, 24, 0, 0}));

std::vector<std::filesystem::path> AllCharacters() {
  std::vector<std::filesystem::path> paths;
  for (const char* folder : {"game", "gltf", "makehuman", "garments"}) {
    for (const auto& entry : std::filesystem::directory_iterator(testing::AssetsFolder() / folder)) {
      if (entry.path().extension() == ".glb") paths.push_back(entry.path());
    }
  }
  return paths;
}

std::vector<Bytes> Images(const Character& character) {
  std::vector<Bytes> images;
  const SourceDocument& document = *character.source;
  for (int i = 0; i < gltf::Count(document, "images"); ++i) {
    const Json& view = document.json["bufferViews"][document.json["images"][i]["bufferView"].get<size_t>()];
    const Bytes& buffer = document.buffers[view["buffer"].get<size_t>()];
    const auto begin = buffer.begin() + view.value("byteOffset", 0);
    images.emplace_back(begin, begin + view["byteLength"].get<int>());
  }
  return images;
}

// Without the keys that say where bytes lie.
Json WithoutOffsets(Json json) {
  for (Json& view : json["bufferViews"]) {
    if (!view.contains("byteOffset")) view["byteOffset"] = 0;
  }
  return json;
}

TEST(AssetsRoundTrip, IsTheSameCharacterAndTheSameDocument) {
  SINEW_REQUIRE_ASSETS();
  for (const auto& path : AllCharacters()) {
    SCOPED_TRACE(path);
    const Character first = ReadGltf(path);
    const Bytes bytes = EncodeGlb(first);
    const Character second = ReadGltf(bytes, path.string(), "");
    EXPECT_THAT(testing::Differences(first, second), IsEmpty());
    EXPECT_TRUE(Images(first) == Images(second));
    EXPECT_TRUE(WithoutOffsets(first.source->json) == WithoutOffsets(second.source->json));
    EXPECT_TRUE(EncodeGlb(second) == bytes) << "writing again changes nothing";
  }
}

TEST(AssetsRoundTrip, ThroughGltfAndBinIsTheSameToo) {
  SINEW_REQUIRE_ASSETS();
  const testing::TemporaryFolder folder;
  for (const auto& path : AllCharacters()) {
    SCOPED_TRACE(path);
    const Character first = ReadGltf(path);
    const auto out = folder / (path.stem().string() + ".gltf");
    WriteGltf(first, out);
    const Character second = ReadGltf(out);
    EXPECT_THAT(testing::Differences(first, second), IsEmpty());
    EXPECT_TRUE(Images(first) == Images(second));
  }
}

// As if Sinew had made it: everything is written anew, and has to come back.
TEST(AssetsRoundTrip, WithoutTheSourceLosesOnlyWhatWeDoNotModel) {
  SINEW_REQUIRE_ASSETS();
  for (const auto& path : AllCharacters()) {
    SCOPED_TRACE(path);
    Character first = ReadGltf(path);
    first.source = nullptr;
    for (Part& part : first.parts) part.material = part.source_mesh = part.source_node = part.source_primitive = -1;
    const Character second = ReadGltf(EncodeGlb(first), path.string(), "");
    EXPECT_THAT(testing::Differences(first, second), IsEmpty());
  }
}

TEST(AssetsRoundTrip, AChangeOfPositionsChangesNothingElse) {
  SINEW_REQUIRE_ASSETS();
  for (const auto& path : AllCharacters()) {
    SCOPED_TRACE(path);
    Character first = ReadGltf(path);
    const size_t size = EncodeGlb(first).size();
    for (Part& part : first.parts) part.mesh.positions.array() += 0.25f;
    const Bytes bytes = EncodeGlb(first);
    const Character second = ReadGltf(bytes, path.string(), "");
    EXPECT_THAT(testing::Differences(first, second), IsEmpty());
    EXPECT_TRUE(Images(first) == Images(second));
    // Where nothing else shares their buffer view, the old positions are gone.
    const bool shared = path.parent_path().filename() == "gltf";
    EXPECT_LT(bytes.size(), size + 1000 + (shared ? 13 * first.vertex_count() : 0));
  }
}

}  // namespace
}  // namespace sinew::gltf
