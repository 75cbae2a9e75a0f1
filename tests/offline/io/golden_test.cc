// Files that the first version wrote: they are read as what they were, and the same character is written as the same
// bytes. tests/golden/reed.* is a reed of two joints: a square tube of three rings, open at both ends, that sways.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/obj.h"
#include "tests/support/same_character.h"

namespace sinew {
namespace {

using ::testing::IsEmpty;

const std::filesystem::path kGolden = SINEW_SOURCE_DIR "/tests/golden";
constexpr int kSides = 4, kRings = 3;

Part Tube() {
  Part part;
  part.name = "tube";
  part.mesh.positions.resize(kRings * kSides, 3);
  part.mesh.triangles.resize(2 * (kRings - 1) * kSides, 3);
  part.normals.resize(kRings * kSides, 3);
  // No sines: these are the same on every machine.
  const float x[] = {1, 0, -1, 0}, z[] = {0, 1, 0, -1};
  part.attributes.emplace_back();
  part.attributes[0].name = "TEXCOORD_0";
  part.attributes[0].components = 2;
  part.weights.influences = 2;
  for (int v = 0; v < kRings * kSides; ++v) {
    const int side = v % kSides, ring = v / kSides;
    part.mesh.positions.row(v) << 0.125f * x[side], 0.5f * static_cast<float>(ring), 0.125f * z[side];
    part.normals.row(v) << x[side], 0, z[side];
    part.attributes[0].values.insert(part.attributes[0].values.end(),
                                     {0.25f * static_cast<float>(side), 0.5f * static_cast<float>(ring)});
    const bool shared = ring == 1;
    part.weights.joints.insert(part.weights.joints.end(), {static_cast<uint16_t>(ring == 2), shared});
    part.weights.weights.insert(part.weights.weights.end(), {shared ? 0.75f : 1.0f, shared ? 0.25f : 0.0f});
  }
  int t = 0;
  for (int ring = 0; ring + 1 < kRings; ++ring) {
    for (int side = 0; side < kSides; ++side) {
      const int a = ring * kSides + side, b = ring * kSides + (side + 1) % kSides;
      part.mesh.triangles.row(t++) << a, a + kSides, b;
      part.mesh.triangles.row(t++) << b, a + kSides, b + kSides;
    }
  }
  part.skin = 0;
  return part;
}

Character Reed() {
  Character reed;
  reed.name = "reed";
  reed.extras = Json{{"made by", "Sinew's tests"}};
  reed.skeleton.joints.resize(2);
  reed.skeleton.joints[0].name = "root";
  reed.skeleton.joints[1].name = "tip";
  reed.skeleton.joints[1].parent = 0;
  reed.skeleton.joints[1].rest.translation = {0, 0.5f, 0};
  Skin skin;
  skin.name = "reed";
  skin.inverse_bind.assign(2, Eigen::Affine3f::Identity());
  skin.inverse_bind[1].translation() << 0, -0.5f, 0;
  skin.has_joint = {true, true};
  reed.skins.push_back(skin);
  reed.parts.push_back(Tube());
  AnimationCurve curve;
  curve.joint = 1;
  curve.times = {0, 0.5f, 1};
  curve.values = {0, 0, 0, 1, 0, 0, 0.6f, 0.8f, 0, 0, 0, 1};
  reed.animations.emplace_back();
  reed.animations[0].name = "sway";
  reed.animations[0].curves.push_back(curve);
  return reed;
}

Character ReedAsObj() {
  Character reed;
  reed.name = "reed";
  reed.parts.push_back(Tube());
  reed.parts[0].weights = {};
  reed.parts[0].skin = -1;
  return reed;
}

// The document without the version that wrote it, and the numbers.
std::pair<Json, Bytes> Chunks(const Bytes& glb) {
  uint32_t length = 0;
  std::memcpy(&length, glb.data() + 12, sizeof length);
  Json json = Json::parse(std::string(reinterpret_cast<const char*>(glb.data()) + 20, length));
  json["asset"].erase("generator");
  return {json, Bytes(glb.begin() + 20 + length, glb.end())};
}

TEST(Golden, GlbIsReadAsWhatItWas) {
  EXPECT_THAT(testing::Differences(gltf::ReadGltf(kGolden / "reed.glb"), Reed()), IsEmpty());
}

TEST(Golden, GlbIsWrittenAgainByteForByte) {
  EXPECT_EQ(gltf::EncodeGlb(gltf::ReadGltf(kGolden / "reed.glb")), ReadFile(kGolden / "reed.glb"));
}

TEST(Golden, GlbOfTheSameCharacterIsTheSame) {
  const auto [json, binary] = Chunks(gltf::EncodeGlb(Reed()));
  const auto [golden_json, golden_binary] = Chunks(ReadFile(kGolden / "reed.glb"));
  EXPECT_EQ(json.dump(1), golden_json.dump(1));
  EXPECT_EQ(binary, golden_binary);
}

TEST(Golden, ObjIsReadAsWhatItWas) {
  EXPECT_THAT(testing::Differences(ReadObj(kGolden / "reed.obj"), ReedAsObj()), IsEmpty());
}

TEST(Golden, ObjIsWrittenByteForByte) {
  EXPECT_EQ(EncodeObj(ReedAsObj()), ReadTextFile(kGolden / "reed.obj"));
  EXPECT_EQ(EncodeObj(ReadObj(kGolden / "reed.obj")), ReadTextFile(kGolden / "reed.obj"));
}

}  // namespace
}  // namespace sinew
