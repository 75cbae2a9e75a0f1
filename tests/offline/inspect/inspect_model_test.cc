#include "sinew/offline/inspect/inspect_model.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/small_model.h"

namespace sinew::inspect {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

learn::Model LongModel() {
  learn::Model model = sinew::testing::SmallModel();
  Json seen = Json::array(), joints = Json::array();
  for (int k = 0; k < 5000; ++k) seen.push_back(fmt::format("{:016x}", k));
  for (int k = 0; k < 24; ++k) joints.push_back(fmt::format("joint{}", k));
  model.settings = JsonBox(
      Json{{"kind", "graphnet"}, {"seen", seen}, {"joints", joints}, {"training", {{"seed", 3}, {"rate", 0.003}}}});
  return model;
}

TEST(InspectModel, ReadsWellWithLongLists) {
  const std::string text = ToText(LongModel());
  EXPECT_THAT(text, HasSubstr("5000 entries: 0000000000000000, 0000000000000001, 0000000000000002, ...\n"));
  EXPECT_THAT(text, HasSubstr("joint23\n"));
  EXPECT_THAT(text, HasSubstr("seed 3, rate 0.003\n"));
  EXPECT_THAT(text, HasSubstr("rms_mm 1.25"));
  EXPECT_THAT(text, HasSubstr("hidden  linear  outputs 4\n"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
  }
  EXPECT_EQ(ToJson(LongModel())["settings"]["seen"].size(), 5000u);
}

// An architecture is whatever object the file holds, and its texts come from anywhere.
TEST(InspectModel, ShowsAnyArchitecture) {
  learn::Model model = sinew::testing::SmallModel();
  for (const char* architecture : {R"({})", R"({"layers": 3})", R"({"layers": [1]})", R"({"layers": [{"kind": [1]}]})",
                                   R"({"name": "a\u001b[31m\nb", "deep": {"deeper": {"list": [[1, 2], {"x": 1}]}}})"}) {
    model.architecture = JsonBox(Json::parse(architecture));
    EXPECT_THAT(ToText(model), HasSubstr("Findings: none"));
    EXPECT_THAT(ToText(model), Not(HasSubstr("\x1b")));
  }
}

}  // namespace
}  // namespace sinew::inspect
