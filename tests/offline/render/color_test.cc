#include "sinew/offline/render/color.h"

#include <gtest/gtest.h>

namespace sinew::render {
namespace {

// Relative luminance to CIE lightness.
float Lightness(const Color& linear) {
  const float y = 0.2126f * linear.x() + 0.7152f * linear.y() + 0.0722f * linear.z();
  return 116 * std::cbrt(y) - 16;
}

TEST(Color, SrgbRoundTrip) {
  for (int i = 0; i <= 255; ++i) {
    const float value = static_cast<float>(i) / 255;
    EXPECT_NEAR(SrgbFromLinear(LinearFromSrgb(value)), value, 1e-5f);
  }
}

TEST(Color, SequentialMapRisesEvenly) {
  std::vector<float> steps;
  for (int i = 0; i < 20; ++i) {
    const float here = Lightness(MapColor(ColorMap::kSequential, static_cast<float>(i) / 20));
    const float next = Lightness(MapColor(ColorMap::kSequential, static_cast<float>(i + 1) / 20));
    steps.push_back(next - here);
  }
  const auto [least, most] = std::minmax_element(steps.begin(), steps.end());
  EXPECT_GT(*least, 2.0f);
  EXPECT_LT(*most, 6.0f);
}

TEST(Color, DivergingMapIsLightestInTheMiddle) {
  const float middle = Lightness(MapColor(ColorMap::kDiverging, 0.5f));
  EXPECT_GT(middle, 90);
  for (const float t : {0.0f, 0.2f, 0.4f}) {
    EXPECT_NEAR(Lightness(MapColor(ColorMap::kDiverging, t)), Lightness(MapColor(ColorMap::kDiverging, 1 - t)), 6);
    EXPECT_LT(Lightness(MapColor(ColorMap::kDiverging, t)), middle);
  }
}

TEST(Color, MapsClampAndStayInGamut) {
  for (const ColorMap map : {ColorMap::kSequential, ColorMap::kDiverging}) {
    EXPECT_EQ(MapColor(map, -1), MapColor(map, 0));
    EXPECT_EQ(MapColor(map, 2), MapColor(map, 1));
    for (int i = 0; i <= 100; ++i) {
      const Color color = MapColor(map, static_cast<float>(i) / 100);
      EXPECT_GE(color.minCoeff(), 0);
      EXPECT_LE(color.maxCoeff(), 1);
    }
  }
}

TEST(Color, JointsNearInTheListDiffer) {
  for (int j = 0; j < 80; ++j) {
    for (int other = j + 1; other <= j + 4; ++other) {
      EXPECT_GT((SrgbFromLinear(JointColor(j)) - SrgbFromLinear(JointColor(other))).norm(), 0.12f) << j << " " << other;
    }
  }
}

}  // namespace
}  // namespace sinew::render
