#include "sinew/runtime/multires/upsampling_table.h"

namespace sinew::runtime {
namespace {

constexpr uint64_t kAlignment = 64;

bool Fits(uint64_t offset, uint64_t count, uint64_t size, uint64_t bytes) {
  return offset % kAlignment == 0 && offset <= bytes && count * size <= bytes - offset;
}

bool SectionsFit(const UpsamplingTable::Header& h, uint64_t available) {
  using T = UpsamplingTable;
  const uint64_t padded = (uint64_t{h.fine_count} + T::kGroup - 1) / T::kGroup * T::kGroup;
  return h.magic == T::Header::kMagic && h.bytes <= available && h.fine_count <= 0x7fffff00 &&
         h.coarse_count <= 0x7fffffff &&
         h.tile_count == (uint64_t{h.fine_count} + T::kTileVertices - 1) / T::kTileVertices &&
         (h.corner_bytes == 2 || h.corner_bytes == 4) && (h.order_entries == 0 || h.order_entries == h.fine_count) &&
         Fits(h.tiles_offset, h.tile_count, sizeof(T::Tile), h.bytes) &&
         Fits(h.corners_offset, 3 * padded, h.corner_bytes, h.bytes) &&
         Fits(h.weights_offset, padded, sizeof(uint32_t), h.bytes) &&
         Fits(h.order_offset, h.order_entries, sizeof(uint32_t), h.bytes);
}

// Every corner is a whole distance, and at most the tile's longest.
template <typename Corner>
bool CornersAreInBounds(const Corner* corners, int vertices, const UpsamplingTable::Tile& tile) {
  const uint32_t longest = tile.last - tile.first;
  bool in_bounds = true;
  for (int c = 0; c < 3 * vertices; ++c) in_bounds &= corners[c] % 2 == 0 && corners[c] / 2 <= longest;
  return in_bounds;
}

}  // namespace

Status UpsamplingTable::Open(std::span<const std::byte> block, UpsamplingTable* table) noexcept {
  const std::byte* base = block.data();
  if (table == nullptr || base == nullptr || reinterpret_cast<uintptr_t>(base) % kAlignment != 0 ||
      block.size() < sizeof(Header)) {
    return Status::kInvalidArgument;
  }
  const auto* header = reinterpret_cast<const Header*>(base);
  if (!SectionsFit(*header, block.size())) return Status::kInvalidArgument;
  UpsamplingTable opened;
  opened.header_ = header;
  opened.tiles_ = reinterpret_cast<const Tile*>(base + header->tiles_offset);
  opened.corners_ = base + header->corners_offset;
  opened.weights_ = reinterpret_cast<const uint32_t*>(base + header->weights_offset);
  if (header->order_entries > 0) opened.order_ = reinterpret_cast<const uint32_t*>(base + header->order_offset);
  if (!opened.ContentsAreInBounds()) return Status::kInvalidArgument;
  *table = opened;
  return Status::kOk;
}

bool UpsamplingTable::ContentsAreInBounds() const noexcept {
  bool in_bounds = true;
  for (int t = 0; t < tile_count(); ++t) {
    if (tiles_[t].first > tiles_[t].last || tiles_[t].last >= header_->coarse_count) return false;
    // The zeros past the last vertex are computed with the rest of their group, and must be in bounds with it.
    const int group = static_cast<int>(kGroup);
    const int padded = (vertices(t) + group - 1) / group * group;
    in_bounds &= narrow() ? CornersAreInBounds(corners16(t), padded, tiles_[t])
                          : CornersAreInBounds(corners32(t), padded, tiles_[t]);
  }
  for (uint32_t v = 0; v < header_->order_entries; ++v) in_bounds &= order_[v] < header_->fine_count;
  return in_bounds;
}

}  // namespace sinew::runtime
