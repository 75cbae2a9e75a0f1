#include "sinew/offline/core/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace sinew {
namespace {

const std::string kReplaced = "\xEF\xBF\xBD", kEllipsis = "\xE2\x80\xA6";

TEST(Text, ReplacesOnlyWhatIsNotUtf8) {
  for (const std::string& good : {std::string("plain"),
                                  std::string("K\xC3\xA4"
                                              "fer \xE2\x82\xAC \xF0\x9F\xA6\x8A"),
                                  std::string("a\0b", 3), std::string("\x1b[31m\n\t")}) {
    EXPECT_TRUE(IsUtf8(good));
    EXPECT_EQ(ToUtf8(good), good);
  }
  EXPECT_EQ(ToUtf8("k\xE9"
                   "fer"),
            "k" + kReplaced + "fer");
  // A lone continuation, an overlong slash, a surrogate, beyond the last character, a character that is cut short.
  EXPECT_EQ(ToUtf8("\x80"), kReplaced);
  EXPECT_EQ(ToUtf8("\xC0\xAF"), kReplaced + kReplaced);
  EXPECT_EQ(ToUtf8("\xED\xA0\x80"), kReplaced + kReplaced + kReplaced);
  EXPECT_EQ(ToUtf8("\xF4\x90\x80\x80"), kReplaced + kReplaced + kReplaced + kReplaced);
  EXPECT_EQ(ToUtf8("\xE2\x82"), kReplaced);
  EXPECT_EQ(ToUtf8("\xE2\x82x"), kReplaced + "x");
  for (const char* bad : {"\x80", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "a\xFFz"}) {
    EXPECT_FALSE(IsUtf8(bad));
  }
}

TEST(Text, EscapesWhatATerminalObeys) {
  EXPECT_EQ(PrintableText("a\x1b[31mb\x07\r\x7f"), "a\\x1b[31mb\\x07\\r\\x7f");
  EXPECT_EQ(PrintableText("\xC2\x9B"
                          "31m \xE2\x80\xAE \xE2\x80\xA8"),
            "\\u009b31m \\u202e \\u2028");
  EXPECT_EQ(PrintableText("two\nlines\twith \xC3\xA4"), "two\nlines\twith \xC3\xA4");
  EXPECT_EQ(PrintableLine("two\nlines\t"), "two\\nlines\\t");
}

TEST(Text, ShortensInTheMiddleByCharacters) {
  EXPECT_EQ(Shortened("0123456789", 10), "0123456789");
  EXPECT_EQ(Shortened("0123456789", 6), "012" + kEllipsis + "89");
  const std::string umlauts = "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC";
  EXPECT_EQ(Shortened(umlauts, 6), umlauts);
  EXPECT_EQ(Shortened(umlauts, 4), umlauts.substr(0, 4) + kEllipsis + umlauts.substr(10));
}

TEST(Text, ShortensLongWordsInQuotesAndNothingElse) {
  const std::string word(5000, 'x');
  for (const char quote : {'\'', '"'}) {
    const std::string line = PrintableLine("a.glb: skin " + (quote + word) + quote + ": has no joints");
    EXPECT_LT(line.size(), kMaxQuoted + 60);
    EXPECT_TRUE(line.starts_with("a.glb: skin ")) << line;
    EXPECT_TRUE(line.ends_with(std::string("x") + quote + ": has no joints")) << line;
    EXPECT_NE(line.find(kEllipsis), std::string::npos);
  }
  const std::string sentence = "the body's name is 'a b' and \"c\"; it's not the other's";
  EXPECT_EQ(PrintableLine(sentence), sentence);
  const std::string path = "/folder/" + std::string(300, 'p') + "/a.glb: is empty";
  EXPECT_EQ(PrintableLine(path), path);
  EXPECT_LE(PrintableLine("a.glb: " + word + word).size(), kMaxMessage + 2);
}

RC_GTEST_PROP(Text, AnyBytesBecomeOnePrintableLine, (const std::string& bytes)) {
  const std::string line = PrintableLine(bytes);
  RC_ASSERT(IsUtf8(line));
  RC_ASSERT(std::none_of(line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }));
  RC_ASSERT(IsUtf8(ToUtf8(bytes)));
  RC_ASSERT(!IsUtf8(bytes) || ToUtf8(bytes) == bytes);
}

// Quotes that never close must not make it slow.
TEST(Text, ManyOpeningQuotesAreNoWork) {
  std::string quotes;
  for (int i = 0; i < 2'000'000; ++i) quotes += "('";
  EXPECT_LE(PrintableLine(quotes).size(), kMaxMessage + 2);
}

}  // namespace
}  // namespace sinew
