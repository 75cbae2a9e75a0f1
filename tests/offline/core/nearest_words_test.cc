#include "sinew/offline/core/nearest_words.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(NearestWords, AreThoseWithTheFewestChanges) {
  EXPECT_EQ(Nearest("traning", {"input", "training", "timing"}), "training");
  EXPECT_EQ(Nearest("", {"abc", "a"}), "a");
  EXPECT_EQ(Nearest("x", {}), "");
  const std::vector<std::string> joints = {"left_knee", "left_elbow", "right_elbow", "head"};
  EXPECT_EQ(NearestWords("left_elbw", joints, 2), (std::vector<std::string>{"left_elbow", "left_knee"}));
  EXPECT_EQ(NearestWords("head", joints, 9).size(), joints.size());
  EXPECT_EQ(NearestWords("b", {"a", "c"}, 2), (std::vector<std::string>{"a", "c"}));
}

}  // namespace
}  // namespace sinew
