#include "sinew/offline/core/range_coder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sinew/offline/core/random.h"

namespace sinew {
namespace {

template <typename Coder>
void Walk(Coder& coder, std::vector<int>& values) {
  NumberModel model;
  BitModel bit;
  for (int& value : values) {
    value = coder.Signed(model, value);
    if (coder.Bit(bit, value % 2 == 0 ? 1 : 0) != (value % 2 == 0 ? 1 : 0)) value = -1;
  }
}

Bytes Encoded(std::vector<int> values) {
  RangeEncoder encoder;
  Walk(encoder, values);
  return encoder.Finish();
}

std::vector<int> RandomNumbers(int count, double spread, uint64_t seed) {
  Random random(seed);
  std::vector<int> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<int>(std::lround(spread * random.Normal())));
  return values;
}

TEST(RangeCoder, NumbersComeBackAndUseAllBytes) {
  constexpr int kMost = (1 << kMaxNumberBits) - 1;
  std::vector<std::vector<int>> lists = {{}, {0}, {kMost, -kMost, 0, 1, -1, kMost}, std::vector<int>(5000, 0)};
  for (const double spread : {0.1, 1.0, 30.0, 1e6}) lists.push_back(RandomNumbers(3000, spread, 9));
  for (int bits = 0; bits < kMaxNumberBits; ++bits) lists.push_back({1 << bits, (1 << bits) - 1, -(1 << bits)});
  for (const std::vector<int>& list : lists) {
    const Bytes bytes = Encoded(list);
    RangeDecoder decoder(bytes);
    std::vector<int> again(list.size(), 0);
    Walk(decoder, again);
    EXPECT_EQ(again, list);
    EXPECT_TRUE(decoder.AtEnd());
  }
}

// Carries run through many bytes of 255 only now and then: try many streams.
TEST(RangeCoder, ManyStreamsComeBack) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const std::vector<int> list = RandomNumbers(200, 0.3 * static_cast<double>(seed % 40), seed);
    const Bytes bytes = Encoded(list);
    RangeDecoder decoder(bytes);
    std::vector<int> again(list.size(), 0);
    Walk(decoder, again);
    ASSERT_EQ(again, list) << seed;
    ASSERT_TRUE(decoder.AtEnd());
  }
}

TEST(RangeCoder, SizesAreNearTheEntropy) {
  Random random(1);
  RangeEncoder encoder;
  BitModel model;
  constexpr int kBits = 100000;
  constexpr double kShare = 0.1;
  for (int i = 0; i < kBits; ++i) encoder.Bit(model, random.Uniform() < kShare ? 1 : 0);
  const double entropy = -kBits * (kShare * std::log2(kShare) + (1 - kShare) * std::log2(1 - kShare)) / 8;
  const auto size = static_cast<double>(encoder.Finish().size());
  EXPECT_GT(size, entropy * 0.98);
  EXPECT_LT(size, entropy * 1.05);
}

TEST(RangeCoder, NoNumberIsCheaperThanAReaderCountsOn) {
  RangeEncoder encoder;
  NumberModel model;
  constexpr size_t kCount = 500000;
  for (size_t i = 0; i < kCount; ++i) encoder.Unsigned(model, 0);
  EXPECT_GT(encoder.Finish().size() * kMaxNumbersPerByte, kCount);
}

TEST(RangeCoder, ReadingBeyondTheEndIsNoticed) {
  const std::vector<int> list = RandomNumbers(300, 20, 2);
  const Bytes bytes = Encoded(list);
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::span<const std::byte> cut = std::span(bytes).first(size);
    RangeDecoder decoder(cut);
    std::vector<int> again(list.size(), 0);
    Walk(decoder, again);
    EXPECT_FALSE(decoder.AtEnd());
  }
}

}  // namespace
}  // namespace sinew
