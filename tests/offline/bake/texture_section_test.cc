#include "sinew/offline/bake/texture_section.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sinew/offline/io/gltf/document.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "tests/support/synthetic_deformer.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_character.h"

namespace sinew::bake {
namespace {

using testing::TemporaryFolder;

Bytes ToBytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

const std::string kPng("\x89PNG\r\n\x1a\nnot really", 18), kJpeg("\xff\xd8\xff\xe0 nor this", 14);

// The test character as a file has it, with these materials and images.
Character Textured(const Json& materials, const std::vector<std::string>& images) {
  Character character = testing::TestCharacter();
  Part& part = character.parts[0];
  VertexAttribute uv{.name = "TEXCOORD_0", .components = 2, .values = {}};
  uv.values.assign(2 * static_cast<size_t>(part.mesh.vertex_count()), 0.5f);
  part.attributes.push_back(uv);
  character = gltf::ReadGltf(gltf::EncodeGlb(character), "egg.glb", "");
  gltf::SourceDocument document = *character.source;
  document.json["materials"] = materials;
  document.json["meshes"][0]["primitives"][0]["material"] = 0;
  for (size_t i = 0; i < images.size(); ++i) {
    Bytes& buffer = document.buffers[0];
    const Bytes file = ToBytes(images[i]);
    document.json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", file.size()}});
    buffer.insert(buffer.end(), file.begin(), file.end());
    document.json["buffers"][0]["byteLength"] = buffer.size();
    document.json["images"].push_back(
        {{"bufferView", document.json["bufferViews"].size() - 1}, {"mimeType", "image/png"}});
    document.json["textures"].push_back({{"source", i}});
  }
  character.parts[0].material = 0;
  character.source = std::make_shared<const gltf::SourceDocument>(std::move(document));
  return character;
}

Json Material(int texture, int set = 0) {
  return {{"name", "skin"},
          {"pbrMetallicRoughness",
           {{"baseColorFactor", {1, 0.5, 0.25, 1}}, {"baseColorTexture", {{"index", texture}, {"texCoord", set}}}}}};
}

// Written and read again, as `sinew bake` gets it.
lod::Hierarchy HierarchyOf(const Character& character) {
  const TemporaryFolder folder;
  lod::WriteHierarchy(folder / "egg.lod", lod::BuildHierarchy(character, "egg", {.points = {160, 60}, .regions = 12}));
  return lod::ReadHierarchy(folder / "egg.lod");
}

struct Section {
  Json json;
  Bytes images;
};

Section Parse(std::span<const std::byte> bytes) {
  uint32_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof(size));
  const std::string text(reinterpret_cast<const char*>(bytes.data()) + 8, size);
  const auto rest = bytes.subspan(8 + size);
  return {Json::parse(text), Bytes(rest.begin(), rest.end())};
}

TEST(Textures, AreInTheBundleAsTheyWereInTheFile) {
  Json material = Material(1);
  material["alphaMode"] = "MASK";
  material["doubleSided"] = true;
  material["pbrMetallicRoughness"]["baseColorTexture"]["extensions"]["KHR_texture_transform"] = {{"scale", {2, 3}}};
  const lod::Hierarchy hierarchy = HierarchyOf(Textured(Json::array({material}), {kJpeg, kPng}));
  const BakedBundle plain = BuildBundle(hierarchy, testing::SyntheticDeformer(hierarchy), {});
  size_t added = 0;
  const BakedBundle baked =
      WithTextures(BuildBundle(hierarchy, testing::SyntheticDeformer(hierarchy), {}), hierarchy, &added);
  EXPECT_EQ(baked.file.bytes().size(), plain.file.bytes().size() + added);
  const auto sections = baked.bundle.sections();
  ASSERT_EQ(sections.size(), plain.bundle.sections().size() + 1);
  const runtime::format::SectionEntry& entry = sections.back();
  EXPECT_EQ(entry.type, static_cast<uint32_t>(runtime::format::SectionType::kTextures));
  EXPECT_EQ(entry.flags & runtime::format::kRequired, 0u);
  const Section section = Parse(baked.file.bytes().subspan(entry.offset, entry.bytes));
  const Json& read = section.json["materials"][0];
  EXPECT_EQ(read["name"], "skin");
  EXPECT_EQ(read["color"], Json({1.0, 0.5, 0.25, 1.0}));
  EXPECT_EQ(read["alpha"], "mask");
  EXPECT_EQ(read["double_sided"], true);
  EXPECT_EQ(read["scale"], Json({2.0, 3.0}));
  EXPECT_EQ(section.json["levels"], Json::parse("[[0], [0], [0]]"));
  ASSERT_EQ(section.json["images"].size(), 1u);  // the other one is of no use
  EXPECT_EQ(section.json["images"][0]["type"], "image/png");
  EXPECT_EQ(section.images, ToBytes(kPng));
}

TEST(Textures, ChangeNothingElse) {
  const lod::Hierarchy hierarchy = HierarchyOf(Textured(Json::array({Material(0)}), {kPng}));
  const BakedBundle plain = BuildBundle(hierarchy, testing::SyntheticDeformer(hierarchy), {});
  size_t added = 0;
  const BakedBundle baked =
      WithTextures(BuildBundle(hierarchy, testing::SyntheticDeformer(hierarchy), {}), hierarchy, &added);
  for (size_t s = 0; s < plain.bundle.sections().size(); ++s) {
    const auto &a = plain.bundle.sections()[s], &b = baked.bundle.sections()[s];
    EXPECT_EQ(a.type, b.type);
    EXPECT_EQ(a.level, b.level);
    EXPECT_EQ(a.flags, b.flags);
    EXPECT_EQ(a.checksum, b.checksum);
  }
}

TEST(Textures, AreLeftOutWhereTheyAreOfNoUse) {
  const lod::Hierarchy bare = HierarchyOf(testing::TestCharacter());
  EXPECT_TRUE(FormatTextures(bare).empty());
  size_t added = 1;
  const BakedBundle baked = WithTextures(BuildBundle(bare, testing::SyntheticDeformer(bare), {}), bare, &added);
  EXPECT_EQ(added, 0u);
  // Another kind of file, and other texture coordinates: the colour stays.
  for (const Character& odd :
       {Textured(Json::array({Material(0)}), {"GIF89a"}), Textured(Json::array({Material(0, 1)}), {kPng})}) {
    const Section section = Parse(FormatTextures(HierarchyOf(odd)));
    EXPECT_EQ(section.json["materials"][0]["image"], -1);
    EXPECT_EQ(section.json["materials"][0]["color"][1], 0.5);
    EXPECT_TRUE(section.images.empty());
  }
}

}  // namespace
}  // namespace sinew::bake
