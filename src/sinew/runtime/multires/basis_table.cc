#include "sinew/runtime/multires/basis_table.h"

#include "sinew/runtime/base/block_checks.h"

namespace sinew::runtime {
namespace {

using T = BasisTable;

bool SectionsFit(const T::Header& h, uint64_t available) {
  const uint64_t blocks = (uint64_t{h.vertex_count} + T::kBlockVertices - 1) / T::kBlockVertices;
  if (h.magic != T::Header::kMagic || h.bytes > available || h.block_count != blocks || h.precision > 2) return false;
  const auto precision = static_cast<Precision>(h.precision);
  return h.coefficient_count <= 65536 && ArrayFits(h.firsts_offset, blocks + 1, sizeof(uint32_t), 0, h.bytes) &&
         ArrayFits(h.indices_offset, h.entry_count, sizeof(uint16_t), 0, h.bytes) &&
         ArrayFits(h.scales_offset, precision == Precision::kI8 ? h.entry_count : 0, sizeof(float), 0, h.bytes) &&
         ArrayFits(h.elements_offset, h.entry_count, T::kBlockElements * BytesOf(precision), 0, h.bytes);
}

}  // namespace

Status BasisTable::Open(std::span<const std::byte> block, BasisTable* table) noexcept {
  const auto* header = HeaderOf<Header>(block);
  if (table == nullptr || header == nullptr || !SectionsFit(*header, block.size())) return Status::kInvalidArgument;
  BasisTable opened;
  opened.header_ = header;
  PointInto(header, header->firsts_offset, &opened.firsts_);
  PointInto(header, header->indices_offset, &opened.indices_);
  PointInto(header, header->scales_offset, &opened.scales_);
  PointInto(header, header->elements_offset, &opened.elements_);
  bool in_bounds = opened.firsts_[0] == 0 && opened.firsts_[header->block_count] == header->entry_count;
  for (uint32_t b = 0; b < header->block_count; ++b) in_bounds &= opened.firsts_[b] <= opened.firsts_[b + 1];
  if (!in_bounds || !AllBelow(opened.indices_, header->entry_count, header->coefficient_count) ||
      !opened.NumbersAreFinite()) {
    return Status::kInvalidArgument;
  }
  *table = opened;
  return Status::kOk;
}

bool BasisTable::NumbersAreFinite() const noexcept {
  const bool scaled = precision() == Precision::kI8;
  return AllFinite(scales_, scaled ? header_->entry_count : 0) &&
         AllFinite(elements_, uint64_t{header_->entry_count} * kBlockElements, precision());
}

}  // namespace sinew::runtime
