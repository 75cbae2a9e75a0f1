#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/offline/core/markup.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/io/gltf/base64.h"
#include "sinew/offline/report/page.h"
#include "sinew/offline/report/plot.h"

namespace sinew::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Every element is closed by the one that it was opened by, and no text was taken for markup.
void ExpectBalanced(const std::string& text) {
  std::vector<std::string> open;
  for (size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const size_t end = text.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = text.substr(at + 1, end - at - 1), name = tag.substr(0, tag.find_first_of(" \n/", 1));
    if (tag[0] == '!' || name == "meta" || name == "img" || tag.back() == '/') continue;
    if (tag[0] != '/') {
      open.push_back(name);
      continue;
    }
    ASSERT_FALSE(open.empty());
    ASSERT_EQ("/" + open.back(), tag);
    open.pop_back();
  }
  EXPECT_TRUE(open.empty()) << open.back();
}

TEST(Markup, IsShownAndNotObeyed) {
  EXPECT_EQ(EscapeMarkup("<b a='1' c=\"2\">&amp;"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;");
}

TEST(Base64, ComesBack) {
  Random random(1);
  for (int size = 0; size < 40; ++size) {
    Bytes bytes(size);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random.Below(256));
    const auto back = gltf::DecodeBase64(gltf::EncodeBase64(bytes));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, bytes);
  }
  const std::string text = "any carnal pleas";
  EXPECT_EQ(gltf::EncodeBase64(std::as_bytes(std::span(text))), "YW55IGNhcm5hbCBwbGVhcw==");
}

TEST(Ticks, AreRoundInsideAndAbout) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const double range = std::pow(10, random.Uniform(-6, 6));
    const double low = 100 * range * random.Uniform(-1, 1), high = low + range;
    const std::vector<double> ticks = Ticks(low, high, 5);
    ASSERT_GE(ticks.size(), 2u) << low << " " << high;
    ASSERT_LE(ticks.size(), 7u);
    EXPECT_GE(ticks.front(), low - 1e-6 * (high - low));
    EXPECT_LE(ticks.back(), high + 1e-6 * (high - low));
    const double step = ticks[1] - ticks[0], digit = step / std::pow(10, std::floor(std::log10(step * (1 + 1e-6))));
    EXPECT_TRUE(std::abs(digit - 1) < 1e-6 || std::abs(digit - 2) < 1e-6 || std::abs(digit - 5) < 1e-6) << digit;
  }
}

TEST(Plots, DrawAnyNumbers) {
  const std::vector<Series> families = {
      {"nothing", {}},
      {"one", {{1, 2}}},
      {"flat", {{0, 3}, {1, 3}}},
      {"zero", {{0, 0}, {1, 0}}},
      {"broken", {{0, 1}, {1, kNan}, {2, 3}, {3, kInfinity}, {4, -2}}},
      {"huge", {{0, 1e300}, {1e200, -1e300}}},
      {"<tiny & small>", {{0, 1e-300}, {1e-200, 2e-300}}},
  };
  for (const Series& family : families) {
    for (const int logarithmic : {0, 1, 2, 3}) {
      LinePlot plot;
      plot.title = "a < b";
      plot.series = {family, families[1]};
      plot.log_x = (logarithmic & 1) != 0;
      plot.log_y = (logarithmic & 2) != 0;
      const std::string svg = DrawLines(plot);
      ExpectBalanced(svg);
      EXPECT_EQ(svg.find("nan"), std::string::npos) << family.name;
      EXPECT_EQ(svg.find("inf"), std::string::npos) << family.name;
    }
  }
  const std::string bars =
      DrawBars({"bars", "vertices", {"1", "2", "<3>"}, {{"before", {1, -4, kNan}}, {"after", {3, 2, 1, 9}}}});
  ExpectBalanced(bars);
  EXPECT_EQ(bars.find("nan"), std::string::npos);
  ExpectBalanced(DrawBars({}));
}

TEST(Plots, PutTheLargestValueAtTheTop) {
  LinePlot plot;
  plot.series = {{"a", {{0, 0}, {10, 4}}}};
  const std::string svg = DrawLines(plot);
  EXPECT_NE(svg.find("d=\"M58.0 198.0 L448.0 30.0 \""), std::string::npos) << svg;
}

