#include "sinew/offline/io/ply.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"

namespace sinew {
namespace {

Bytes ToBytes(std::string_view text) {
  const auto raw = std::as_bytes(std::span(text));
  return {raw.begin(), raw.end()};
}

std::string Message(std::string_view text) {
  try {
    const PlyFile ply = ParsePly(ToBytes(text), "a.ply");
    PlyCharacter(ply, "a.ply");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// Any elements and properties, filled by chance.
PlyFile RandomPly(uint64_t seed, PlyFormat format) {
  Random random(seed);
  PlyFile ply;
  ply.format = format;
  ply.comments = {"comment by chance", "obj_info kept"};
  const uint32_t elements = 1 + random.Below(3);
  for (uint32_t e = 0; e < elements; ++e) {
    PlyElement element{.name = "element" + std::to_string(e), .count = random.Below(6)};
    const uint32_t properties = 1 + random.Below(5);
    for (uint32_t p = 0; p < properties; ++p) {
      PlyProperty property{.name = "p" + std::to_string(p), .type = static_cast<PlyType>(random.Below(8))};
      property.list = random.Below(3) == 0;
      if (property.list) {
        property.count_type = static_cast<PlyType>(random.Below(6));
        property.offsets = {0};
      }
      for (size_t r = 0; r < element.count; ++r) {
        const uint32_t count = property.list ? random.Below(4) : 1;
        for (uint32_t i = 0; i < count; ++i) property.Append(random.Uniform(-300, 300));
        if (property.list) property.offsets.push_back(property.offsets.back() + count);
      }
      element.properties.push_back(property);
    }
    ply.elements.push_back(element);
  }
  return ply;
}

void ExpectSame(const PlyFile& a, const PlyFile& b) {
  ASSERT_EQ(a.format, b.format);
  ASSERT_EQ(a.comments, b.comments);
  ASSERT_EQ(a.elements.size(), b.elements.size());
  for (size_t e = 0; e < a.elements.size(); ++e) {
    const PlyElement &x = a.elements[e], &y = b.elements[e];
    ASSERT_EQ(x.name, y.name);
    ASSERT_EQ(x.count, y.count);
    ASSERT_EQ(x.properties.size(), y.properties.size());
    for (size_t p = 0; p < x.properties.size(); ++p) {
      ASSERT_EQ(x.properties[p].name, y.properties[p].name);
      ASSERT_EQ(x.properties[p].type, y.properties[p].type);
      ASSERT_EQ(x.properties[p].list, y.properties[p].list);
      ASSERT_EQ(x.properties[p].offsets, y.properties[p].offsets);
      ASSERT_EQ(x.properties[p].data, y.properties[p].data);
    }
  }
}

constexpr PlyFormat kFormats[] = {PlyFormat::kAscii, PlyFormat::kLittleEndian, PlyFormat::kBigEndian};

TEST(Ply, EveryFileComesBackInEveryFormat) {
  for (const PlyFormat format : kFormats) {
    for (int seed = 1; seed <= 100; ++seed) {
      const PlyFile ply = RandomPly(seed, format);
      ExpectSame(ParsePly(FormatPly(ply), "a.ply"), ply);
    }
  }
}

TEST(Ply, EveryTruncationIsACleanError) {
  for (const PlyFormat format : kFormats) {
    for (int seed = 1; seed <= 10; ++seed) {
      const Bytes whole = FormatPly(RandomPly(seed, format));
      for (size_t size = 0; size < whole.size(); ++size) {
        try {
          ParsePly(std::span(whole).first(size), "a.ply");
          // In text the last number may be cut and still be one.
          EXPECT_EQ(format, PlyFormat::kAscii);
        } catch (const InputError& error) {
          EXPECT_TRUE(std::string(error.what()).starts_with("a.ply")) << error.what();
        }
      }
    }
  }
}

TEST(Ply, ReadsBigEndianAsItIsWrittenElsewhere) {
  const std::string header =
      "ply\r\nformat binary_big_endian 1.0\r\nelement vertex 1\r\nproperty float32 x\r\nproperty int16 y\r\n"
      "property list uint8 uint32 z\r\nend_header\r\n";
  const std::string data("\x3f\x80\x00\x00\xff\xfe\x02\x00\x00\x01\x00\x00\x00\x00\x07", 15);
  const PlyFile ply = ParsePly(ToBytes(header + data), "a.ply");
  const PlyElement& vertex = ply.elements[0];
  EXPECT_EQ(vertex.properties[0].At(0), 1);
  EXPECT_EQ(vertex.properties[1].At(0), -2);
  EXPECT_EQ(vertex.properties[2].offsets, (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(vertex.properties[2].At(0), 256);
  EXPECT_EQ(vertex.properties[2].At(1), 7);
}

constexpr const char* kQuad =
    "ply\nformat ascii 1.0\ncomment a square\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    "property float nx\nproperty float ny\nproperty float nz\nelement face 1\nproperty list uchar int vertex_indices\n"
    "end_header\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n4 0 1 2 3\n";

TEST(Ply, LinesMayEndInSeveralCarriageReturns) {
  const PlyFile ply =
      ParsePly(ToBytes("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\r\r\nend_header\n1\n"), "a.ply");
  EXPECT_EQ(ply.elements[0].properties[0].name, "x");
  const Bytes written = FormatPly(ply);
  EXPECT_EQ(FormatPly(ParsePly(written, "a.ply")), written);
}

TEST(Ply, MeshesAreCutIntoTriangles) {
  const Character character = PlyCharacter(ParsePly(ToBytes(kQuad), "square.ply"), "square.ply");
  EXPECT_EQ(character.name, "square");
  ASSERT_EQ(character.parts.size(), 1u);
  EXPECT_EQ(character.parts[0].mesh.triangle_count(), 2);
  EXPECT_EQ(character.parts[0].normals.rows(), 4);
  EXPECT_EQ(character.parts[0].normals(2, 2), 1);
}

TEST(Ply, SaysWhatIsWrong) {
  const auto with = [](std::string_view what, std::string_view by) {
    std::string text = kQuad;
    return text.replace(text.find(what), what.size(), by);
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"plx\n", "does not begin with 'ply'"},
      {with("ascii 1.0", "ascii 2.0"), "format NAME 1.0"},
      {with("ascii", "utf8"), "unknown format 'utf8'"},
      {with("end_header\n", ""), "unknown word"},
      {with("float nx", "flout nx"), "unknown type 'flout'"},
      {with("float nx", "float x"), "second property 'x'"},
      {with("element face", "element vertex"), "second element 'vertex'"},
      {with("vertex 4", "vertex 4000000"), "claims 4000000 records"},
      {with("vertex 4", "vertex -4"), "count '-4'"},
      {with("face 1", "face 2"), "face 1: is cut short"},
      {with("face 1", "face 0"), "more numbers"},
      {with("list uchar int", "list float int"), "in fractions"},
      {with("4 0 1 2 3", "4 0 1 2 9"), "corner 9"},
      {with("4 0 1 2 3", "2 0 1"), "fewer than three"},
      {with("4 0 1 2 3", "4 0 1 2 x"), "'x' where a number belongs"},
      {with("4 0 1 2 3", "4 0 1 2 1.5"), "does not fit its type"},
      {with("4 0 1 2 3", "-1 0 1 2 3"), "does not fit its type"},
      {with("0 0 0 0 0 1", "nan 0 0 0 0 1"), "not finite"},
      {with("property float x", "property float q"), "x, y and z"},
      {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
       "end_header\n1 2 3\n",
       "cloud of points"}};
  for (const auto& [text, message] : cases) {
    EXPECT_NE(Message(text).find(message), std::string::npos) << message << ": " << Message(text);
  }
}

TEST(Ply, WeightsAreAddedAndReplacedAndNothingElseChanges) {
  PlyFile ply = ParsePly(ToBytes(kQuad), "a.ply");
  const PlyFile before = ply;
  Skeleton skeleton;
  skeleton.joints.resize(2);
  skeleton.joints[0].name = "hip\nof two lines";
  skeleton.joints[1].name = "knee";
  for (const int l : {4, 2}) {
    SkinWeights weights{.influences = l, .joints = {}, .weights = {}};
    for (int v = 0; v < 4; ++v) {
      for (int k = 0; k < l; ++k) {
        weights.joints.push_back(static_cast<uint16_t>(k % 2));
        weights.weights.push_back(k == 0 ? 0.75f : 0.25f);
      }
    }
    AddPlyWeights(weights, skeleton, ply);
    const PlyFile back = ParsePly(FormatPly(ply), "a.ply");
    ExpectSame(back, ply);
    ASSERT_EQ(back.elements[0].properties.size(), 6u + 2 * l);
    EXPECT_EQ(back.elements[0].Find("joint_1")->At(3), 1);
    EXPECT_EQ(back.elements[0].Find("weight_1")->At(2), 0.25);
    EXPECT_EQ(back.comments, (std::vector<std::string>{"comment a square", "comment sinew joint 0 hip_of two lines",
                                                       "comment sinew joint 1 knee"}));
    for (int p = 0; p < 6; ++p) EXPECT_EQ(back.elements[0].properties[p].data, before.elements[0].properties[p].data);
    EXPECT_EQ(back.elements[1].properties[0].data, before.elements[1].properties[0].data);
  }
}

}  // namespace
}  // namespace sinew
