#include "sinew/offline/tables/names.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"

namespace sinew::tables {
namespace {

TEST(Names, LeadBackToWhatTheyName) {
  for (const std::string& name : PrecisionNames()) EXPECT_EQ(NameOf(PrecisionNamed(name)), name);
  for (const std::string& name : PoseFeaturesNames()) EXPECT_EQ(NameOf(PoseFeaturesNamed(name)), name);
  EXPECT_EQ(PrecisionNames().size(), 3u);
  EXPECT_EQ(PoseFeaturesNames().size(), 3u);
}

TEST(Names, UnknownWordsAreRefusedAndNeverADefault) {
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_EQ(message([] { PrecisionNamed("f64"); }), "there is no precision \"f64\"; there are f32, f16, i8");
  EXPECT_EQ(message([] { PrecisionNamed(""); }), "there is no precision \"\"; there are f32, f16, i8");
  EXPECT_EQ(message([] { PoseFeaturesNamed("Euler"); }),
            "there is no kind of features \"Euler\"; there are quaternion, columns, euler");
}

}  // namespace
}  // namespace sinew::tables
