#include "sinew/offline/corpus/packed_body.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
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
  EXPECT_EQ(again.scales, body.scales);
  EXPECT_EQ(again.coefficients, body.coefficients);
  EXPECT_EQ(again.loss, body.loss);
  ASSERT_EQ(again.frame_count(), 3);
  EXPECT_EQ(again.frames[2].side, dataset::Side::kValidation);
  EXPECT_EQ(again.frames[2].frame, 5);
  EXPECT_NEAR(again.poses[1][1].rotation.x, 0.8, 1e-4);
  EXPECT_EQ(again.poses[1][1].rotation.x, body.poses[1][1].rotation.x);
}

TEST(PackedBody, RoundsRestShapeAndWeightsBySmallSteps) {
  const PackedBody body = SmallPackedBody();
  EXPECT_NEAR(body.rest(3, 2), 0.3, 2.0 / 65535);
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
        for (int k = 0; k < 2; ++k)
          expected += double{body.coefficients(f, k)} * body.scales[k] * body.modes(k, 3 * i + a);
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
  expect(refused([](PackedBody& b) { b.coefficients(0, 0) = NAN; }), "coefficients");
  expect(refused([](PackedBody& b) { b.poses[0][0].rotation = {0, 0, 0, 0}; }), "rotation");
  expect(refused([](PackedBody& b) { b.grid_step = 0; }), "grid");
  expect(refused([](PackedBody& b) { b.metres_per_unit = 0; }), "unit");
}

TEST(PackedBody, EveryTruncationIsRefused) {
  const Bytes file = FormatPackedBody(SmallPackedBody());
  for (size_t size = 0; size < file.size(); ++size) {
    EXPECT_THROW(ParsePackedBody(std::span(file).first(size), "cut.packed"), InputError) << size;
  }
}

}  // namespace
}  // namespace sinew::corpus