TEST(Plots, GiveBarsTheColourThatTheyAreToldAndTheKeysToo) {
  const auto count = [](const std::string& svg, const std::string& colour) {
    size_t found = 0;
    for (size_t at = svg.find(colour); at != std::string::npos; at = svg.find(colour, at + 1)) ++found;
    return found;
  };
  BarPlot plot{.names = {"one", "two"}, .series = {{"a", {1, 2}}, {"b", {2, 1}}}};
  EXPECT_EQ(count(DrawBars(plot), "--series-1"), 3u);
  EXPECT_EQ(count(DrawBars(plot), "--series-2"), 3u);
  plot.colors = {2, 3};
  EXPECT_EQ(count(DrawBars(plot), "--series-3"), 3u);
  EXPECT_EQ(count(DrawBars(plot), "--series-4"), 3u);
}

TEST(Plots, PutEqualRatiosEquallyFarApartOnALogarithmicAxis) {
  LinePlot plot;
  plot.series = {{"a", {{1, 0}, {10, 0}, {100, 4}}}};
  plot.log_x = true;
  const std::string svg = DrawLines(plot);
  EXPECT_NE(svg.find("d=\"M58.0 198.0 L253.0 198.0 L448.0 30.0 \""), std::string::npos) << svg;
}

TEST(Page, StandsAloneAndIsWellFormed) {
  Page page("A <body>", "R&D");
  page.Section("Numbers");
  page.Facts({{"vertices", "12"}, {"file", "a<b>.glb"}});
  page.Paragraph("less < more");
  page.Warning("one \"island\"");
  page.Table({"name", "value"}, {{"a", "1"}, {"b"}, {"c", "3", "too many"}}, {.caption = "values"});
  page.Plots({DrawLines({}), DrawBars({})});
  const Bytes png = {std::byte{1}, std::byte{2}};
  page.Picture(png, "a \"picture\"", "seen");
  const std::string html = page.Html();
  // The style sheet has no markup in it.
  ExpectBalanced(html);
  for (const char* other : {"http://www.w3.org/2000/svg\" viewBox", "data:image/png;base64,AQI="}) {
    EXPECT_NE(html.find(other), std::string::npos) << other;
  }
  for (const char* foreign : {"<script", "<link", "src=\"http", "url(", "too many", "A <body>"}) {
    EXPECT_EQ(html.find(foreign), std::string::npos) << foreign;
  }
}

TEST(Page, FoldsASectionUntilTheNextOne) {
  Page page("title");
  page.FoldedSection("Numbers <1>", "what & how");
  page.Paragraph("folded words");
  page.FoldedSection("More", "summary");
  page.Section("Open");
  page.Paragraph("open words");
  page.FoldedSection("Last", "until the end");
  const std::string html = page.Html();
  ExpectBalanced(html);
  EXPECT_NE(html.find("<summary><h2>Numbers &lt;1&gt;</h2><span>what &amp; how</span></summary>"), std::string::npos);
  // What is folded is closed before the open section begins.
  const auto count_before = [&](const std::string& what, const std::string& where) {
    size_t count = 0;
    for (size_t at = html.find(what); at < html.find(where); at = html.find(what, at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(count_before("<details>", "folded words"), 1u);
  EXPECT_EQ(count_before("</details>", "folded words"), 0u);
  EXPECT_EQ(count_before("<details>", "open words"), 2u);
  EXPECT_EQ(count_before("</details>", "open words"), 2u);
  EXPECT_EQ(count_before("</details>", "</body>"), 3u);
}

TEST(Page, ShowsCommandsAndPicturesSideBySide) {
  Page page("title");
  page.Commands({{"look at <it>", "sinew view 'a & b'"}});
  page.Gallery({{.png = {std::byte{1}, std::byte{2}}, .alt = "first", .caption = "one"}, {.png = {}, .alt = "second"}});
  const std::string html = page.Html();
  ExpectBalanced(html);
  for (const char* text : {"look at &lt;it&gt;<code>sinew view &#39;a &amp; b&#39;</code>",
                           "base64,AQI=", "alt=\"second\"", "<figcaption>one</figcaption>"}) {
    EXPECT_NE(html.find(text), std::string::npos) << text;
  }
}

TEST(Page, CapitalizesWhatBeginsWithALetter) {
  EXPECT_EQ(Capitalized("sitting"), "Sitting");
  EXPECT_EQ(Capitalized("12 poses"), "12 poses");
  EXPECT_EQ(Capitalized(""), "");
}

}  // namespace
}  // namespace sinew::report
