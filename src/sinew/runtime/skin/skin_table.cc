#include "sinew/runtime/skin/skin_table.h"

#include "sinew/runtime/base/block_checks.h"

namespace sinew::runtime {
namespace {

constexpr uint32_t kPadding = 16;

bool SectionsFit(const SkinTable::Header& h, uint64_t available) {
  using Tile = SkinTable::Tile;
  return h.magic == SkinTable::Header::kMagic && h.bytes <= available && h.max_influences <= kMaxInfluences &&
         h.vertex_count <= 0x7fffffff && h.joint_count <= 65536 &&
         h.tile_count == (uint64_t{h.vertex_count} + kTileVertices - 1) / kTileVertices &&
         ArrayFits(h.tiles_offset, h.tile_count, sizeof(Tile), 0, h.bytes) &&
         ArrayFits(h.order_offset, h.tile_count, kTileVertices * sizeof(uint16_t), 0, h.bytes) &&
         ArrayFits(h.joints_offset, h.joint_entries, sizeof(uint16_t), 0, h.bytes) &&
         ArrayFits(h.weights_offset, h.weight_entries, sizeof(float), kPadding, h.bytes);
}

}  // namespace

Status SkinTable::Open(std::span<const std::byte> block, SkinTable* table) noexcept {
  const auto* header = HeaderOf<Header>(block);
  if (table == nullptr || header == nullptr || !SectionsFit(*header, block.size())) return Status::kInvalidArgument;
  SkinTable opened;
  opened.header_ = header;
  PointInto(header, header->tiles_offset, &opened.tiles_);
  PointInto(header, header->order_offset, &opened.order_);
  PointInto(header, header->joints_offset, &opened.joints_);
  PointInto(header, header->weights_offset, &opened.weights_);
  if (!opened.ContentsAreInBounds() || !AllFinite(opened.weights_, header->weight_entries)) {
    return Status::kInvalidArgument;
  }
  *table = opened;
  return Status::kOk;
}

bool SkinTable::ContentsAreInBounds() const noexcept {
  if (!AllBelow(joints_, header_->joint_entries, header_->joint_count)) return false;
  for (int t = 0; t < tile_count(); ++t) {
    const int remaining = vertex_count() - t * kTileVertices;
    const int vertices = remaining < kTileVertices ? remaining : kTileVertices;
    uint64_t slots = 0, joints = tiles_[t].first_joint, weights = tiles_[t].first_weight;
    for (int k = 1; k <= kMaxInfluences; ++k) {
      const uint64_t count = tiles_[t].counts[k - 1];
      slots += count;
      joints += k * count;
      weights += k > 1 ? k * count : 0;
    }
    if (slots != static_cast<uint64_t>(vertices) || joints > header_->joint_entries ||
        weights > header_->weight_entries) {
      return false;
    }
    bool in_bounds = true;
    ForEachRun(*this, t, [&](int, const uint16_t*, const float*, const uint16_t* run, int count, bool consecutive) {
      // Runs must ascend: the kernels may read past every vertex but the last of a run, so that last must be the only
      // one that can be the file's last.
      bool ascending = true;
      for (int i = 1; i < count; ++i) ascending &= run[i] > run[i - 1];
      in_bounds &= ascending && run[count - 1] < vertices && (!consecutive || run[count - 1] == run[0] + count - 1);
    });
    if (!in_bounds) return false;
  }
  return true;
}

}  // namespace sinew::runtime
