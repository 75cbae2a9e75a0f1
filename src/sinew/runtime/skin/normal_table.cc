#include "sinew/runtime/skin/normal_table.h"

#include "sinew/runtime/base/block_checks.h"

namespace sinew::runtime {
namespace {

bool SectionsFit(const NormalTable::Header& h, uint64_t available) {
  using T = NormalTable;
  return h.magic == T::Header::kMagic && h.bytes <= available && h.vertex_count <= 0x7fffffff &&
         h.tile_count <= 0x7fffffff && ArrayFits(h.tiles_offset, h.tile_count, sizeof(T::Tile), 0, h.bytes) &&
         ArrayFits(h.locals_offset, h.locals, sizeof(uint32_t), 0, h.bytes) &&
         ArrayFits(h.runs_offset, h.runs, sizeof(T::Run), 0, h.bytes) &&
         ArrayFits(h.chains_offset, h.chains, sizeof(uint16_t), 0, h.bytes) &&
         ArrayFits(h.groups_offset, h.groups, sizeof(uint32_t), 0, h.bytes) &&
         ArrayFits(h.copies_offset, h.copies, sizeof(T::Copy), 0, h.bytes) &&
         ArrayFits(h.fans_offset, h.fans, sizeof(T::Fan), 0, h.bytes) &&
         ArrayFits(h.fan_corners_offset, h.fan_corners, sizeof(uint32_t), 0, h.bytes);
}

// Whether [first, first + count) lies within an array of `size` entries.
bool Within(uint64_t first, uint64_t count, uint64_t size) { return first + count <= size; }

}  // namespace

Status NormalTable::Open(std::span<const std::byte> block, NormalTable* table) noexcept {
  const auto* header = HeaderOf<Header>(block);
  if (table == nullptr || header == nullptr || !SectionsFit(*header, block.size())) return Status::kInvalidArgument;
  NormalTable opened;
  opened.header_ = header;
  PointInto(header, header->tiles_offset, &opened.tiles_);
  PointInto(header, header->locals_offset, &opened.locals_);
  PointInto(header, header->runs_offset, &opened.runs_);
  PointInto(header, header->chains_offset, &opened.chains_);
  PointInto(header, header->groups_offset, &opened.groups_);
  PointInto(header, header->copies_offset, &opened.copies_);
  PointInto(header, header->fans_offset, &opened.fans_);
  PointInto(header, header->fan_corners_offset, &opened.fan_corners_);
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
  in_bounds &= AllMultiples(chain, entries, 4) && AllBelow(chain, entries, uint32_t{4} * tile.locals);
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
