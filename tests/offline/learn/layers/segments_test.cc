#include "sinew/offline/learn/layers/segments.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/offline/learn/layers/layer_checks.h"

namespace sinew::layers {
namespace {

const std::vector<int> kOffsets = {0, 3, 3, 4, 9, 12};  // one empty, one of a single row

TEST(Segments, AreWhatLoopsGive) {
  const RowMatrix x = Noise(12, 4, 1);
  RowMatrix soft(12, 4), sum(5, 4), most(5, 4);
  SegmentSoftmax(kOffsets, x, soft);
  SegmentSum(kOffsets, x, sum);
  SegmentMax(kOffsets, x, most);
  for (int s = 0; s < 5; ++s) {
    for (int c = 0; c < 4; ++c) {
      double all = 0, total = 0, largest = -INFINITY;
      for (int i = kOffsets[s]; i < kOffsets[s + 1]; ++i) {
        all += std::exp(static_cast<double>(x(i, c)));
        total += static_cast<double>(x(i, c));
        largest = std::max(largest, static_cast<double>(x(i, c)));
      }
      EXPECT_NEAR(sum(s, c), total, 1e-5);
      EXPECT_NEAR(most(s, c), s == 1 ? 0 : largest, 1e-6);
      for (int i = kOffsets[s]; i < kOffsets[s + 1]; ++i) {
        EXPECT_NEAR(soft(i, c), std::exp(static_cast<double>(x(i, c))) / all, 1e-6);
      }
    }
  }
}

TEST(Segments, OfEqualRowsTheFirstIsTheMaximum) {
  const RowMatrix x = RowMatrix::Constant(12, 2, -1);
  RowMatrix y(5, 2);
  EXPECT_EQ(SegmentMax(kOffsets, x, y), (std::vector<int>{0, 0, -1, -1, 3, 3, 4, 4, 9, 9}));
  EXPECT_EQ(y(0, 0), -1);
}

TEST(Segments, GradientsAreRight) {
  const RowMatrix x = Noise(12, 3, 1), dy = Noise(5, 3, 2), dsoft = Noise(12, 3, 3);
  RowMatrix y(5, 3), soft(12, 3);
  const auto sum = [&](const RowMatrix& m) { return SegmentSum(kOffsets, m, y), Weighted(y, dy); };
  const auto most = [&](const RowMatrix& m) { return SegmentMax(kOffsets, m, y), Weighted(y, dy); };
  const auto softmax = [&](const RowMatrix& m) { return SegmentSoftmax(kOffsets, m, soft), Weighted(soft, dsoft); };

  RowMatrix dx = RowMatrix::Zero(12, 3);
  SegmentSumBackward(kOffsets, dy, dx);
  EXPECT_LT(FloatGradientError(sum, x, dx), kGradientTolerance);

  dx.setZero();
  SegmentMaxBackward(SegmentMax(kOffsets, x, y), dy, dx);
  EXPECT_LT(FloatGradientError(most, x, dx, 1e-3), kGradientTolerance);

  dx.setZero();
  softmax(x);
  SegmentSoftmaxBackward(kOffsets, soft, dsoft, dx);
  EXPECT_LT(FloatGradientError(softmax, x, dx), kGradientTolerance);
}

}  // namespace
}  // namespace sinew::layers
