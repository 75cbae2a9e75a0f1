#include "sinew/offline/core/range_coder.h"

#include <algorithm>
#include <bit>

namespace sinew {
namespace {

constexpr uint32_t kLeastRange = 1u << 24;
constexpr int kHeaderBytes = 5;  // that the decoder starts with, and the encoder ends with

// Walks through a number of so many bits: `bit` and `raw` code one, or the lowest bits, and return them.
template <typename BitCoder, typename RawCoder>
uint32_t CodeUnsigned(NumberModel& model, uint32_t value, const BitCoder& bit, const RawCoder& raw) {
  const int wanted = std::bit_width(value);
  int bits = 0;
  while (bits < kMaxNumberBits && bit(model.more[bits], wanted > bits ? 1 : 0) != 0) ++bits;
  if (bits < 2) return static_cast<uint32_t>(bits);
  uint32_t result = 1;
  int left = bits - 1;
  for (int place = 0; place < 2 && left > 0; ++place) {
    --left;
    const int next = bit(model.top[bits][place == 0 ? 0 : result - 1], static_cast<int>(value >> left & 1));
    result = 2 * result + static_cast<uint32_t>(next);
  }
  return left > 0 ? (result << left) + raw(value & ((1u << left) - 1), left) : result;
}

template <typename Coder>
int CodeSigned(Coder& coder, NumberModel& model, int value) {
  const auto magnitude = static_cast<int>(coder.Unsigned(model, static_cast<uint32_t>(std::abs(value))));
  if (magnitude == 0) return 0;
  return coder.Bit(model.sign, value < 0 ? 1 : 0) != 0 ? -magnitude : magnitude;
}

}  // namespace

void RangeEncoder::ShiftOut() {
  if (low_ < 0xff000000u || low_ > 0xffffffffu) {
    const auto carry = static_cast<uint8_t>(low_ >> 32);
    for (uint8_t byte = held_; waiting_ > 0; --waiting_, byte = 0xff) {
      bytes_.push_back(static_cast<std::byte>(static_cast<uint8_t>(byte + carry)));
    }
    held_ = static_cast<uint8_t>(low_ >> 24);
  }
  ++waiting_;
  low_ = (low_ & 0x00ffffffu) << 8;
}

int RangeEncoder::Bit(BitModel& model, int bit) {
  const uint32_t bound = (range_ >> 16) * model.zero();
  if (bit == 0) {
    range_ = bound;
  } else {
    low_ += bound;
    range_ -= bound;
  }
  model.Note(bit);
  for (; range_ < kLeastRange; range_ <<= 8) ShiftOut();
  return bit;
}

void RangeEncoder::Raw(uint32_t value, int bits) {
  while (bits-- > 0) {
    range_ >>= 1;
    if ((value >> bits & 1) != 0) low_ += range_;
    for (; range_ < kLeastRange; range_ <<= 8) ShiftOut();
  }
}

uint32_t RangeEncoder::Unsigned(NumberModel& model, uint32_t value) {
  return CodeUnsigned(
      model, value, [this](BitModel& m, int bit) { return Bit(m, bit); },
      [this](uint32_t low, int bits) {
        Raw(low, bits);
        return low;
      });
}

int RangeEncoder::Signed(NumberModel& model, int value) { return CodeSigned(*this, model, value); }

Bytes RangeEncoder::Finish() {
  for (int i = 0; i < kHeaderBytes; ++i) ShiftOut();
  return std::move(bytes_);
}

RangeDecoder::RangeDecoder(std::span<const std::byte> bytes) : bytes_(bytes) {
  for (int i = 0; i < kHeaderBytes; ++i) code_ = code_ << 8 | Next();
}

uint32_t RangeDecoder::Next() {
  const size_t at = at_++;
  return at < bytes_.size() ? static_cast<uint32_t>(bytes_[at]) : 0;
}

int RangeDecoder::Bit(BitModel& model, int) {
  const uint32_t bound = (range_ >> 16) * model.zero();
  const int bit = code_ < bound ? 0 : 1;
  if (bit == 0) {
    range_ = bound;
  } else {
    code_ -= bound;
    range_ -= bound;
  }
  model.Note(bit);
  for (; range_ < kLeastRange; range_ <<= 8) code_ = code_ << 8 | Next();
  return bit;
}

uint32_t RangeDecoder::Raw(int bits) {
  uint32_t value = 0;
  while (bits-- > 0) {
    range_ >>= 1;
    const uint32_t bit = code_ >= range_ ? 1 : 0;
    code_ -= bit * range_;
    value = 2 * value + bit;
    for (; range_ < kLeastRange; range_ <<= 8) code_ = code_ << 8 | Next();
  }
  return value;
}

uint32_t RangeDecoder::Unsigned(NumberModel& model, uint32_t) {
  return CodeUnsigned(
      model, 0, [this](BitModel& m, int) { return Bit(m); }, [this](uint32_t, int bits) { return Raw(bits); });
}

int RangeDecoder::Signed(NumberModel& model, int) { return CodeSigned(*this, model, 0); }

}  // namespace sinew
