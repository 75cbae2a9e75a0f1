#include "sinew/offline/corpus/packed_body.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/corpus/field_coder.h"
#include "tests/offline/corpus/packed_bodies.h"

namespace sinew::corpus {
namespace {

TEST(PackedBody, ComesBackAsItWasRounded) {
  const PackedBody body = SmallPackedBody();
  const Bytes file = FormatPackedBody(body);
  const PackedBody again = ParsePackedBody(file, "body.packed");
  EXPECT_EQ(again.name, body.name);
  EXPECT_EQ(again.rest, body.rest);
  EXPECT_EQ(again.triangles, body.triangles);
  EXPECT_EQ(again.weights.joints, body.weights.joints);
  EXPECT_EQ(again.weights.weights, body.weights.weights);
  EXPECT_EQ(again.motions, body.motions);
  EXPECT_EQ(again.modes, body.modes);
  EXPECT_EQ(again.step, body.step);
  EXPECT_EQ(again.scales, body.scales);
  EXPECT_EQ(again.coefficients, body.coefficients);
  EXPECT_EQ(again.loss, body.loss);
  ASSERT_EQ(again.frame_count(), 3);
  EXPECT_EQ(again.frames[2].side, dataset::Side::kValidation);
  EXPECT_EQ(again.frames[2].frame, 5);
  EXPECT_EQ(again.frames[0].hash, 0x0123456789abcdefu);
  EXPECT_EQ(again.frames[2].hash, ~uint64_t{0});
  EXPECT_NEAR(again.poses[1][1].rotation.x, 0.8, 1e-4);
  EXPECT_EQ(again.poses[1][1].rotation.x, body.poses[1][1].rotation.x);
}

TEST(PackedBody, RoundsRestShapeAndWeightsBySmallSteps) {
  const PackedBody body = SmallPackedBody();
  EXPECT_NEAR(body.rest(3, 2), 0.3, 2.0 / kPositionSteps);
  EXPECT_EQ(body.rest(2, 1), 2) << "the ends of the longest side are on the grid";
  for (int i = 0; i < 4; ++i) {
    float sum = 0;
    for (int k = 0; k < kPackedInfluences; ++k) sum += body.weights.weights[i * kPackedInfluences + k];
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST(PackedBody, ResidualIsTheMixOfItsModes) {
  const PackedBody body = SmallPackedBody();
  for (int f = 0; f < body.frame_count(); ++f) {
    const Points residual = body.Residual(f);
    for (int i = 0; i < body.point_count(); ++i) {
      for (int a = 0; a < 3; ++a) {
        double expected = 0;
        for (int k = 0; k < 2; ++k) expected += double{body.coefficients(f, k)} * body.step * body.modes(k, 3 * i + a);
        EXPECT_NEAR(residual(i, a), expected, 1e-6);
      }
    }
  }
}

TEST(PackedBody, RefusesFramesToTestWithAndIndicesBeyondTheEnd) {
  const auto refused = [](const auto& change) {
    PackedBody body = SmallPackedBody();
    change(body);
    try {
      ParsePackedBody(FormatPackedBody(body), "body.packed");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    ADD_FAILURE() << "was accepted";
    return std::string();
  };
  const auto expect = [](const std::string& sentence, const char* part) {
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("body.packed"), std::string::npos) << sentence;
  };
  expect(refused([](PackedBody& b) { b.frames[1].side = dataset::Side::kTest; }), "never packed");
  expect(refused([](PackedBody& b) { b.triangles(1, 1) = 4; }), "beyond the last");
  expect(refused([](PackedBody& b) { b.weights.joints[5] = 2; }), "beyond the last");
  expect(refused([](PackedBody& b) { b.frames[0].motion = 2; }), "frame 0");
  expect(refused([](PackedBody& b) { b.skeleton.joints[1].parent = 1; }), "comes after");
  expect(refused([](PackedBody& b) { b.scales[1] = NAN; }), "coefficients");
  expect(refused([](PackedBody& b) {
           b.scales[1] = 2.2e38f;
           b.coefficients(0, 1) = 3.4e38f;
         }),
         "coefficients");
  expect(refused([](PackedBody& b) { b.scales[0] = 0; }), "not above 0");
  expect(refused([](PackedBody& b) { b.step = -1; }), "not above 0");
  expect(refused([](PackedBody& b) { b.poses[0][0].rotation = {0.9f, 0.9f, 0.9f, 1}; }), "rotation");
  expect(refused([](PackedBody& b) { b.modes(0, 3) = FieldCoder::kLimit; }), "too large");
  expect(refused([](PackedBody& b) { b.frames.resize(1); }), "modes");
  expect(refused([](PackedBody& b) { b.grid_step = 0; }), "grid");
  expect(refused([](PackedBody& b) { b.metres_per_unit = 0; }), "unit");
}

// With a right checksum, too: that a file is cut is seen by what it holds.
TEST(PackedBody, EveryTruncationIsRefused) {
  const Bytes file = FormatPackedBody(SmallPackedBody());
  for (size_t size = 0; size < file.size(); ++size) {
    Bytes cut(file.begin(), file.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_THROW(ParsePackedBody(cut, "cut.packed"), InputError) << size;
    SealFile(cut);
    EXPECT_THROW(ParsePackedBody(cut, "cut.packed"), InputError) << size;
  }
  Bytes longer = file;
  longer.push_back(std::byte{0});
  SealFile(longer);
  EXPECT_THROW(ParsePackedBody(longer, "longer.packed"), InputError);
}

TEST(PackedBody, RefusesMoreNumbersThanTheBytesCanHold) {
  PackedBody body = SmallPackedBody();
  body.triangles.setZero(123456, 3);
  Bytes file = FormatPackedBody(body);
  EXPECT_EQ(ParsePackedBody(file, "many.packed").triangles.rows(), 123456);
  const auto bytes_of = [](uint32_t count) { return std::bit_cast<std::array<std::byte, 4>>(count); };
  const std::array<std::byte, 4> old = bytes_of(123456), many = bytes_of(1 << 23);
  std::copy(many.begin(), many.end(), std::search(file.begin(), file.end(), old.begin(), old.end()));
  SealFile(file);
  try {
    ParsePackedBody(file, "many.packed");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("more than the file can hold"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sinew::corpus
