// Table of skinning weights, laid out for fast skinning: one block of memory without pointers, made by
// offline/tables/skin_builder.h, immutable, shared by any number of instances and threads.
//
// Vertices keep the file's order in tiles of kTileVertices; inside a tile they are sorted into runs by number of
// influences, so that the kernels are specialised by that number while every read and write of a vertex stays within a
// tile, which fits the first-level cache. A sort over the whole mesh would touch each cache line of the outputs once
// per number of influences.
#ifndef SINEW_RUNTIME_SKIN_SKIN_TABLE_H_
#define SINEW_RUNTIME_SKIN_SKIN_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/runtime/base/status.h"
#include "sinew/runtime/base/tiles.h"

namespace sinew::runtime {

constexpr int kMaxInfluences = 8;

class SkinTable {
 public:
  struct Header {
    static constexpr uint32_t kMagic = 0x314B5353;  // "SSK1"
    uint32_t magic, vertex_count, joint_count, max_influences;
    uint32_t tile_count, joint_entries, weight_entries, reserved;
    // Offsets from the start of the block, each a multiple of 64; bytes: size of the whole block.
    uint64_t tiles_offset, order_offset, joints_offset, weights_offset, bytes;
  };

  struct Tile {
    uint32_t first_joint;   // index into joints() of the tile's first entry
    uint32_t first_weight;  // index into weights()
    // Number of the tile's vertices with 1, 2, ... influences: the lengths of its runs, which are stored in this order.
    uint16_t counts[kMaxInfluences];
    // Bit k - 1: the vertices of the run with k influences are consecutive in the file, too.
    uint32_t consecutive;
  };

  SkinTable() = default;

  // Opens a table in place. block: 64-byte aligned; must stay alive and unchanged as long as the table is used.
  // kInvalidArgument: the block is misaligned, cut short, not a skin table, refers to a vertex, a joint or an array
  // entry that does not exist, or holds a weight that is not finite. After kOk no skinning job can read or write out of
  // bounds because of the table.
  static Status Open(std::span<const std::byte> block, SkinTable* table) noexcept;

  // True until a block is opened.
  bool empty() const { return header_ == nullptr; }
  int vertex_count() const { return static_cast<int>(header_->vertex_count); }
  // Exclusive upper bound of the joint indices in the table.
  int joint_count() const { return static_cast<int>(header_->joint_count); }
  int max_influences() const { return static_cast<int>(header_->max_influences); }
  int tile_count() const { return static_cast<int>(header_->tile_count); }

  const Tile& tile(int t) const { return tiles_[t]; }
  // Entry i is the vertex of tile t (counted from its first in the file) that is i-th in sorted order.
  const uint16_t* order(int t) const { return order_ + static_cast<size_t>(t) * kTileVertices; }
  // Joints: k entries per vertex of the run with k influences, strongest first.
  const uint16_t* joints() const { return joints_; }
  // Weights: k entries per vertex of the run with k influences, which sum to 1; none for one influence. Readable 16
  // bytes past the last.
  const float* weights() const { return weights_; }

 private:
  bool ContentsAreInBounds() const noexcept;

  const Header* header_ = nullptr;
  const Tile* tiles_ = nullptr;
  const uint16_t* order_ = nullptr;
  const uint16_t* joints_ = nullptr;
  const float* weights_ = nullptr;
};

// Calls visit(influences, joints, weights, order, count, consecutive) for every run of tile t that has vertices.
// weights is null for one influence.
template <typename Visit>
void ForEachRun(const SkinTable& table, int t, const Visit& visit) {
  const SkinTable::Tile& tile = table.tile(t);
  const uint16_t* order = table.order(t);
  const uint16_t* joints = table.joints() + tile.first_joint;
  const float* weights = table.weights() + tile.first_weight;
  for (int k = 1; k <= kMaxInfluences; ++k) {
    const int count = tile.counts[k - 1];
    if (count == 0) continue;
    visit(k, joints, k == 1 ? nullptr : weights, order, count, ((tile.consecutive >> (k - 1)) & 1) != 0);
    order += count;
    joints += static_cast<size_t>(count) * k;
    if (k > 1) weights += static_cast<size_t>(count) * k;
  }
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_SKIN_SKIN_TABLE_H_
