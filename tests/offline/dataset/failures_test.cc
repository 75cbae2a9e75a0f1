#include "sinew/offline/dataset/failures.h"

#include <gtest/gtest.h>

namespace sinew::dataset {
namespace {

TEST(Failures, ReasonsThatDifferInNumbersAreOne) {
  const Failures failures = {{"0.4% of the skin is inside out", {7}},
                             {"0.31% of the skin is inside out", {3, 9}},
                             {"12 tetrahedra are inverted", {1}},
                             {"0.38% of the skin is inside out", {2}},
                             {"no step lowers the energy after 0 Newton steps.", {4, 5}}};
  const std::vector<FailureKind> kinds = KindsOf(failures);
  ASSERT_EQ(kinds.size(), 3u);
  EXPECT_EQ(kinds[0].reason, "0.31 to 0.4% of the skin is inside out");
  EXPECT_EQ(kinds[0].frames, (std::vector<int>{2, 3, 7, 9}));
  EXPECT_EQ(kinds[1].reason, "no step lowers the energy after 0 Newton steps.");
  EXPECT_EQ(kinds[2].reason, "12 tetrahedra are inverted");
}

TEST(Failures, NumbersAreOrderedByWhatTheyAreWorth) {
  const std::vector<FailureKind> kinds =
      KindsOf({{"12% of 3", {0}}, {"5% of 3", {1}}, {"9% of 3", {2}}, {"10% of 20.", {3}}, {"4% of 20.", {4}}});
  ASSERT_EQ(kinds.size(), 2u);
  EXPECT_EQ(kinds[0].reason, "5 to 12% of 3");
  EXPECT_EQ(kinds[1].reason, "4 to 10% of 20.");
}

TEST(Failures, NoneAreNone) { EXPECT_TRUE(KindsOf({}).empty()); }

}  // namespace
}  // namespace sinew::dataset
