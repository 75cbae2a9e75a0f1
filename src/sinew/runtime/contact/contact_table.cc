#include "sinew/runtime/contact/contact_table.h"

#include "sinew/runtime/base/block_checks.h"
#include "sinew/runtime/base/half.h"

namespace sinew::runtime {
namespace {

using T = ContactTable;

// Largest length that is believed, in `unit`: products of several stay far below overflow.
constexpr float kLargest = 1e6f;

bool Within(float value, float least, float most) { return value >= least && value <= most; }
bool IsLength(float value) { return Within(value, 1e-6f, kLargest); }

// Whether each range is one: least, then most.
bool AreRanges(const float* least, const float* most, uint32_t count) {
  bool ranges = true;
  for (uint32_t k = 0; k < count; ++k) {
    ranges &= Within(least[k], -kLargest, kLargest) && Within(most[k], least[k], kLargest);
  }
  return ranges;
}

bool NameEnds(const T::Field& f) { return f.name[T::kNameBytes - 1] == 0; }

// Whether counts and single numbers are within their ranges. NaN is in none.
bool NumbersAreSound(const T::Field& f) {
  bool sound = NameEnds(f) && f.width >= T::kWidthUnit && f.width <= T::kMaxWidth && f.width % T::kWidthUnit == 0 &&
               f.handle_count <= T::kMaxHandles && Within(f.unit, 1e-9f, 1e9f) && Within(f.output, 1e-12f, 1e9f) &&
               IsLength(f.window) && IsLength(f.depth) && Within(f.largest, 0, kLargest);
  for (int k = 0; k < 3; ++k) {
    sound = sound && f.counts[k] >= 2 && f.counts[k] <= T::kMaxSamples && Within(f.origin[k], -kLargest, kLargest) &&
            IsLength(f.spacing[k]) && Within(f.last_bias[k], -kLargest, kLargest);
  }
  return sound && AreRanges(f.least, f.most, T::kPlaceNumbers) &&
         AreRanges(f.touch_least, f.touch_most, T::kTouchNumbers);
}

bool ArraysFit(const T::Field& f, uint64_t bytes) {
  const uint64_t handles = f.handle_count, width = f.width;
  return ArrayFits(f.joints_offset, handles, sizeof(uint16_t), 0, bytes) &&
         ArrayFits(f.shares_offset, handles, sizeof(float), 0, bytes) &&
         ArrayFits(f.limits_offset, handles * 2 * T::kHandleNumbers, sizeof(float), 0, bytes) &&
         ArrayFits(f.place_offset, T::kPlaceNumbers * width, sizeof(uint16_t), 0, bytes) &&
         ArrayFits(f.touch_offset, T::kTouchNumbers * width, sizeof(uint16_t), 0, bytes) &&
         ArrayFits(f.bias_offset, width, sizeof(float), 0, bytes) &&
         ArrayFits(f.handles_offset, handles * T::kHandleNumbers * width, sizeof(uint16_t), 0, bytes) &&
         ArrayFits(f.last_offset, 3 * width, sizeof(uint16_t), 0, bytes) &&
         ArrayFits(f.distances_offset, T::SampleCount(f), sizeof(uint16_t), 0, bytes);
}

bool HalvesAreFinite(const std::byte* halves, uint64_t count) { return AllFinite(halves, count, Precision::kF16); }

}  // namespace

Status ContactTable::Open(std::span<const std::byte> block, ContactTable* table) noexcept {
  const auto* header = HeaderOf<Header>(block);
  if (table == nullptr || header == nullptr || header->magic != Header::kMagic || header->bytes > block.size() ||
      header->field_count < 1 || header->field_count > kMaxFields ||
      !ArrayFits(header->fields_offset, header->field_count, sizeof(Field), 0, header->bytes)) {
    return Status::kInvalidArgument;
  }
  ContactTable opened;
  opened.header_ = header;
  PointInto(header, header->fields_offset, &opened.fields_);
  for (uint32_t f = 0; f < header->field_count; ++f) {
    const Field& field = opened.fields_[f];
    if (!NumbersAreSound(field) || !ArraysFit(field, header->bytes) || !opened.FieldIsSound(field)) {
      return Status::kInvalidArgument;
    }
    if (field.handle_count == 0) continue;
    const int last = opened.Array<uint16_t>(field.joints_offset)[field.handle_count - 1];
    opened.joint_bound_ = last >= opened.joint_bound_ ? last + 1 : opened.joint_bound_;
  }
  *table = opened;
  return Status::kOk;
}

bool ContactTable::FieldIsSound(const Field& f) const noexcept {
  bool sound =
      HalvesAreFinite(Array<std::byte>(f.place_offset), kPlaceNumbers * uint64_t{f.width}) &&
      HalvesAreFinite(Array<std::byte>(f.touch_offset), kTouchNumbers * uint64_t{f.width}) &&
      AllFinite(Array<float>(f.bias_offset), f.width) &&
      HalvesAreFinite(Array<std::byte>(f.handles_offset), uint64_t{f.handle_count} * kHandleNumbers * f.width) &&
      HalvesAreFinite(Array<std::byte>(f.last_offset), 3 * uint64_t{f.width}) &&
      HalvesAreFinite(Array<std::byte>(f.distances_offset), SampleCount(f));
  const auto* joints = Array<uint16_t>(f.joints_offset);
  const auto* shares = Array<float>(f.shares_offset);
  const auto* limits = Array<float>(f.limits_offset);
  for (uint32_t h = 0; h < f.handle_count; ++h) {
    sound &= (h == 0 || joints[h - 1] < joints[h]) && Within(shares[h], 0, 1);
    const float* least = limits + size_t{h} * 2 * kHandleNumbers;
    sound &= AreRanges(least, least + kHandleNumbers, kHandleNumbers);
  }
  return sound && EndsAtBorder(f);
}

// Beyond the grid the field counts as 0: without this check the skin could tear there.
bool ContactTable::EndsAtBorder(const Field& f) const noexcept {
  const auto* distances = Array<uint16_t>(f.distances_offset);
  bool ends = true;
  for (uint32_t x = 0; x < f.counts[0]; ++x) {
    for (uint32_t y = 0; y < f.counts[1]; ++y) {
      const bool border = x == 0 || y == 0 || x + 1 == f.counts[0] || y + 1 == f.counts[1];
      const uint32_t step = border ? 1 : f.counts[2] - 1;
      const uint16_t* row = distances + (size_t{x} * f.counts[1] + y) * f.counts[2];
      for (uint32_t z = 0; z < f.counts[2]; z += step) ends &= HalfToFloat(row[z]) >= f.window;
    }
  }
  return ends;
}

}  // namespace sinew::runtime
