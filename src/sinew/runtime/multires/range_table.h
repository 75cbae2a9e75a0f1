// How far a pose is from what was trained: tests over some joints together, in one block of memory, made by
// offline/tables/range_builder.h, immutable, shared by any number of instances and threads.
//
// A test takes the features x of its joints, one after another, to y = L x, and measures the distance from y to the
// nearest of its centres. Up to `inner` the correctives that it guards stay whole, from `outer` on they are gone.
#ifndef SINEW_RUNTIME_MULTIRES_RANGE_TABLE_H_
#define SINEW_RUNTIME_MULTIRES_RANGE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/runtime/base/precision.h"
#include "sinew/runtime/base/status.h"

namespace sinew::runtime {

class RangeTable {
 public:
  static constexpr uint32_t kGroup = 16;
  static constexpr uint32_t kMaxRows = 256;       // of L
  static constexpr uint32_t kMaxFeatures = 1024;  // columns of L

  struct Header {
    static constexpr uint32_t kMagic = 0x31474E52;         // "RNG1"
    uint32_t magic, test_count, joint_entries, precision;  // kF32 or kF16, of L and the centres
    uint64_t tests_offset, joints_offset, bytes;
  };

  // L column by column, rows padded to a multiple of kGroup with zeros. One centre: its rows, padded likewise. Several:
  // groups of kGroup centres, the first row's kGroup numbers, then the second's, and so on, with centres that are there
  // filling up the last group.
  struct Test {
    uint64_t L_offset, centres_offset;  // from the start of the block
    uint32_t first_joint, joint_count, features, rows, centre_count;
    float inner, outer;
    uint32_t reserved;
  };

  RangeTable() = default;

  // kInvalidArgument: the block is misaligned, cut short, not a range table, names an array entry that does not exist,
  // or has a test without features, rows or centres, too many of them, or bounds that are not 0 <= inner < outer.
  static Status Open(std::span<const std::byte> block, RangeTable* table) noexcept;

  int test_count() const { return header_ == nullptr ? 0 : static_cast<int>(header_->test_count); }
  const Test& test(int i) const { return tests_[i]; }
  std::span<const uint16_t> joints(const Test& test) const { return {joints_ + test.first_joint, test.joint_count}; }
  Precision precision() const { return static_cast<Precision>(header_->precision); }
  const std::byte* L(const Test& test) const { return reinterpret_cast<const std::byte*>(header_) + test.L_offset; }
  const std::byte* centres(const Test& test) const {
    return reinterpret_cast<const std::byte*>(header_) + test.centres_offset;
  }
  // Every joint that a test names is below.
  int joint_bound() const { return joint_bound_; }

  static constexpr uint32_t Padded(uint32_t count) { return (count + kGroup - 1) / kGroup * kGroup; }
  static constexpr uint64_t CentreNumbers(const Test& test) {
    return test.centre_count == 1 ? Padded(test.rows) : uint64_t{Padded(test.centre_count)} * test.rows;
  }

 private:
  const Header* header_ = nullptr;
  const Test* tests_ = nullptr;
  const uint16_t* joints_ = nullptr;
  int joint_bound_ = 0;
};

// (distance - inner) / (outer - inner): at most 0 within what was trained, 1 and more where the correctives are gone.
// features: test.features floats. Under 8 KB of stack.
float OutOfRange(const RangeTable& table, int test, const float* features) noexcept;
// The same by scalar code.
float OutOfRangeReference(const RangeTable& table, int test, const float* features) noexcept;

// What multiplies correctives there: a smooth step from 1 down to 0.
inline float FadeOf(float out_of_range) {
  if (!(out_of_range > 0)) return 1;
  if (out_of_range >= 1) return 0;
  return 1 - out_of_range * out_of_range * (3 - 2 * out_of_range);
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_MULTIRES_RANGE_TABLE_H_
