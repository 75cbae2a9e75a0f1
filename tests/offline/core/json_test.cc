#include "sinew/offline/core/json.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/text.h"

namespace sinew {
namespace {

std::string Problem(const std::string& text) {
  try {
    ParseJson(text, "a.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(JsonText, ReplacesWhatIsNotUtf8AndKeepsTheRest) {
  const std::string name(5000, 'n');
  const Json json = {{"k\xE9y", "v\xFF"}, {"escape", "\x1b[31m"}, {"long", name}};
  const Json back = Json::parse(JsonText(json));
  EXPECT_EQ(back.at("k\xEF\xBF\xBDy"), "v\xEF\xBF\xBD");
  EXPECT_EQ(back.at("escape"), "\x1b[31m");
  EXPECT_EQ(back.at("long"), name);
  EXPECT_EQ(JsonText({{"a", 1}}), R"({"a":1})");
  EXPECT_EQ(JsonText({{"a", 1}}, 1), "{\n \"a\": 1\n}");
}

TEST(ParseJson, ErrorsAreUtf8AndShort) {
  for (const std::string& text :
       {std::string("{\"a\": \"\xE9\"}"), std::string("{\"a\xFF\": 1}"), std::string("\x80"),
        "{\"a\": \"" + std::string(100'000, 'x') + "\n\"}", "[" + std::string(100'000, '7') + "x]"}) {
    const std::string problem = Problem(text);
    EXPECT_TRUE(problem.starts_with("a.json: JSON: ")) << problem;
    EXPECT_TRUE(IsUtf8(problem)) << problem;
    EXPECT_LT(problem.size(), 500u) << problem;
    EXPECT_TRUE(problem.ends_with("export it again")) << problem;
  }
}

}  // namespace
}  // namespace sinew
