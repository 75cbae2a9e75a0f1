#include "sinew/offline/corpus/field_coder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/offline/core/random.h"

namespace sinew::corpus {
namespace {

// A square of n by n points and one point that no triangle has.
struct Sheet {
  explicit Sheet(int n) : triangles(2 * (n - 1) * (n - 1), 3) {
    int t = 0;
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        grid.insert(grid.end(), {static_cast<uint16_t>(900 * x), static_cast<uint16_t>(900 * y), 7});
        if (x + 1 == n || y + 1 == n) continue;
        const int i = y * n + x;
        triangles.row(t++) << i, i + 1, i + n;
        triangles.row(t++) << i + 1, i + n + 1, i + n;
      }
    }
    grid.insert(grid.end(), {7, 7, 7});
  }
  int points() const { return static_cast<int>(grid.size() / 3); }

  std::vector<uint16_t> grid;
  Triangles triangles;
};

bool IsOrder(std::vector<int> order, int points) {
  std::sort(order.begin(), order.end());
  for (int i = 0; i < points; ++i) {
    if (order[i] != i) return false;
  }
  return static_cast<int>(order.size()) == points;
}

TEST(PointGuesses, AreMadeFromPointsThatComeEarlier) {
  const Sheet sheet(20);
  for (const std::vector<int>& order : {CoarseToFine(sheet.grid), AlongSurface(sheet.triangles, sheet.points())}) {
    ASSERT_TRUE(IsOrder(order, sheet.points()));
    const PointGuesses guesses = MakePointGuesses(order, sheet.triangles);
    std::set<int> known;
    int without = 0;
    for (int place = 0; place < sheet.points(); ++place) {
      for (const int source : guesses.sources[place]) EXPECT_TRUE(known.contains(source));
      without += guesses.sources[place].empty() ? 1 : 0;
      known.insert(order[place]);
    }
    EXPECT_EQ(without, 2) << "the first points of two islands";
    EXPECT_GE(*std::min_element(guesses.weights.begin(), guesses.weights.end()), 1);
  }
}

Bytes Encoded(const Sheet& sheet, std::vector<std::vector<int32_t>> fields) {
  const PointGuesses guesses = MakePointGuesses(CoarseToFine(sheet.grid), sheet.triangles);
  RangeEncoder encoder;
  FieldCoder coder(guesses);
  for (std::vector<int32_t>& field : fields) EXPECT_TRUE(coder.Code(encoder, field.data()));
  return encoder.Finish();
}

std::vector<int32_t> Field(const Sheet& sheet, const std::function<int(int, int)>& value) {
  std::vector<int32_t> field;
  for (int i = 0; i < 3 * sheet.points(); ++i) field.push_back(value(i / 3, i % 3));
  return field;
}

TEST(FieldCoder, FieldsComeBack) {
  const Sheet sheet(23);
  Random random(5);
  const std::vector<std::vector<int32_t>> fields = {
      Field(sheet, [&](int, int) { return static_cast<int>(random.Below(9)) - 4; }),
      Field(sheet, [&](int i, int) { return i % 7 == 0 ? FieldCoder::kLimit - 1 : 1 - FieldCoder::kLimit; }),
      Field(sheet, [&](int, int) { return 0; }), Field(sheet, [&](int i, int a) { return i * (a - 1); })};
  const Bytes bytes = Encoded(sheet, fields);
  const PointGuesses guesses = MakePointGuesses(CoarseToFine(sheet.grid), sheet.triangles);
  RangeDecoder decoder(bytes);
  FieldCoder coder(guesses);
  for (const std::vector<int32_t>& field : fields) {
    std::vector<int32_t> again(field.size(), 99);
    EXPECT_TRUE(coder.Code(decoder, again.data()));
    EXPECT_EQ(again, field);
  }
  EXPECT_TRUE(decoder.AtEnd());
}

TEST(FieldCoder, WhatIsSmoothTakesFewerBytesThanTheSameNumbersShuffled) {
  const Sheet sheet(40);
  const auto wave = [](int i, int a) { return static_cast<int>(std::lround(200 * std::sin(0.1 * (i % 40) + a))); };
  std::vector<int32_t> smooth = Field(sheet, wave), shuffled = smooth;
  Random random(3);
  for (size_t k = shuffled.size(); k > 1; --k)
    std::swap(shuffled[k - 1], shuffled[random.Below(static_cast<uint32_t>(k))]);
  EXPECT_LT(2 * Encoded(sheet, {smooth}).size(), Encoded(sheet, {shuffled}).size());
  EXPECT_LT(Encoded(sheet, {Field(sheet, [](int, int) { return 0; })}).size(), 100u) << "nothing takes next to nothing";
}

}  // namespace
}  // namespace sinew::corpus
