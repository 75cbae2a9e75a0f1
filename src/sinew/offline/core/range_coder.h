// Adaptive range coder: whole numbers in as few bits as what came before lets one expect (G. N. N. Martin, "Range
// encoding: an algorithm for removing redundancy from a digitised message", 1979; binary, with carries as in LZMA).
//
// What is coded is walked through by one function for both directions, so that they cannot differ:
//
//   template <typename Coder>
//   void Walk(Coder& coder, std::vector<int>& values) {
//     NumberModel model;
//     for (int& value : values) value = coder.Signed(model, value);
//   }
//
// All arithmetic is on whole numbers: the same bytes on every machine.
#ifndef SINEW_OFFLINE_CORE_RANGE_CODER_H_
#define SINEW_OFFLINE_CORE_RANGE_CODER_H_

#include <array>
#include <cstdint>
#include <span>

#include "sinew/offline/core/file.h"

namespace sinew {

// Probability that a bit is 0, which follows the bits that came: the mean of a quick and a slow estimate, in 1/65,536.
class BitModel {
 public:
  // Bounds keep the cost of a bit above 1/45 of a bit, so that a reader can tell from the number of bytes how many
  // numbers there can be at most.
  uint32_t zero() const {
    const uint32_t mean = (uint32_t{quick_} + slow_) / 2;
    return mean < kLeast ? kLeast : mean > kOne - kLeast ? kOne - kLeast : mean;
  }
  void Note(int bit) {
    quick_ = Moved(quick_, bit, 4);
    slow_ = Moved(slow_, bit, 7);
  }

  static constexpr uint32_t kOne = 1u << 16, kLeast = 1u << 10;

 private:
  static uint16_t Moved(uint16_t p, int bit, int shift) {
    return static_cast<uint16_t>(bit != 0 ? p - (p >> shift) : p + ((kOne - 1 - p) >> shift));
  }

  uint16_t quick_ = kOne / 2, slow_ = kOne / 2;
};

// Bytes that a number costs are at least 1/kMaxNumbersPerByte.
constexpr size_t kMaxNumbersPerByte = 360;
constexpr int kMaxNumberBits = 24;  // of the magnitude of a number

// Statistics of numbers of one kind: how many bits they have, and the first two below the highest.
struct NumberModel {
  std::array<BitModel, kMaxNumberBits + 1> more;  // whether a number has more than i bits
  std::array<std::array<BitModel, 3>, kMaxNumberBits + 1> top;
  BitModel sign;
};

class RangeEncoder {
 public:
  int Bit(BitModel& model, int bit);
  // Codes a number from 0 to 2^24 - 1 and returns it.
  uint32_t Unsigned(NumberModel& model, uint32_t value);
  // Codes a number of a magnitude below 2^24 and returns it.
  int Signed(NumberModel& model, int value);
  // Returns the bytes. Nothing may be coded afterwards.
  Bytes Finish();

 private:
  void Raw(uint32_t value, int bits);
  void ShiftOut();

  Bytes bytes_;
  uint64_t low_ = 0;
  uint32_t range_ = 0xffffffffu;
  uint8_t held_ = 0;      // byte that a carry may still change,
  uint64_t waiting_ = 1;  // and so many after it, all 255 but the first
};

// Reads what RangeEncoder wrote, by the same calls; the values handed over do not matter. Returns zeros beyond the end.
class RangeDecoder {
 public:
  // bytes: must outlive this.
  explicit RangeDecoder(std::span<const std::byte> bytes);

  int Bit(BitModel& model, int = 0);
  uint32_t Unsigned(NumberModel& model, uint32_t = 0);
  int Signed(NumberModel& model, int = 0);
  // Returns whether exactly the bytes were used that there are: nothing is missing and nothing is left.
  bool AtEnd() const { return at_ == bytes_.size(); }

 private:
  uint32_t Raw(int bits);
  uint32_t Next();

  std::span<const std::byte> bytes_;
  size_t at_ = 0;
  uint32_t range_ = 0xffffffffu, code_ = 0;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_RANGE_CODER_H_
