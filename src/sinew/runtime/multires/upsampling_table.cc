#include "sinew/runtime/multires/upsampling_table.h"

#include "sinew/runtime/base/block_checks.h"

namespace sinew::runtime {
namespace {

bool SectionsFit(const UpsamplingTable::Header& h, uint64_t available) {
  using T = UpsamplingTable;
  const uint64_t padded = (uint64_t{h.fine_count} + T::kGroup - 1) / T::kGroup * T::kGroup;
  return h.magic == T::Header::kMagic && h.bytes <= available && h.fine_count <= 0x7fffff00 &&
         h.coarse_count <= 0x7fffffff &&
         h.tile_count == (uint64_t{h.fine_count} + T::kTileVertices - 1) / T::kTileVertices &&
         (h.corner_bytes == 2 || h.corner_bytes == 4) && (h.order_entries == 0 || h.order_entries == h.fine_count) &&
         ArrayFits(h.tiles_offset, h.tile_count, sizeof(T::Tile), 0, h.bytes) &&
         ArrayFits(h.corners_offset, 3 * padded, h.corner_bytes, 0, h.bytes) &&
         ArrayFits(h.weights_offset, padded, sizeof(uint32_t), 0, h.bytes) &&
         ArrayFits(h.order_offset, h.order_entries, sizeof(uint32_t), 0, h.bytes);
}

// Whether every corner is twice a distance, and none is beyond the tile's last coarse vertex.
bool CornersAreInBounds(const uint16_t* corners, int vertices, const UpsamplingTable::Tile& tile) {
  const uint32_t longest = tile.last - tile.first;
  const uint64_t count = uint64_t{3} * static_cast<uint32_t>(vertices);
  return AllMultiples(corners, count, 2) && (longest >= 0x8000 || AllBelow(corners, count, 2 * longest + 1));
}
bool CornersAreInBounds(const uint32_t* corners, int vertices, const UpsamplingTable::Tile& tile) {
  const uint32_t longest = tile.last - tile.first;
  bool in_bounds = true;
  for (int c = 0; c < 3 * vertices; ++c) in_bounds &= corners[c] % 2 == 0 && corners[c] / 2 <= longest;
  return in_bounds;
}

}  // namespace

Status UpsamplingTable::Open(std::span<const std::byte> block, UpsamplingTable* table) noexcept {
  const auto* header = HeaderOf<Header>(block);
  if (table == nullptr || header == nullptr || !SectionsFit(*header, block.size())) return Status::kInvalidArgument;
  UpsamplingTable opened;
  opened.header_ = header;
  PointInto(header, header->tiles_offset, &opened.tiles_);
  PointInto(header, header->corners_offset, &opened.corners_);
  PointInto(header, header->weights_offset, &opened.weights_);
  if (header->order_entries > 0) PointInto(header, header->order_offset, &opened.order_);
  if (!opened.ContentsAreInBounds()) return Status::kInvalidArgument;
  *table = opened;
  return Status::kOk;
}

bool UpsamplingTable::ContentsAreInBounds() const noexcept {
  bool in_bounds = true;
  for (int t = 0; t < tile_count(); ++t) {
    if (tiles_[t].first > tiles_[t].last || tiles_[t].last >= header_->coarse_count) return false;
    // The padding past the last vertex is computed with the rest of its group, and must be in bounds, too.
    const int group = static_cast<int>(kGroup);
    const int padded = (vertices(t) + group - 1) / group * group;
    in_bounds &= narrow() ? CornersAreInBounds(corners16(t), padded, tiles_[t])
                          : CornersAreInBounds(corners32(t), padded, tiles_[t]);
  }
  return in_bounds && AllBelow(order_, header_->order_entries, header_->fine_count);
}

}  // namespace sinew::runtime
