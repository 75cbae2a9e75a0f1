#include "sinew/offline/core/units.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"

namespace sinew {
namespace {

TEST(Units, EveryNameHasALengthAndOthersAreRefused) {
  for (const std::string& unit : UnitNames()) EXPECT_GT(MetresPer(unit), 0) << unit;
  EXPECT_EQ(MetresPer("ft"), 0.3048);
  try {
    MetresPer("yd");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "'yd' is not a unit: give m, dm, cm, mm, in or ft");
  }
}

}  // namespace
}  // namespace sinew
