#include "sinew/offline/evaluate/fronts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/random.h"

namespace sinew::evaluate {
namespace {

std::vector<FrontPoint> SomePoints(uint64_t seed, int count) {
  Random random(seed);
  std::vector<FrontPoint> points;
  // Coarse steps, so that errors and costs are often the same.
  for (int i = 0; i < count; ++i) {
    points.push_back({std::ceil(random.Uniform(0.1, 9)), std::ceil(random.Uniform(0.1, 9))});
  }
  return points;
}

TEST(LowerFront, HoldsWhatNothingElseBeats) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const std::vector<FrontPoint> points = SomePoints(seed, 1 + static_cast<int>(seed % 12));
    const std::vector<FrontPoint> front = LowerFront(points);
    ASSERT_FALSE(front.empty());
    for (size_t i = 1; i < front.size(); ++i) {
      EXPECT_GT(front[i].error, front[i - 1].error);
      EXPECT_LT(front[i].cost, front[i - 1].cost);
    }
    for (const FrontPoint& point : points) {
      const bool met = std::any_of(front.begin(), front.end(), [&](const FrontPoint& on) {
        return on.error <= point.error && on.cost <= point.cost;
      });
      EXPECT_TRUE(met) << seed;
    }
  }
}

TEST(LowerFront, CostsWhatItsPointsCostAndLiesBetweenThem) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const std::vector<FrontPoint> front = LowerFront(SomePoints(seed, 8));
    for (const FrontPoint& point : front) EXPECT_DOUBLE_EQ(CostAt(front, point.error), point.cost);
    for (size_t i = 1; i < front.size(); ++i) {
      const double between = CostAt(front, 0.5 * (front[i - 1].error + front[i].error));
      EXPECT_LT(between, front[i - 1].cost);
      EXPECT_GT(between, front[i].cost);
    }
    EXPECT_TRUE(std::isinf(CostAt(front, 0.99 * front.front().error)));
    EXPECT_EQ(CostAt(front, 2 * front.back().error), front.back().cost);
  }
}

TEST(LowerFront, IsStraightInLogarithms) { EXPECT_NEAR(CostAt({{1, 100}, {4, 1}}, 2), 10, 1e-9); }

// Costs fall with the square of the error; the single-level method takes `memory` and `time` times as much for the same
// error, and twice the error at the same epsilon.
FrontsComparison MadeUp(double memory, double time, const std::vector<double>& epsilons) {
  FrontsComparison c;
  c.linear_blend = 100;
  c.reference_regions = 100;
  c.reference_epsilon = 4;
  for (const int regions : {50, 100}) {
    for (const double epsilon : epsilons) {
      for (const bool single_level : {false, true}) {
        FrontsEntry& e = c.entries.emplace_back();
        e.single_level = single_level;
        e.regions = regions;
        e.epsilon = epsilon;
        e.error = (single_level ? 2 : 1) * epsilon * (regions == 100 ? 1 : 3);  // with 50, never on the front
        e.level_errors = {e.error};
        e.correctives = static_cast<size_t>(std::lround(1e9 / (e.error * e.error) * (single_level ? memory : 1)));
        e.cold.median = 1e6 / (e.error * e.error) * (single_level ? time : 1);
        if (regions == 50) e.correctives *= 100, e.cold.median *= 100;
      }
    }
  }
  return c;
}

TEST(Fronts, SayHowManyTimesAsMuchTheOtherMethodCosts) {
  const std::vector<FrontsRatio> ratios = RatiosOf(MadeUp(3, 2, {1, 2, 4, 8}));
  ASSERT_EQ(ratios.size(), 2u);
  EXPECT_EQ(ratios[0].at, "error");
  EXPECT_TRUE(ratios[0].reached);
  EXPECT_NEAR(ratios[0].error, 4, 1e-9);
  EXPECT_NEAR(ratios[0].memory, 3, 1e-3);
  EXPECT_NEAR(ratios[0].time, 2, 1e-3);
  EXPECT_EQ(ratios[1].at, "epsilon");
  EXPECT_NEAR(ratios[1].memory, 3 / 4.0, 1e-3);
  EXPECT_NEAR(ratios[1].time, 2 / 4.0, 1e-3);
}

// Whatever skinning takes is in both methods' frames: correctives' ratio is that of the frames without it.
TEST(Fronts, TellCorrectivesFromSkinning) {
  const FrontsComparison bare = MadeUp(3, 2, {1, 2, 4, 8});
  for (const double skinning : {1.0, 1e5, 1e9}) {
    FrontsComparison c = bare;
    c.skinning_cold = {.median = skinning, .fastest = 2 * skinning};
    for (FrontsEntry& e : c.entries) {
      e.cold.fastest = 3 * e.cold.median + 2 * skinning;
      e.cold.median += skinning;
    }
    const std::vector<FrontsRatio> ratios = RatiosOf(c), expected = RatiosOf(bare);
    for (size_t i = 0; i < ratios.size(); ++i) {
      EXPECT_NEAR(ratios[i].corrective_time, expected[i].time, 1e-3);
      EXPECT_NEAR(ratios[i].corrective_time_fastest, expected[i].time, 1e-3);
      EXPECT_LT(std::abs(ratios[i].time - 1), std::abs(expected[i].time - 1));  // skinning draws it toward 1
      EXPECT_EQ(FrontsJson(c, 1)["ratios"][i]["corrective_time"], ratios[i].corrective_time);
    }
  }
}

TEST(Fronts, SayNothingOfCorrectivesThatTakeNoTime) {
  FrontsComparison c = MadeUp(3, 2, {1, 2, 4, 8});
  c.skinning_cold.median = c.entries.back().cold.median * 1e9;
  for (const FrontsRatio& ratio : RatiosOf(c)) EXPECT_EQ(ratio.corrective_time, 0);
  EXPECT_TRUE(FrontsJson(c, 1)["ratios"][0]["corrective_time"].is_null());
  EXPECT_NE(FrontsText(c, 1).find("? (?) of our correctives"), std::string::npos);
  EXPECT_EQ(FrontsPlot(c, FrontsCost::kCorrectiveTime, 1).find("<circle"), std::string::npos);
}

TEST(Fronts, SayWhenTheOtherMethodIsNowhereSoExact) {
  const FrontsComparison c = MadeUp(3, 2, {4, 8});
  const FrontsRatio ratio = RatiosOf(c)[0];
  EXPECT_FALSE(ratio.reached);
  EXPECT_NEAR(ratio.memory, 3 / 4.0, 1e-3);  // at its error of 8
  EXPECT_NE(FrontsText(c, 1).find("nowhere so exact"), std::string::npos);
}

TEST(Fronts, AreTheSameInTablePlotAndJson) {
  const FrontsComparison c = MadeUp(3, 2, {1, 2, 4, 8});
  const Json json = FrontsJson(c, 1000);
  ASSERT_EQ(json["bundles"].size(), c.entries.size());
  EXPECT_EQ(json["bundles"][0]["rms_mm"], 1000 * c.entries[0].error);
  EXPECT_EQ(json["ratios"].size(), 2u);
  for (const FrontsCost cost : {FrontsCost::kMemory, FrontsCost::kTime, FrontsCost::kCorrectiveTime}) {
    const std::string svg = FrontsPlot(c, cost, 1000);
    size_t dots = 0;
    for (size_t at = 0; (at = svg.find("<circle", at)) != std::string::npos; ++at) ++dots;
    EXPECT_EQ(dots, 8u);  // those with 100 regions, of both methods
  }
}

}  // namespace
}  // namespace sinew::evaluate
