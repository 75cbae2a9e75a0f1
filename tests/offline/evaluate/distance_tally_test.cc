#include "sinew/offline/evaluate/distance_tally.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/offline/core/random.h"

namespace sinew::evaluate {
namespace {

struct Sample {
  double distance = 0, weight = 0;
};

std::vector<Sample> Samples(int count, uint64_t seed) {
  Random random(seed);
  std::vector<Sample> samples;
  for (int i = 0; i < count; ++i) samples.push_back({random.Uniform(0, 0.2), random.Uniform(0.1, 1)});
  return samples;
}

DistanceTally TallyOf(const std::vector<Sample>& samples) {
  DistanceTally tally;
  for (const Sample& sample : samples) tally.Add(sample.distance, sample.weight);
  return tally;
}

// The smallest distance that this share of the weight does not exceed, by sorting.
double SortedQuantile(std::vector<Sample> samples, double share) {
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.distance < b.distance; });
  double total = 0, below = 0;
  for (const Sample& sample : samples) total += sample.weight;
  for (const Sample& sample : samples) {
    below += sample.weight;
    if (below >= share * total) return sample.distance;
  }
  return 0;
}

TEST(DistanceTally, IsWhatSortingAndSummingGive) {
  const std::vector<Sample> samples = Samples(5000, 1);
  const DistanceTally tally = TallyOf(samples);
  double weight = 0, sum = 0, squares = 0, max = 0;
  for (const auto& [distance, w] : samples) {
    weight += w, sum += w * distance, squares += w * distance * distance, max = std::max(max, distance);
  }
  EXPECT_NEAR(tally.Mean(), sum / weight, 1e-12);
  EXPECT_NEAR(tally.Rms(), std::sqrt(squares / weight), 1e-12);
  EXPECT_EQ(tally.max(), max);
  for (const double share : {0.5, 0.95, 0.99}) {
    const double exact = SortedQuantile(samples, share);
    EXPECT_NEAR(tally.Quantile(share), exact, exact / 64) << share;
  }
}

TEST(DistanceTally, ScaledTalliesAreThoseOfScaledSamples) {
  const std::vector<Sample> some = Samples(3000, 2), others = Samples(2000, 3);
  DistanceTally sum = TallyOf(some);
  sum.AddScaled(TallyOf(others), 3, 0.5);
  std::vector<Sample> all = some;
  for (const Sample& sample : others) all.push_back({3 * sample.distance, 0.5 * sample.weight});
  const DistanceTally direct = TallyOf(all);
  EXPECT_NEAR(sum.weight(), direct.weight(), 1e-9);
  EXPECT_NEAR(sum.Mean(), direct.Mean(), 1e-12);
  EXPECT_NEAR(sum.Rms(), direct.Rms(), 1e-12);
  EXPECT_NEAR(sum.max(), direct.max(), 1e-15);
  for (const double share : {0.5, 0.95, 0.99}) {
    const double exact = SortedQuantile(all, share);
    EXPECT_NEAR(sum.Quantile(share), exact, exact / 32) << share;
  }
}

TEST(DistanceTally, OfNothingIsZero) {
  DistanceTally tally;
  tally.Add(DistanceTally());
  tally.AddScaled(DistanceTally(), 2, 2);
  EXPECT_EQ(tally.Mean(), 0);
  EXPECT_EQ(tally.Rms(), 0);
  EXPECT_EQ(tally.Quantile(0.99), 0);
}

}  // namespace
}  // namespace sinew::evaluate
