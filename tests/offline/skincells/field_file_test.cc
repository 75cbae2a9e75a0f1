#include "sinew/offline/skincells/field_file.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "tests/support/skin_fields.h"
#include "tests/support/temporary_folder.h"

namespace sinew::skincells {
namespace {

using testing::RandomField;

Points SomePoints() {
  Random random(1);
  Points points(50, 3);
  for (int v = 0; v < 50; ++v) points.row(v) = testing::RandomPoint(random, 2).cast<float>().transpose();
  return points;
}

TEST(FieldFile, ComesBack) {
  for (int seed = 1; seed <= 10; ++seed) {
    const SkinField field = RoundToFile(RandomField(seed, 1 + seed, 1 + seed % 6, 1 + seed % 8));
    const testing::TemporaryFolder folder;
    WriteField(field, folder / "a.field");
    const SkinField back = ReadField(folder / "a.field");
    EXPECT_EQ(EncodeField(back), EncodeField(field));
    EXPECT_EQ(EvaluateField(back, SomePoints()).weights, EvaluateField(field, SomePoints()).weights);
    EXPECT_EQ(back.skeleton.joints.back().name, field.skeleton.joints.back().name);
  }
}

TEST(FieldFile, IsSmall) { EXPECT_LT(EncodeField(RandomField(1, 24, 6, 4)).size(), 32u * 1024); }

TEST(FieldFile, EveryTruncationIsAnError) {
  const Bytes whole = EncodeField(RandomField(2, 3, 2, 4));
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(DecodeField(std::span(whole).first(size), "a.field"), InputError) << size;
    Bytes sealed(whole.begin(), whole.begin() + static_cast<long>(size));
    if (size > 48) SealField(sealed);
    EXPECT_THROW(DecodeField(sealed, "a.field"), InputError) << size;
  }
  Bytes longer = whole;
  longer.push_back(std::byte{0});
  SealField(longer);
  EXPECT_THROW(DecodeField(longer, "a.field"), InputError);
}

TEST(FieldFile, EveryChangedByteIsNoticed) {
  const Bytes whole = EncodeField(RandomField(2, 2, 1, 4));
  for (size_t i = 0; i < whole.size(); ++i) {
    Bytes changed = whole;
    changed[i] ^= std::byte{0x10};
    EXPECT_THROW(DecodeField(changed, "a.field"), InputError) << i;
  }
}

// Random damage behind a right checksum: a sound field or an error, never anything else.
TEST(FieldFile, DamageBehindTheChecksumIsAFieldOrAnError) {
  const Bytes whole = EncodeField(RandomField(3, 4, 2, 3));
  Random random(4);
  int sound = 0;
  for (int i = 0; i < 3000; ++i) {
    Bytes changed = whole;
    for (int k = 0; k < 3; ++k) {
      changed[random.Below(static_cast<uint32_t>(changed.size()))] = static_cast<std::byte>(random.Bits());
    }
    SealField(changed);
    try {
      const SkinField field = DecodeField(changed, "a.field");
      for (const float w : EvaluateField(field, SomePoints()).weights) ASSERT_TRUE(w >= 0 && w <= 1.0001f);
      ++sound;
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(sound, 0);
}

TEST(FieldFile, ErrorsNameFilePlaceAndRemedy) {
  try {
    DecodeField(std::as_bytes(std::span("SINEWFLD")), "cloth.field");
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("cloth.field: header"), std::string::npos) << text;
    EXPECT_NE(text.find("sinew skin"), std::string::npos) << text;
  }
}

TEST(FieldFile, Version1IsStillRead) {
  const std::string path = SINEW_SOURCE_DIR "/tests/golden/field_v1.field";
  const SkinField field = ReadField(path);
  EXPECT_EQ(field.l, 4);
  EXPECT_EQ(field.skeleton.joint_count(), 5);
  EXPECT_EQ(field.skeleton.joints[3].name, "joint_3");
  EXPECT_EQ(field.cells[2].sites.size(), 3u);
  EXPECT_EQ(EncodeField(field), ReadFile(path));
  Points point(1, 3);
  point << 0.25f, -0.5f, 0.125f;
  const SkinWeights weights = EvaluateField(field, point);
  EXPECT_EQ(weights.joints, (std::vector<uint16_t>{2, 1, 3, 0}));
  EXPECT_NEAR(weights.weights[0], 0.871099412, 1e-6);
}

}  // namespace
}  // namespace sinew::skincells
