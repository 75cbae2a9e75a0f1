#include "sinew/offline/render/text.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/render/legend.h"
#include "tests/support/temporary_folder.h"

namespace sinew::render {
namespace {

constexpr Pixel kWhite = {255, 255, 255, 255}, kBlack = {0, 0, 0, 255};

// Columns that have ink: first and one past the last; {0, 0} for none.
std::pair<int, int> Ink(const Image& image) {
  int first = image.width, last = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      if (image.at(x, y) == kWhite) continue;
      first = std::min(first, x);
      last = std::max(last, x + 1);
    }
  }
  return last == 0 ? std::pair(0, 0) : std::pair(first, last);
}

TEST(Font, DrawsWhereItIsAsked) {
  const Font font;
  for (const Align align : {Align::kLeft, Align::kCenter, Align::kRight}) {
    Image image(400, 60, kWhite);
    font.Draw(image, "Character 12", 200, 40, 24, kBlack, align);
    const auto [first, last] = Ink(image);
    const float width = font.Width("Character 12", 24);
    const float start = align == Align::kLeft ? 200 : align == Align::kCenter ? 200 - width / 2 : 200 - width;
    EXPECT_NEAR(first, start, 4);
    EXPECT_NEAR(last, start + width, 4);
  }
}

TEST(Font, WidthGrowsWithTextAndSize) {
  const Font font;
  EXPECT_EQ(font.Width("", 20), 0);
  EXPECT_LT(font.Width("ab", 20), font.Width("abc", 20));
  EXPECT_NEAR(font.Width("abc", 40), 2 * font.Width("abc", 20), 0.01f);
}

TEST(Font, ClipsAtTheImagesBorder) {
  const Font font;
  Image image(20, 10, kWhite);
  font.Draw(image, "A long text that lies mostly outside", -30, 3, 30, kBlack);
  font.Draw(image, "below", 0, 100, 30, kBlack);
  SUCCEED();
}

TEST(Font, BrokenUtf8IsShownAsSuch) {
  const Font font;
  for (const char* text : {"\xff", "\xc3", "\xe2\x82", "a\x80z", "\xf5\x80\x80\x80"}) {
    Image image(200, 60, kWhite);
    font.Draw(image, text, 20, 40, 24, kBlack);
    EXPECT_GT(Ink(image).second, 0) << text;
  }
  EXPECT_NE(font.Width("ä", 24), font.Width("\xc3", 24) + font.Width("\xa4", 24));
}

TEST(Font, FitsIntoAWidth) {
  const Font font;
  EXPECT_EQ(font.Fit("short", 20, 500), "short");
  for (const float width : {40.0f, 80.0f, 150.0f}) {
    const std::string fitted = font.Fit("a rather löng läbel for a narrow panel", 20, width);
    EXPECT_TRUE(fitted.ends_with("…"));
    EXPECT_LE(font.Width(fitted, 20), width);
  }
}

TEST(Font, SaysWhichPackageIsMissing) {
  const testing::TemporaryFolder folder;
  WriteFileAtomic(folder / "broken.ttf", std::string_view("not a font"));
  for (const auto& path : {folder / "missing.ttf", folder / "broken.ttf"}) {
    try {
      const Font font(path);
      FAIL();
    } catch (const FailedError& error) {
      const std::string sentence = error.what();
      EXPECT_NE(sentence.find(path.string()), std::string::npos);
      EXPECT_NE(sentence.find("fonts-dejavu-core"), std::string::npos);
    }
  }
}

TEST(Legend, ShowsExactlyTheMapsColours) {
  for (const ColorMap map : {ColorMap::kSequential, ColorMap::kDiverging}) {
    Image image(800, 100, kWhite);
    const Legend legend{{-3, 12, map}, "distance", "mm"};
    const LegendBar bar = DrawLegend(legend, Font(), 0, 5, 800, 18, image);
    ASSERT_GT(bar.x1 - bar.x0, 100);
    for (int x = bar.x0; x < bar.x1; ++x) {
      const float t = static_cast<float>(x - bar.x0) / static_cast<float>(bar.x1 - 1 - bar.x0);
      for (int y = bar.y0; y < bar.y1; ++y) ASSERT_EQ(image.at(x, y), ToPixel(SrgbFromLinear(MapColor(map, t))));
    }
  }
}

TEST(Legend, ArrowsSayThatValuesLieBeyond) {
  for (const bool below : {false, true}) {
    for (const bool above : {false, true}) {
      Image image(800, 100, kWhite);
      const Legend legend{{0, 1}, "", "", below, above};
      const LegendBar bar = DrawLegend(legend, Font(), 0, 5, 800, 18, image);
      const int middle = (bar.y0 + bar.y1) / 2;
      EXPECT_EQ(image.at(bar.x0 - 2, middle) != kWhite, below);
      EXPECT_EQ(image.at(bar.x1 + 1, middle) != kWhite, above);
    }
  }
}

TEST(Legend, TicksAreRoundAndInside) {
  const std::vector<std::pair<double, double>> ranges = {{0, 1},     {0, 104},      {-8.38, 8.38}, {0, 3e-4},
                                                         {17, 17.2}, {-5e6, 2.3e7}, {0, 9.99},     {-1, 0}};
  for (const auto& [low, high] : ranges) {
    for (int count = 2; count <= 7; ++count) {
      const std::vector<double> ticks = RoundTicks(low, high, count);
      ASSERT_GE(ticks.size(), 3U);
      EXPECT_LE(ticks.size(), static_cast<size_t>(std::max(count, 4)) + 3);
      const double step = ticks[1] - ticks[0];
      EXPECT_GE(ticks.front(), low - 1e-6 * step);
      EXPECT_LE(ticks.back(), high + 1e-6 * step);
      for (size_t i = 1; i < ticks.size(); ++i) {
        EXPECT_NE(TickText(ticks[i], step), TickText(ticks[i - 1], step)) << low << " to " << high;
      }
    }
  }
  EXPECT_EQ(RoundTicks(2, 2, 5), std::vector<double>{2});
  EXPECT_EQ(TickText(20, 20), "20");
  EXPECT_EQ(TickText(0.25, 0.05), "0.25");
  EXPECT_EQ(TickText(-0.0, 0.5), "0.0");
}

}  // namespace
}  // namespace sinew::render
