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

TEST(Log, ShowsAnyBytesAsOnePrintableLine) {
  testing::internal::CaptureStderr();
  Warn("joint '{}'", "k\xE9\x1b[31m\nb");
  Info("{}", "\xFF\x07");
  const std::string shown = testing::internal::GetCapturedStderr();
  EXPECT_NE(shown.find("warning: joint 'k\xEF\xBF\xBD\\x1b[31m\\nb'\n"), std::string::npos) << shown;
  EXPECT_NE(shown.find("\xEF\xBF\xBD\\x07\n"), std::string::npos) << shown;
}

}  // namespace
}  // namespace sinew
