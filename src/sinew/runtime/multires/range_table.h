// Out-of-distribution tests of a pose ("range tests"): each measures, for some joints together, how far the pose is
// from the training poses. One block of memory, made by offline/tables/range_builder.h, immutable, shared by any number
// of instances and threads.
//
// A test maps the features x of its joints, one joint after another, to y = L x, and measures the distance from y to
// the nearest of its centres. Up to the distance `inner` the correctives that it guards are unchanged, from `outer` on
// they are switched off, and between the two they fade.
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
  static constexpr uint32_t kMaxRows = 256;       // rows of L
  static constexpr uint32_t kMaxFeatures = 1024;  // columns of L

  struct Header {
    static constexpr uint32_t kMagic = 0x31474E52;         // "RNG1"
    uint32_t magic, test_count, joint_entries, precision;  // precision of L and the centres: kF32 or kF16
    uint64_t tests_offset, joints_offset, bytes;           // offsets from the start of the block
  };

  // One test. L is stored column by column, each padded with zeros to a multiple of kGroup rows. A single centre is
  // stored as one such column. Several centres are stored in groups of kGroup: the first row of all kGroup centres,
  // then the second, and so on; the last group is filled up with copies of existing centres.
  struct Test {
    uint64_t L_offset, centres_offset;  // from the start of the block
    uint32_t first_joint, joint_count, features, rows, centre_count;
    float inner, outer;
    uint32_t reserved;
  };

  RangeTable() = default;

  // Opens a table in place. block: 64-byte aligned; must stay alive and unchanged as long as the table is used.
  // kInvalidArgument: the block is misaligned, cut short, not a range table, names an array entry that does not exist,
  // has a test without features, rows or centres, too many of them, or bounds that are not 0 <= inner < outer, has
  // tests whose numbers overlap or lie in another order, or holds a number that is not finite.
  static Status Open(std::span<const std::byte> block, RangeTable* table) noexcept;

  int test_count() const { return header_ == nullptr ? 0 : static_cast<int>(header_->test_count); }
  const Test& test(int i) const { return tests_[i]; }
  std::span<const uint16_t> joints(const Test& test) const { return {joints_ + test.first_joint, test.joint_count}; }
  Precision precision() const { return static_cast<Precision>(header_->precision); }
  const std::byte* L(const Test& test) const { return reinterpret_cast<const std::byte*>(header_) + test.L_offset; }
  const std::byte* centres(const Test& test) const {
    return reinterpret_cast<const std::byte*>(header_) + test.centres_offset;
  }
  // Exclusive upper bound of the joint indices that the tests name.
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

// Returns (distance - inner) / (outer - inner): at most 0 within the range of the training poses, 1 and more where the
// correctives are switched off. features: those of the test's joints, test.features floats. Uses under 8 KB of stack.
float OutOfRange(const RangeTable& table, int test, const float* features) noexcept;
// Scalar reference of OutOfRange: what it is tested against, and what it calls on a CPU without vectors.
float OutOfRangeReference(const RangeTable& table, int test, const float* features) noexcept;

// Factor of the correctives for a test's result: a smooth step from 1 at 0 down to 0 at 1.
inline float FadeOf(float out_of_range) {
  if (!(out_of_range > 0)) return 1;
  if (out_of_range >= 1) return 0;
  return 1 - out_of_range * out_of_range * (3 - 2 * out_of_range);
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_MULTIRES_RANGE_TABLE_H_
