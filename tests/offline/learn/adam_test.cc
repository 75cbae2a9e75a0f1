#include "sinew/offline/learn/adam.h"

#include <gtest/gtest.h>

#include <vector>

#include "sinew/offline/core/random.h"

namespace sinew::learn {
namespace {

// Algorithm 1 of the paper as it is printed, moments corrected one by one.
TEST(Adam, StepsAsThePaperPrintsThem) {
  constexpr int kCount = 7, kSteps = 30;
  Random random(3);
  const AdamOptions options{.epsilon = 0};
  std::vector<double> rates(kCount), x(kCount), first(kCount), second(kCount), m(kCount), v(kCount), y;
  for (double& rate : rates) rate = random.Uniform(0.5, 2);
  for (double& value : x) value = random.Uniform(-1, 1);
  y = x;
  for (int t = 1; t <= kSteps; ++t) {
    std::vector<double> gradient(kCount);
    for (double& g : gradient) g = random.Uniform(-1, 1);
    const double rate = 0.01 / t, keep = 0.999;
    AdvanceAdam<double>(gradient, AdamScale(t, rate, options), keep, rates, first, second, x, options);
    for (int i = 0; i < kCount; ++i) {
      m[i] = 0.9 * m[i] + 0.1 * gradient[i];
      v[i] = 0.999 * v[i] + 0.001 * gradient[i] * gradient[i];
      const double m_hat = m[i] / (1 - std::pow(0.9, t)), v_hat = v[i] / (1 - std::pow(0.999, t));
      y[i] = keep * y[i] - rate * rates[i] * m_hat / std::sqrt(v_hat);
    }
    for (int i = 0; i < kCount; ++i) ASSERT_NEAR(x[i], y[i], 1e-12) << t;
  }
}

TEST(Adam, FindsTheMinimumOfABowl) {
  std::vector<float> x = {3, -2}, gradient(2), first(2), second(2);
  for (int t = 1; t <= 2000; ++t) {
    for (int i = 0; i < 2; ++i) gradient[i] = 2 * (x[i] - 1);
    AdvanceAdam<float>(gradient, static_cast<float>(AdamScale(t, 0.02)), 1, {}, first, second, x);
  }
  EXPECT_NEAR(x[0], 1, 1e-3);
  EXPECT_NEAR(x[1], 1, 1e-3);
}

}  // namespace
}  // namespace sinew::learn
