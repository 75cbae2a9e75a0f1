#include "sinew/offline/core/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

TEST(Random, MatchesThePublishedSequence) {
  // The first numbers of the reference implementation's demo: seed 42, sequence 54.
  Random random(42, 54);
  for (const uint32_t expected : {0xa15c02b7u, 0x7b47f409u, 0xba1d3330u, 0x83d2f293u, 0xbfa4784bu, 0xcbed606eu}) {
    EXPECT_EQ(random.Bits(), expected);
  }
}

TEST(Random, StreamsDiffer) { EXPECT_NE(Random(1, 0).Bits(), Random(1, 1).Bits()); }

TEST(Random, UniformAndNormalHaveTheirMoments) {
  Random random(7);
  constexpr int kCount = 200000;
  double mean = 0, square = 0, normal_mean = 0, normal_square = 0;
  for (int i = 0; i < kCount; ++i) {
    const double u = random.Uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    const double n = random.Normal();
    mean += u / kCount, square += u * u / kCount;
    normal_mean += n / kCount, normal_square += n * n / kCount;
  }
  EXPECT_NEAR(mean, 0.5, 0.005);
  EXPECT_NEAR(square - mean * mean, 1.0 / 12, 0.002);
  EXPECT_NEAR(normal_mean, 0, 0.01);
  EXPECT_NEAR(normal_square, 1, 0.02);
}

TEST(Random, BelowIsInRangeAndReachesAll) {
  Random random(3);
  int count[7] = {};
  for (int i = 0; i < 7000; ++i) ++count[random.Below(7)];
  for (const int c : count) EXPECT_NEAR(c, 1000, 150);
}

TEST(Random, GoesOnFromItsState) {
  Random random(5, 3);
  for (int i = 0; i < 10; ++i) random.Bits();
  Random again(random.state());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(again.Bits(), random.Bits());
  EXPECT_EQ(again.state(), random.state());
}

}  // namespace
}  // namespace sinew
