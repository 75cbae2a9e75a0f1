#include "sinew/dynamics/field_table.h"

#include "sinew/dynamics/collider.h"
#include "sinew/runtime/base/block_checks.h"
#include "sinew/runtime/base/checksum.h"

namespace sinew::dynamics {
namespace {

using runtime::ArrayFits;
using runtime::Status;

bool Within(double value, double least, double most) { return value >= least && value <= most; }

// NaN is in no range.
template <typename T>
bool AllWithin(const T* values, uint64_t count, double most) {
  bool within = true;
  for (uint64_t i = 0; i < count; ++i) within &= Within(values[i], -most, most);
  return within;
}

bool CountsAreSound(const FieldTable::Header& h) {
  return h.handle_count >= 1 && h.basis_count >= h.handle_count && h.basis_count <= ObjectTable::kMaxBasis &&
         (h.layers == 1 || h.layers == 2) && h.width >= 1 && h.width <= FieldTable::kMaxWidth && h.corner_count >= 3 &&
         h.corner_count <= static_cast<uint32_t>(Collider::kMaxCorners);
}

}  // namespace

Status FieldTable::Open(std::span<const std::byte> block, FieldTable* table) noexcept {
  const auto* header = runtime::HeaderOf<Header>(block);
  if (table == nullptr || header == nullptr || header->magic != Header::kMagic) return Status::kInvalidArgument;
  if (header->version > Header::kVersion) return Status::kUnsupported;
  if (header->version != Header::kVersion || header->bytes != block.size() ||
      block.size() % runtime::kBlockAlignment != 0 ||
      header->checksum != runtime::Checksum(block.subspan(offsetof(Header, bytes)))) {
    return Status::kInvalidArgument;
  }
  FieldTable opened;
  opened.header_ = header;
  if (!CountsAreSound(*header) || !opened.ArraysFit() || !opened.HandlesAreSound() || !opened.NumbersAreSound()) {
    return Status::kInvalidArgument;
  }
  *table = opened;
  return Status::kOk;
}

bool FieldTable::ArraysFit() const noexcept {
  const Header& h = *header_;
  const auto rows_fit = [&](uint64_t offset, uint64_t rows) {
    return ArrayFits(offset, rows * h.width, sizeof(float), 0, h.bytes);
  };
  return ArrayFits(h.handles_offset, h.handle_count, sizeof(Handle), 0, h.bytes) &&
         ArrayFits(h.corners_offset, 2 * uint64_t{h.corner_count}, sizeof(double), 0, h.bytes) &&
         rows_fit(h.place_offset, 2) && rows_fit(h.state_offset, 2 * uint64_t{h.basis_count}) &&
         rows_fit(h.bias_offset, 1) && rows_fit(h.output_offset, 2) &&
         ArrayFits(h.output_bias_offset, 2, sizeof(float), 0, h.bytes) &&
         (h.layers == 1 || (rows_fit(h.second_offset, h.width) && rows_fit(h.second_bias_offset, 1)));
}

bool FieldTable::HandlesAreSound() const noexcept {
  uint32_t functions = 0;
  for (int i = 0; i < handle_count(); ++i) {
    const Handle& h = handle(i);
    if ((h.kind != HandleKind::kFrame && h.kind != HandleKind::kPoint) || !AllWithin(h.centre, 2, 1e6)) return false;
    functions += h.kind == HandleKind::kFrame ? 3 : 1;
  }
  return functions == header_->basis_count;
}

bool FieldTable::NumbersAreSound() const noexcept {
  const Header& h = *header_;
  // Sums over all units and numbers of an object stay finite.
  constexpr double kLargest = 1e9;
  const uint64_t width = h.width;
  Collider collider;
  collider.shape = ColliderShape::kPolygon;
  collider.corners = corners();
  collider.corner_count = corner_count();
  collider.rounding = h.rounding;
  return collider.IsSound() && Within(h.window, 1e-6, 1e6) && Within(h.touch, 1e-18, 1e18) &&
         AllWithin(place(0), 2 * width, kLargest) && AllWithin(state(0, 0), 2 * width * h.basis_count, kLargest) &&
         AllWithin(bias(), width, kLargest) && AllWithin(output(0), 2 * width, kLargest) &&
         AllWithin(output_bias(), 2, kLargest) &&
         (h.layers == 1 ||
          (AllWithin(second(0), width * width, kLargest) && AllWithin(second_bias(), width, kLargest)));
}

bool FieldTable::Fits(const ObjectTable& object) const noexcept {
  if (object.dimension() != 2 || handle_count() != object.handle_count()) return false;
  const double enough = 1e-6 * object.header().size;
  for (int i = 0; i < handle_count(); ++i) {
    const ObjectTable::Handle& other = object.handle(i);
    if (handle(i).kind != other.kind) return false;
    for (int r = 0; r < 2; ++r) {
      if (!Within(handle(i).centre[r] - other.centre[r], -enough, enough)) return false;
    }
  }
  return true;
}

}  // namespace sinew::dynamics
