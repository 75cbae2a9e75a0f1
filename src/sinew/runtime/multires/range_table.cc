#include "sinew/runtime/multires/range_table.h"

#include <cmath>

#include "sinew/runtime/base/block_checks.h"
#include "sinew/runtime/base/half.h"

namespace sinew::runtime {
namespace {

using T = RangeTable;

bool TestIsInBounds(const T::Test& t, const T::Header& h) {
  if (t.features < 1 || t.features > T::kMaxFeatures || t.rows < 1 || t.rows > T::kMaxRows || t.centre_count < 1) {
    return false;
  }
  const uint32_t element = BytesOf(static_cast<Precision>(h.precision));
  return t.first_joint <= h.joint_entries && t.joint_count <= h.joint_entries - t.first_joint &&
         ArrayFits(t.L_offset, uint64_t{t.features} * T::Padded(t.rows), element, 0, h.bytes) &&
         t.centre_count <= 65536 && ArrayFits(t.centres_offset, T::CentreNumbers(t), element, 0, h.bytes) &&
         t.inner >= 0 && t.inner < t.outer && t.outer < 1e30f;
}

// Whether the test's numbers begin at `end` or behind it; moves `end` behind them. Were many tests to share bytes, a
// small file could take hours to check.
bool FollowsOthers(const T::Test& t, Precision precision, uint64_t& end) {
  const uint64_t element = BytesOf(precision), L_end = t.L_offset + element * t.features * T::Padded(t.rows);
  const bool follows = t.L_offset >= end && t.centres_offset >= L_end;
  end = t.centres_offset + element * T::CentreNumbers(t);
  return follows;
}

bool TestIsFinite(const T& table, const T::Test& t) {
  return AllFinite(table.L(t), uint64_t{t.features} * T::Padded(t.rows), table.precision()) &&
         AllFinite(table.centres(t), T::CentreNumbers(t), table.precision());
}

float Number(Precision precision, const std::byte* numbers, size_t i) {
  return precision == Precision::kF32 ? reinterpret_cast<const float*>(numbers)[i]
                                      : HalfToFloat(reinterpret_cast<const uint16_t*>(numbers)[i]);
}

}  // namespace

Status RangeTable::Open(std::span<const std::byte> block, RangeTable* table) noexcept {
  const auto* h = HeaderOf<Header>(block);
  if (table == nullptr || h == nullptr || h->magic != Header::kMagic || h->bytes > block.size() || h->precision > 1 ||
      !ArrayFits(h->tests_offset, h->test_count, sizeof(Test), 0, h->bytes) ||
      !ArrayFits(h->joints_offset, h->joint_entries, sizeof(uint16_t), 0, h->bytes)) {
    return Status::kInvalidArgument;
  }
  RangeTable opened;
  opened.header_ = h;
  PointInto(h, h->tests_offset, &opened.tests_);
  PointInto(h, h->joints_offset, &opened.joints_);
  uint64_t end = 0;
  for (uint32_t t = 0; t < h->test_count; ++t) {
    const Test& test = opened.tests_[t];
    if (!TestIsInBounds(test, *h) || !FollowsOthers(test, opened.precision(), end) || !TestIsFinite(opened, test)) {
      return Status::kInvalidArgument;
    }
  }
  for (uint32_t j = 0; j < h->joint_entries; ++j) {
    if (opened.joints_[j] >= opened.joint_bound_) opened.joint_bound_ = opened.joints_[j] + 1;
  }
  *table = opened;
  return Status::kOk;
}

float OutOfRangeReference(const RangeTable& table, int index, const float* features) noexcept {
  const T::Test& test = table.test(index);
  const uint32_t padded = T::Padded(test.rows);
  const Precision precision = table.precision();
  float y[T::kMaxRows] = {};
  for (uint32_t f = 0; f < test.features; ++f) {
    for (uint32_t r = 0; r < test.rows; ++r) {
      y[r] += features[f] * Number(precision, table.L(test), size_t{f} * padded + r);
    }
  }
  float nearest = 3e38f;
  for (uint32_t c = 0; c < test.centre_count; ++c) {
    const size_t first = size_t{c / T::kGroup} * test.rows * T::kGroup + c % T::kGroup;
    const size_t step = test.centre_count == 1 ? 1 : T::kGroup;
    float square = 0;
    for (uint32_t r = 0; r < test.rows; ++r) {
      const float off = y[r] - Number(precision, table.centres(test), first + r * step);
      square += off * off;
    }
    nearest = square < nearest ? square : nearest;
  }
  return (std::sqrt(nearest) - test.inner) / (test.outer - test.inner);
}

}  // namespace sinew::runtime
