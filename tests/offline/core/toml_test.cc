#include "sinew/offline/core/toml.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"

namespace sinew {
namespace {

std::string Refused(const std::string& text) {
  try {
    ParseToml(text, "my.toml", "mend it");
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "was accepted: " << text;
  return "";
}

TEST(Toml, ReadsSectionsListsAndValuesWithTheirLines) {
  const std::vector<TomlSection> sections = ParseToml(
      "# first\n[a]\nx = 1 # one\r\ny = \"# no comment\"\n\n[[b]]\nz = [1, 2.5]\n[[ b ]]\nflag=true", "f", "");
  ASSERT_EQ(sections.size(), 3u);
  EXPECT_EQ(sections[0].name, "a");
  EXPECT_FALSE(sections[0].listed);
  ASSERT_EQ(sections[0].settings.size(), 2u);
  EXPECT_EQ(sections[0].settings[0].key, "x");
  EXPECT_EQ(sections[0].settings[0].value, 1);
  EXPECT_EQ(sections[0].settings[0].line, 3);
  EXPECT_EQ(sections[0].settings[1].value, "# no comment");
  EXPECT_EQ(sections[1].name, "b");
  EXPECT_TRUE(sections[1].listed);
  EXPECT_EQ(sections[1].line, 6);
  EXPECT_EQ(sections[1].settings[0].value, Json::array({1, 2.5}));
  EXPECT_EQ(sections[2].name, "b");
  EXPECT_EQ(sections[2].settings[0].value, true);
}

TEST(Toml, SaysWhichLineIsWrong) {
  const auto expect = [](const std::string& text, const std::string& part) {
    const std::string sentence = Refused(text);
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("my.toml"), std::string::npos) << sentence;
  };
  expect("x = 1", "line 1");
  expect("[a\n", "']'");
  expect("[a]\n\nx", "line 3");
  expect("[a]\n= 1", "no key");
  expect("[a]\nx = one", "'one'");
  expect("[a]\nx = {}", "line 2");
  expect("[a]\nx = [[1]]", "line 2");
  expect("[a]\nx = \"\xff\"", "UTF-8");
}

}  // namespace
}  // namespace sinew
