#include "sinew/offline/multires/image_misfit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/core/random.h"

namespace sinew::multires {
namespace {

// Features of frames and of their images, which have the first and the second feature exchanged, and displacements that
// are `sided` times other on one side.
struct Frames {
  Frames(int count, float sided) : features(3, 2 * count + 5), displacements(2 * count + 5, 2) {
    Random random(5);
    const auto fill = [&](int j, float a, float b, float c, float left, float right) {
      features.col(j) << a, b, c;
      displacements.row(j) << left * (a + 0.3f * std::sin(9 * b) + c), right * (b + 0.3f * std::sin(9 * a) + c);
    };
    for (int j = 0; j < count; ++j) {
      const auto next = [&] { return static_cast<float>(random.Uniform(-1, 1)); };
      const float a = next(), b = next(), c = next();
      fill(j, a, b, c, 1, sided);
      fill(count + j, b, a, c, sided, 1);
    }
    features.rightCols(5).setConstant(100);
    displacements.bottomRows(5).setConstant(-100);
  }
  learn::RowMatrix features, displacements;
};

TEST(ImageMisfit, IsOneWhereBothSidesAreTheSame) {
  const Frames frames(200, 1);
  EXPECT_NEAR(ImageMisfit(frames.features, frames.displacements, 200), 1, 0.1);
}

TEST(ImageMisfit, GrowsWithTheDifferenceOfTheSides) {
  double before = 1.05;
  for (const float sided : {1.5f, 2.0f, 4.0f}) {
    const Frames frames(200, sided);
    const double misfit = ImageMisfit(frames.features, frames.displacements, 200);
    EXPECT_GT(misfit, before) << sided;
    before = misfit;
  }
  EXPECT_GT(before, kLargestMisfit);
}

TEST(ImageMisfit, TooFewFramesSayNothing) {
  const Frames frames(4, 9);
  EXPECT_EQ(ImageMisfit(frames.features, frames.displacements, 4), 1);
}

}  // namespace
}  // namespace sinew::multires
