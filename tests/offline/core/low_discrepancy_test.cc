#include "sinew/offline/core/low_discrepancy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "sinew/offline/core/random.h"

namespace sinew {
namespace {

using Points3 = std::vector<std::array<double, 3>>;

Points3 Sequence(int count, uint32_t seed) {
  Points3 points;
  for (int i = 0; i < count; ++i) points.push_back(LowDiscrepancy3(static_cast<uint32_t>(i), seed));
  return points;
}

// T. T. Warnock's formula for the L2 star discrepancy: how far the share of points in a corner box is from its volume.
double Discrepancy(const Points3& points) {
  const double n = static_cast<double>(points.size());
  double single = 0, pairs = 0;
  for (const auto& p : points) {
    single += (1 - p[0] * p[0]) * (1 - p[1] * p[1]) * (1 - p[2] * p[2]);
    for (const auto& q : points) {
      pairs += (1 - std::max(p[0], q[0])) * (1 - std::max(p[1], q[1])) * (1 - std::max(p[2], q[2]));
    }
  }
  return std::sqrt(1.0 / 27 - single / 4 / n + pairs / (n * n));
}

TEST(LowDiscrepancy, EveryPrefixOfAPowerOfTwoIsStratified) {
  for (const uint32_t seed : {1u, 77u}) {
    const Points3 points = Sequence(64, seed);
    for (int d = 0; d < 3; ++d) {
      std::set<int> cells;
      for (const auto& p : points) cells.insert(static_cast<int>(p[d] * 64));
      EXPECT_EQ(cells.size(), 64u) << "dimension " << d;
    }
    std::set<std::pair<int, int>> squares;
    for (const auto& p : points) squares.emplace(static_cast<int>(p[0] * 8), static_cast<int>(p[1] * 8));
    EXPECT_EQ(squares.size(), 64u);
  }
}

TEST(LowDiscrepancy, FillsBetterThanChance) {
  Random random(3);
  for (const int count : {50, 256, 700}) {
    double chance = 0;
    for (int trial = 0; trial < 5; ++trial) {
      Points3 points(count);
      for (auto& p : points) p = {random.Uniform(), random.Uniform(), random.Uniform()};
      chance += Discrepancy(points) / 5;
    }
    for (const uint32_t seed : {1u, 2u, 3u}) EXPECT_LT(Discrepancy(Sequence(count, seed)), 0.6 * chance) << count;
  }
}

TEST(LowDiscrepancy, SeedsDifferAndRepeat) {
  EXPECT_EQ(Sequence(10, 4), Sequence(10, 4));
  EXPECT_NE(Sequence(10, 4), Sequence(10, 5));
}

// Two groups of three make six dimensions: what one group does must say nothing about the other.
TEST(LowDiscrepancy, GroupsAreIndependent) {
  double product = 0;
  constexpr int kCount = 1024;
  for (uint32_t i = 0; i < kCount; ++i) {
    product += (LowDiscrepancy3(i, 8)[0] - 0.5) * (LowDiscrepancy3(i, 9)[0] - 0.5) * 12 / kCount;
  }
  EXPECT_LT(std::abs(product), 0.1);
}

}  // namespace
}  // namespace sinew
