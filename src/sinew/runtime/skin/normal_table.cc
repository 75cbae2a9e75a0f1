#include "sinew/runtime/skin/normal_table.h"

namespace sinew::runtime {
namespace {

constexpr uint64_t kAlignment = 64;

bool Fits(uint64_t offset, uint64_t count, uint64_t size, uint64_t bytes) {
  return offset % kAlignment == 0 && offset <= bytes && count * size <= bytes - offset;
}

bool SectionsFit(const NormalTable::Header& h, uint64_t available) {
  using T = NormalTable;
  return h.magic == T::Header::kMagic && h.bytes <= available && h.vertex_count <= 0x7fffffff &&
         h.tile_count <= 0x7fffffff && Fits(h.tiles_offset, h.tile_count, sizeof(T::Tile), h.bytes) &&
         Fits(h.locals_offset, h.locals, sizeof(uint32_t), h.bytes) &&
         Fits(h.runs_offset, h.runs, sizeof(T::Run), h.bytes) &&
         Fits(h.chains_offset, h.chains, sizeof(uint16_t), h.bytes) &&
         Fits(h.groups_offset, h.groups, sizeof(uint32_t), h.bytes) &&
         Fits(h.copies_offset, h.copies, sizeof(T::Copy), h.bytes) &&
         Fits(h.fans_offset, h.fans, sizeof(T::Fan), h.bytes) &&
         Fits(h.fan_corners_offset, h.fan_corners, sizeof(uint32_t), h.bytes);
}

// [first, first + count) of an array of `size` entries.
bool Within(uint64_t first, uint64_t count, uint64_t size) { return first + count <= size; }

template <typename T>
bool AllBelow(const T* values, uint64_t count, uint32_t bound) {
  bool below = true;
  for (uint64_t i = 0; i < count; ++i) below &= values[i] < bound;
  return below;
}

}  // namespace

Status NormalTable::Open(std::span<const std::byte> block, NormalTable* table) noexcept {
  const std::byte* base = block.data();
  if (table == nullptr || base == nullptr || reinterpret_cast<uintptr_t>(base) % kAlignment != 0 ||
      block.size() < sizeof(Header)) {
    return Status::kInvalidArgument;
  }
  const auto* header = reinterpret_cast<const Header*>(base);
  if (!SectionsFit(*header, block.size())) return Status::kInvalidArgument;
  NormalTable opened;
  opened.header_ = header;
  opened.tiles_ = reinterpret_cast<const Tile*>(base + header->tiles_offset);
  opened.locals_ = reinterpret_cast<const uint32_t*>(base + header->locals_offset);
  opened.runs_ = reinterpret_cast<const Run*>(base + header->runs_offset);
  opened.chains_ = reinterpret_cast<const uint16_t*>(base + header->chains_offset);
  opened.groups_ = reinterpret_cast<const uint32_t*>(base + header->groups_offset);
  opened.copies_ = reinterpret_cast<const Copy*>(base + header->copies_offset);
  opened.fans_ = reinterpret_cast<const Fan*>(base + header->fans_offset);
  opened.fan_corners_ = reinterpret_cast<const uint32_t*>(base + header->fan_corners_offset);
  for (int t = 0; t < opened.tile_count(); ++t) {
    if (!opened.TileIsInBounds(opened.tiles_[t])) return Status::kInvalidArgument;
  }
  if (!opened.FansAreInBounds()) return Status::kInvalidArgument;
  *table = opened;
  return Status::kOk;
}

bool NormalTable::TileIsInBounds(const Tile& tile) const noexcept {
  const Header& h = *header_;
  if (tile.locals > kMaxLocals || !Within(tile.first_local, tile.locals, h.locals) ||
      !Within(tile.first_run, tile.runs, h.runs) || !Within(tile.first_copy, tile.copies, h.copies) ||
      !Within(tile.first_fan, tile.fans, h.fans)) {
    return false;
  }
  uint64_t groups = 0, entries = 0;
  for (int r = 0; r < tile.runs; ++r) {
    const Run& run = runs_[tile.first_run + r];
    groups += run.count;
    entries += uint64_t{run.count} * (2 * run.links + 2);
  }
  if (!Within(tile.first_group, groups, h.groups) || !Within(tile.first_chain, entries, h.chains)) return false;
  bool in_bounds = AllBelow(locals_ + tile.first_local, tile.locals, h.vertex_count) &&
                   AllBelow(groups_ + tile.first_group, groups, h.vertex_count);
  const uint16_t* chain = chains_ + tile.first_chain;
  for (uint64_t i = 0; i < entries; ++i) in_bounds &= chain[i] % 4 == 0 && chain[i] / 4 < tile.locals;
  for (uint32_t c = 0; c < tile.copies; ++c) {
    const Copy& copy = copies_[tile.first_copy + c];
    in_bounds &= copy.from < h.vertex_count && copy.to < h.vertex_count;
  }
  return in_bounds;
}

bool NormalTable::FansAreInBounds() const noexcept {
  bool in_bounds = AllBelow(fan_corners_, header_->fan_corners, header_->vertex_count);
  for (uint32_t f = 0; f < header_->fans; ++f) {
    in_bounds &= fans_[f].vertex < header_->vertex_count &&
                 Within(fans_[f].first_corner, uint64_t{3} * fans_[f].triangles, header_->fan_corners);
  }
  return in_bounds;
}

}  // namespace sinew::runtime
