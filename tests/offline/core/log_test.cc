#include "sinew/offline/core/log.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(CollectWarnings, KeepsThemWhileItExists) {
  {
    const CollectWarnings collected;
    Warn("{} was rescaled", "a weight");
    Warn("second");
    EXPECT_EQ(collected.messages(), (std::vector<std::string>{"a weight was rescaled", "second"}));
  }
  testing::internal::CaptureStderr();
  Warn("shown");
  EXPECT_NE(testing::internal::GetCapturedStderr().find("warning: shown"), std::string::npos);
  const CollectWarnings again;
  EXPECT_TRUE(again.messages().empty());
}

}  // namespace
}  // namespace sinew
