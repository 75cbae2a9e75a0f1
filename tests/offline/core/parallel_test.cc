#include "sinew/offline/core/parallel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <stdexcept>

namespace sinew {
namespace {

class Parallel : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { SetThreads(GetParam()); }
  void TearDown() override { SetThreads(0); }
};

TEST_P(Parallel, VisitsEveryIndexOnce) {
  for (const int count : {0, 1, 7, 64, 1000}) {
    std::vector<int> visits(count, 0);
    ParallelFor(count, 3, [&](int i) { ++visits[i]; });
    EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), 0), count);
    for (const int v : visits) EXPECT_EQ(v, 1);
  }
}

TEST_P(Parallel, NestedLoopsFinish) {
  std::vector<int> sums(50, 0);
  ParallelFor(50, 1, [&](int i) {
    std::vector<int> inner(100);
    ParallelFor(100, 10, [&](int k) { inner[k] = k; });
    sums[i] = std::accumulate(inner.begin(), inner.end(), 0);
  });
  for (const int sum : sums) EXPECT_EQ(sum, 4950);
}

TEST_P(Parallel, ThrowsTheFirstErrorInOrderOfChunks) {
  try {
    ParallelFor(100, 1, [](int i) {
      if (i == 30 || i == 70) throw std::runtime_error(std::to_string(i));
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "30");
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, Parallel, ::testing::Values(1, 2, 5));

TEST(ParallelReduce, SameBitsWhateverTheNumberOfThreads) {
  const auto sum = [](int threads) {
    SetThreads(threads);
    return ParallelReduce(
        100000, 977, 0.0f,
        [](int begin, int end) {
          float s = 0;
          for (int i = begin; i < end; ++i) s += std::sin(static_cast<float>(i));
          return s;
        },
        [](float& total, float value) { total += value; });
  };
  const float one = sum(1);
  EXPECT_EQ(one, sum(2));
  EXPECT_EQ(one, sum(7));
  SetThreads(0);
}

}  // namespace
}  // namespace sinew
