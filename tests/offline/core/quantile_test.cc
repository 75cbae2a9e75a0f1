#include "sinew/offline/core/quantile.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Quantile, IsInterpolated) {
  EXPECT_DOUBLE_EQ(Quantile({3, 1, 2}, 0.5), 2);
  EXPECT_DOUBLE_EQ(Quantile({0, 10}, 0.95), 9.5);
  EXPECT_DOUBLE_EQ(Quantile({7}, 0.95), 7);
  EXPECT_DOUBLE_EQ(Quantile({4, 1, 3}, 0), 1);
  EXPECT_DOUBLE_EQ(Quantile({4, 1, 3}, 1), 4);
}

TEST(Quantile, StaysInTheList) {
  EXPECT_EQ(Quantile({}, 0.95), 0);
  EXPECT_EQ(Quantile({1, 2}, 1.5), 2);
  EXPECT_EQ(Quantile({1, 2}, -1), 1);
}

}  // namespace
}  // namespace sinew
