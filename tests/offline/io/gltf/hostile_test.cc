// Files that lie: each is an error that says where and what, never a crash, and never memory taken on a claim.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <functional>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/io/gltf/document.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/temporary_folder.h"

namespace sinew::gltf {
namespace {

using testing::GltfBuilder;
using testing::SmallRig;

std::string ErrorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string ReadError(const Bytes& bytes) {
  return ErrorOf([&] { ReadGltf(bytes, "x.glb", "", {.skin = "", .quiet = true}); });
}

struct Lie {
  const char* name;
  std::function<void(GltfBuilder&)> tell;
  const char* message;
};

class Hostile : public ::testing::TestWithParam<Lie> {};

TEST_P(Hostile, IsAClearError) {
  GltfBuilder builder = SmallRig();
  GetParam().tell(builder);
  EXPECT_EQ(ReadError(builder.Glb()).find(GetParam().message), 0) << ReadError(builder.Glb());
}

// Lengthens a float accessor's data by nothing, but puts a value into it.
void Poke(GltfBuilder& builder, int accessor, size_t element, float value) {
  const Json& view = builder.json["bufferViews"][builder.json["accessors"][accessor]["bufferView"].get<size_t>()];
  std::memcpy(builder.binary.data() + view["byteOffset"].get<size_t>() + 4 * element, &value, sizeof value);
}

int PositionAccessor(const GltfBuilder& b) { return b.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"]; }
Json& Accessor(GltfBuilder& b, const char* attribute) {
  return b.json["accessors"][b.json["meshes"][0]["primitives"][0]["attributes"][attribute].get<size_t>()];
}
Json& Primitive(GltfBuilder& b) { return b.json["meshes"][0]["primitives"][0]; }

std::vector<Lie> Lies() {
  using B = GltfBuilder;
  return {
      {"NoAsset", [](B& b) { b.json.erase("asset"); }, "x.glb: document: has no 'asset'"},
      {"OldVersion", [](B& b) { b.json["asset"]["version"] = "1.0"; },
       "x.glb: document: is of glTF version '1.0', not 2.0; export it as glTF 2.0"},
      {"ListIsNone", [](B& b) { b.json["nodes"] = 3; }, "x.glb: document: 'nodes' is not a list"},
      {"ItemIsNone", [](B& b) { b.json["nodes"][0] = 3; }, "x.glb: document: 'nodes' holds something"},
      {"Draco", [](B& b) { b.json["extensionsRequired"] = {"KHR_draco_mesh_compression"}; },
       "x.glb: document: requires the extension KHR_draco_mesh_compression, which Sinew does not read; export the file "
       "without compression"},
      {"UnknownExtension", [](B& b) { b.json["extensionsRequired"] = {"ACME_flesh"}; },
       "x.glb: document: requires the extension ACME_flesh, which Sinew does not read; export the file without it"},
      {"ManyElements", [](B& b) { Accessor(b, "POSITION")["count"] = 2000000000; },
       "x.glb: accessor 0: claims 2000000000 elements, which end at byte 24000000000 of buffer view 0, but it has 48"},
      {"NegativeCount", [](B& b) { Accessor(b, "POSITION")["count"] = -1; },
       "x.glb: accessor 0: 'count' is -1, outside of 1"},
      {"FractionalCount", [](B& b) { Accessor(b, "POSITION")["count"] = 2.5; },
       "x.glb: accessor 0: 'count' is not a whole"},
      {"AstronomicCount", [](B& b) { Accessor(b, "POSITION")["count"] = 1e300; },
       "x.glb: accessor 0: 'count' is not a whole"},
      {"TextCount", [](B& b) { Accessor(b, "POSITION")["count"] = "4"; },
       "x.glb: accessor 0: 'count' is not a whole number"},
      {"ZerosWithoutEnd",
       [](B& b) {
         Accessor(b, "POSITION").erase("bufferView");
         Accessor(b, "POSITION")["count"] = 2000000000;
       },
       "x.glb: accessor 0: makes the file unpack to hundreds of times its own size"},
      {"ComponentType", [](B& b) { Accessor(b, "POSITION")["componentType"] = 5124; },
       "x.glb: accessor 0: has the unknown component type 5124"},
      {"Type", [](B& b) { Accessor(b, "POSITION")["type"] = "VEC5"; },
       "x.glb: accessor 0: has the unknown type 'VEC5'"},
      {"WrongType", [](B& b) { Accessor(b, "POSITION")["type"] = "VEC2"; },
       "x.glb: accessor 0: has 2 numbers an element where 3"},
      {"AccessorOffset", [](B& b) { Accessor(b, "POSITION")["byteOffset"] = 4; },
       "x.glb: accessor 0: claims 4 elements, which end at byte 52"},
      {"HugeOffset", [](B& b) { Accessor(b, "POSITION")["byteOffset"] = INT64_MAX; },
       "x.glb: accessor 0: claims 4 elements"},
      {"Misaligned",
       [](B& b) {
         Accessor(b, "POSITION")["byteOffset"] = 2;
         Accessor(b, "POSITION")["count"] = 3;
       },
       "x.glb: accessor 0: its elements are not aligned to their 4 bytes"},
      {"ViewOutOfBuffer", [](B& b) { b.json["bufferViews"][1]["byteLength"] = 100000; },
       "x.glb: bufferView 1: wants 100000 bytes from byte 48"},
      {"ViewOffset", [](B& b) { b.json["bufferViews"][1]["byteOffset"] = INT64_MAX; },
       "x.glb: bufferView 1: wants 48 bytes from byte 9223372036854775807"},
      {"NoSuchView", [](B& b) { Accessor(b, "POSITION")["bufferView"] = 99; },
       "x.glb: accessor 0: 'bufferView' names bufferView 99, but there are"},
      {"SmallStride", [](B& b) { b.json["bufferViews"][0]["byteStride"] = 8; },
       "x.glb: bufferView 0: its byteStride 8 is less than an element's 12 bytes"},
      {"StrangeStride", [](B& b) { b.json["bufferViews"][0]["byteStride"] = 1000; },
       "x.glb: bufferView 0: 'byteStride' is 1000, outside of 4 to 252"},
      {"NoSuchAccessor", [](B& b) { Primitive(b)["attributes"]["POSITION"] = 77; },
       "x.glb: mesh 0, primitive 0, attributes: 'POSITION' names accessor 77"},
      {"IndexTooLarge",
       [](B& b) {
         Primitive(b)["indices"] = b.Accessor({0, 1, 4}, 1, {.component_type = 5125});
       },
       "x.glb: mesh 0, primitive 0: index 2 is 4, but there are 4 vertices"},
      {"FloatIndices",
       [](B& b) {
         Primitive(b)["indices"] = b.Accessor({0, 1, 2}, 1);
       },
       "x.glb: accessor 9: does not hold unsigned integers"},
      {"FewerNormals", [](B& b) { Accessor(b, "NORMAL")["count"] = 3; },
       "x.glb: mesh 0, primitive 0, attributes: NORMAL has 3 elements but there are 4 vertices"},
      {"NaN", [](B& b) { Poke(b, PositionAccessor(b), 7, NAN); },
       "x.glb: accessor 0: element 2 is nan; repair the model"},
      {"Infinity", [](B& b) { Poke(b, PositionAccessor(b), 0, -INFINITY); }, "x.glb: accessor 0: element 0 is -inf"},
      {"JointTooLarge",
       [](B& b) {
         Primitive(b)["attributes"]["JOINTS_0"] =
             b.Accessor({0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 4, {.component_type = 5123});
       },
       "x.glb: mesh 0, primitive 0, attributes: JOINTS_0 element 1 names joint 2, but the skin has 2"},
      {"NoWeights", [](B& b) { Primitive(b)["attributes"].erase("WEIGHTS_0"); },
       "x.glb: mesh 0, primitive 0, attributes: has JOINTS_0 but no WEIGHTS_0"},
      {"Mode", [](B& b) { Primitive(b)["mode"] = 7; }, "x.glb: mesh 0, primitive 0: 'mode' is 7, outside of 0 to 6"},
      {"NoPrimitives", [](B& b) { b.json["meshes"][0].erase("primitives"); }, "x.glb: mesh 0: has no 'primitives'"},
      {"Cycle", [](B& b) { b.json["nodes"][1]["children"] = {0}; },
       "x.glb: node 0: is its own ancestor: the node tree has a cycle"},
      {"SelfChild", [](B& b) { b.json["nodes"][2]["children"] = {2}; }, "x.glb: node 2: is its own ancestor"},
      {"TwoParents", [](B& b) { b.json["nodes"][2]["children"] = {1}; },
       "x.glb: node 2: has the child 1, which is already a child of node 0"},
      {"NoSuchChild", [](B& b) { b.json["nodes"][0]["children"] = {9}; },
       "x.glb: node 0: 'children' names node 9, but there are 3"},
      {"ShortTranslation",
       [](B& b) {
         b.json["nodes"][0]["translation"] = {1, 2};
       },
       "x.glb: node 0: 'translation' is not a list of 3 numbers"},
      {"HugeTranslation",
       [](B& b) {
         b.json["nodes"][0]["translation"] = {1e39, 0, 0};
       },
       "x.glb: node 0: 'translation' is not a list of 3 finite numbers"},
      {"ZeroRotation",
       [](B& b) {
         b.json["nodes"][0]["rotation"] = {0, 0, 0, 0};
       },
       "x.glb: node 0: its rotation is zero"},
      {"NoJoints", [](B& b) { b.json["skins"][0]["joints"] = Json::array(); }, "x.glb: skin 0: has no joints"},
      {"JointTwice",
       [](B& b) {
         b.json["skins"][0]["joints"] = {0, 0};
       },
       "x.glb: skin 0: names node 0 twice as a joint"},
      {"FewBinds",
       [](B& b) { b.json["accessors"][b.json["skins"][0]["inverseBindMatrices"].get<size_t>()]["count"] = 1; },
       "x.glb: skin 0: has 2 joints but 1 inverse bind matrices"},
      {"TimeBackwards",
       [](B& b) {
         b.json["animations"][0]["samplers"][0]["input"] = b.Accessor({1, 0}, 1);
       },
       "x.glb: animation 0, sampler 0: key 1 is at 0 s: keys must not go back in time"},
      {"NegativeTime",
       [](B& b) {
         b.json["animations"][0]["samplers"][0]["input"] = b.Accessor({-1, 0}, 1);
       },
       "x.glb: animation 0, sampler 0: key 0 is at -1 s"},
      {"FewValues",
       [](B& b) {
         b.json["animations"][0]["samplers"][0]["input"] = b.Accessor({0, 1, 2}, 1);
       },
       "x.glb: animation 0, sampler 0: has 3 keys but 2 values where 3 are needed"},
      {"FewCubicValues", [](B& b) { b.json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE"; },
       "x.glb: animation 0, sampler 0: has 2 keys but 2 values where 6 are needed"},
      {"Interpolation", [](B& b) { b.json["animations"][0]["samplers"][0]["interpolation"] = "MAGIC"; },
       "x.glb: animation 0, sampler 0: has the unknown interpolation 'MAGIC'"},
      {"NoSuchSampler", [](B& b) { b.json["animations"][0]["channels"][0]["sampler"] = 1; },
       "x.glb: animation 0, channel 0: 'sampler' is 1, outside of 0 to 0"},
      {"NoTarget", [](B& b) { b.json["animations"][0]["channels"][0].erase("target"); },
       "x.glb: animation 0, channel 0: has no 'target'"},
      {"SparseOrder",
       [](B& b) {
         const int accessor = b.Accessor({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, 3, {.sparse = true});
         b.json["accessors"][accessor]["sparse"]["indices"]["bufferView"] = b.View(Bytes(8, std::byte{1}));
         Primitive(b)["attributes"]["POSITION"] = accessor;
       },
       "x.glb: accessor 9, sparse, indices: element 0 is 257: indices must increase and stay below 4"},
      {"SparseCount",
       [](B& b) {
         const int accessor = b.Accessor({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, 3, {.sparse = true});
         b.json["accessors"][accessor]["sparse"]["count"] = 5;
         Primitive(b)["attributes"]["POSITION"] = accessor;
       },
       "x.glb: accessor 9, sparse: 'count' is 5, outside of 1 to 4"},
      {"ManyInstances",
       [](B& b) {
         b.json["accessors"][0].erase("bufferView");
         b.json["accessors"][0]["count"] = 100000;
         Primitive(b) = {{"attributes", {{"POSITION", 0}}}};
         for (int i = 0; i < 1000; ++i) b.Root({{"mesh", 0}});
       },
       "x.glb: accessor 0: makes the file unpack to hundreds of times its own size"},
      {"NoSuchScene", [](B& b) { b.json["scene"] = 5; }, "x.glb: document: 'scene' names scene 5, but there are 1"},
      {"TwoSkeletons",
       [](B& b) {
         const int other = b.Root({{"name", "stranger"}});
         b.Add("skins", {{"name", "other"}, {"joints", {other}}});
         b.Root({{"mesh", 0}, {"skin", 1}});
         Primitive(b)["attributes"]["JOINTS_0"] = b.Accessor(std::vector<float>(16, 0), 4, {.component_type = 5121});
       },
       "x.glb: has 2 separate skeletons, of which one can be read: skins 0 'skin' (2 joints), 1 'other' (1 joint); "
       "choose one with --skin NUMBER or NAME; 'sinew convert --skin' writes it alone into a file"},
      {"NestedSkinsWithoutNames",
       [](B& b) {
         b.json["skins"][0].erase("name");
         b.Add("skins", {{"joints", {1}}});
         const int other = b.Root({{"name", "stranger"}}), idle = b.Root({{"name", "idle"}});
         b.Add("skins", {{"joints", {other}}});
         b.Add("skins", {{"joints", {idle}}});
         b.Root({{"mesh", 0}, {"skin", 2}});
       },
       "x.glb: has 3 separate skeletons, of which one can be read: skins 0 (2 joints in 2 skins), 2 (1 joint), 3 (1 "
       "joint, no mesh); choose one with --skin NUMBER or NAME"},
  };
}

std::string NameOf(const ::testing::TestParamInfo<Lie>& lie) { return lie.param.name; }

INSTANTIATE_TEST_SUITE_P(Table, Hostile, ::testing::ValuesIn(Lies()), NameOf);

TEST(HostileContainer, EveryTruncationOfAGlbIsAnError) {
  const Bytes whole = SmallRig().Glb();
  EXPECT_EQ(ReadError(whole), "no error");
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(ReadError(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))), "no error") << size;
  }
}

TEST(HostileContainer, EveryTruncationOfAGltfIsAnError) {
  const std::string whole = SmallRig().Gltf();
  const auto read = [](std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    return ErrorOf([&] { ReadGltf(bytes, "x.gltf", "", {.skin = "", .quiet = true}); });
  };
  EXPECT_EQ(read(whole), "no error");
  for (size_t size = 0; size < whole.size(); ++size) EXPECT_NE(read(whole.substr(0, size)), "no error") << size;
}

TEST(HostileContainer, EveryBufferCutShortIsAnError) {
  const GltfBuilder whole = SmallRig();
  for (size_t size = 0; size + 4 < whole.binary.size(); size += 3) {
    GltfBuilder cut = whole;
    cut.binary.resize(size);
    EXPECT_NE(ReadError(cut.Glb()), "no error") << size;
  }
}

// Every byte of a small file, wrong in a few ways: an error or a character, nothing else.
TEST(HostileContainer, SingleWrongBytesAreSurvived) {
  const Bytes whole = SmallRig().Glb();
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const int flip : {0x01, 0x10, 0x80, 0xff}) {
      Bytes bytes = whole;
      bytes[i] ^= static_cast<std::byte>(flip);
      ReadError(bytes);
    }
  }
}

std::string ReadText(const std::string& text) {
  return ErrorOf([&] { ReadGltf(std::as_bytes(std::span(text)), "x.gltf", "", {.skin = "", .quiet = true}); });
}

TEST(HostileContainer, JsonThatIsNone) {
  EXPECT_EQ(ReadText("[1]").find("x.gltf: document: is not a JSON object"), 0) << ReadText("[1]");
  EXPECT_EQ(ReadText("{").find("x.gltf: JSON: parse error at line 1, column 2"), 0) << ReadText("{");
  EXPECT_EQ(ReadText(std::string(5000, '[')).find("x.gltf: JSON byte 100: is nested deeper than 100"), 0);
  EXPECT_NE(ReadText("{\"asset\":{\"version\":\"2.0\xff\"}}").find("ill-formed UTF-8"), std::string::npos);
  EXPECT_NE(ReadText("{\"a\":1e999}").find("x.gltf: JSON: number overflow"), std::string::npos)
      << ReadText("{\"a\":1e999}");
  std::string keys = "{";
  for (int i = 0; i < 30000; ++i) keys += fmt::format("\"{}\":0,", i);
  EXPECT_NE(ReadText(keys + "\"z\":0}").find("over 20000 keys"), std::string::npos);
}

TEST(HostileContainer, UrisThatLeadElsewhere) {
  const testing::TemporaryFolder folder;
  WriteFileAtomic(folder / "secret.bin", "secret secret");
  const auto read = [&](const std::string& uri) {
    const Json json = {{"asset", {{"version", "2.0"}}}, {"buffers", Json::array({{{"byteLength", 4}, {"uri", uri}}})}};
    const std::string text = json.dump();
    return ErrorOf([&] { ReadGltf(std::as_bytes(std::span(text)), "x.gltf", folder.path() / "inner"); });
  };
  std::filesystem::create_directory(folder.path() / "inner");
  for (const char* uri : {"../secret.bin", "/etc/passwd", "a/../../secret.bin", "%2e%2e/secret.bin",
                          "file:///etc/passwd", "http://example.com/a.bin", "..\\secret.bin", "c:/secret.bin", ""}) {
    EXPECT_NE(read(uri).find("leads out of the file's folder"), std::string::npos) << uri << ": " << read(uri);
  }
  EXPECT_NE(read("missing.bin").find("missing.bin: No such file"), std::string::npos) << read("missing.bin");
  EXPECT_NE(read("a%zz").find("is malformed"), std::string::npos);
  EXPECT_NE(read("data:text/plain,abc").find("its data URI is not base64"), std::string::npos);
  EXPECT_NE(read("data:;base64,ab!=").find("its data URI is not valid base64"), std::string::npos);
  EXPECT_NE(read("data:;base64,YWI=").find("claims 4 bytes but there are 2"), std::string::npos);
}

// Beside the .gltf, and still not its own: opening any of these would read elsewhere, or wait for ever.
TEST(HostileContainer, LinksAndPipesBesideTheFile) {
  namespace fs = std::filesystem;
  const testing::TemporaryFolder folder;
  WriteFileAtomic(folder / "secret.bin", "secret secret");
  fs::create_directory(folder / "inner");
  fs::create_symlink(folder / "secret.bin", folder / "inner/link.bin");
  fs::create_directory_symlink(folder.path(), folder / "inner/up");
  ASSERT_EQ(::mkfifo((folder / "inner/pipe.bin").c_str(), 0600), 0);
  Json json = {{"asset", {{"version", "2.0"}}}, {"buffers", Json::array({{{"byteLength", 4}}})}};
  const auto read = [&](const char* uri) {
    json["buffers"][0]["uri"] = uri;
    WriteFileAtomic(folder / "inner/x.gltf", json.dump());
    return ErrorOf([&] { ReadGltf(folder / "inner/x.gltf"); });
  };
  EXPECT_NE(read("link.bin").find("link.bin: it is a link, which is not followed; put the file itself beside"),
            std::string::npos)
      << read("link.bin");
  EXPECT_NE(read("up/secret.bin").find("up is a link, which is not followed"), std::string::npos);
  EXPECT_NE(read("pipe.bin").find("pipe.bin: is not a regular file"), std::string::npos) << read("pipe.bin");
  // Without a picture a character is still whole.
  json.erase("buffers");
  json["images"] = {{{"uri", "link.bin"}}, {{"uri", "pipe.bin"}}, {{"uri", "up/secret.bin"}}};
  WriteFileAtomic(folder / "inner/x.gltf", json.dump());
  const CollectWarnings warnings;
  EXPECT_TRUE(ReadGltf(folder / "inner/x.gltf").source->images.empty());
  EXPECT_EQ(warnings.messages().size(), 3u);
}

TEST(HostileContainer, GlbHeaders) {
  Bytes bytes = SmallRig().Glb();
  bytes[4] = std::byte{1};
  EXPECT_EQ(ReadError(bytes).find("x.glb: GLB header: is of version 1, not 2; export it as glTF 2.0"), 0);
  bytes = SmallRig().Glb();
  bytes[16] = std::byte{'X'};
  EXPECT_EQ(ReadError(bytes).find("x.glb: GLB chunk 0: is not JSON"), 0);
  bytes = SmallRig().Glb();
  bytes[15] = std::byte{0x7f};
  EXPECT_EQ(ReadError(bytes).find("x.glb: GLB chunk 0: claims"), 0);
  EXPECT_EQ(ReadError({}), "x.glb: is empty; the file is damaged or cut short: export or copy it again");
}

TEST(HostileChoice, ASkinThatIsNotThere) {
  const Bytes bytes = SmallRig().Glb();
  const std::string error = ErrorOf([&] { ReadGltf(bytes, "x.glb", "", {.skin = "hat"}); });
  EXPECT_EQ(error, "x.glb: has no skin 'hat'; there are: 0 'skin' (2 joints)");
}

}  // namespace
}  // namespace sinew::gltf
