// Table of an upsampling operator U_i, from level i to level i + 1, laid out for fast evaluation: one block of memory
// without pointers, made by offline/tables/upsampling_builder.h, immutable, shared by any number of instances and
// threads.
//
// Zheng and Barbic, "Multi-Resolution Real-Time Deep Pose-Space Deformation" (2024), section 6: a fine vertex lies on a
// coarse triangle with barycentric weights w1, w2, w3 that sum to 1, of which two are stored, with 16 bits each in one
// 32-bit word. Here the third is always the largest (the paper moves a weight of 1 there). Then w1 and w2 are at most
// 1/2, so that the 16 bits cover [0, 1/2) instead of [0, 1): steps of 2^-17, half of the paper's, for the same
// instructions.
//
// Rounding error. A weight is rounded to the nearest step, which is off by at most 2^-18. The exception is a weight
// within 2^-18 of 1/2, off by at most 2^-17, of which a vertex has at most one besides the third. The vertex is
//     p3 + w1 (p1 - p3) + w2 (p2 - p3),
// exact where p1 = p2 = p3 whatever the weights, so its position is off by at most 2^-17 |p1 - p3| + 2^-18 |p2 - p3|:
// 1.15e-5 of the triangle's longer edge at p3. A level whose edges are shorter than 0.17 body heights stays within 2e-6
// of the body height. On a body of 18,000 vertices edges are about 0.01 body heights, and the error is 1e-7.
//
// Fine vertices are divided into tiles. Their corners are 16-bit distances from the first coarse vertex that the tile
// names, unless some tile names two vertices that are too far apart; then all corners have 32 bits.
#ifndef SINEW_RUNTIME_MULTIRES_UPSAMPLING_TABLE_H_
#define SINEW_RUNTIME_MULTIRES_UPSAMPLING_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/runtime/base/status.h"
#include "sinew/runtime/base/tiles.h"

namespace sinew::runtime {

class UpsamplingTable {
 public:
  // The same as in skinning, so that one pass over a tile may do both.
  static constexpr int kTileVertices = runtime::kTileVertices;
  // Corners and weights are padded to a multiple of this number of vertices; those past the last vertex are zero.
  static constexpr uint32_t kGroup = 16;

  struct Header {
    static constexpr uint32_t kMagic = 0x31505553;  // "SUP1"
    uint32_t magic, fine_count, coarse_count, tile_count;
    uint32_t corner_bytes;   // 2 or 4
    uint32_t order_entries;  // fine_count, or 0 if the table's order is the file's
    uint32_t reserved[2];
    // Offsets from the start of the block, each a multiple of 64; bytes: size of the whole block.
    uint64_t tiles_offset, corners_offset, weights_offset, order_offset, bytes;
  };

  struct Tile {
    uint32_t first, last;  // inclusive range of the tile's corners, in the order of the coarse level
  };

  UpsamplingTable() = default;

  // Opens a table in place. block: 64-byte aligned; must stay alive and unchanged as long as the table is used.
  // kInvalidArgument: the block is misaligned, cut short, not an upsampling table, or refers to a vertex that does not
  // exist. After kOk no job can read or write out of bounds because of the table.
  static Status Open(std::span<const std::byte> block, UpsamplingTable* table) noexcept;

  // True until a block is opened.
  bool empty() const { return header_ == nullptr; }
  int fine_count() const { return static_cast<int>(header_->fine_count); }
  int coarse_count() const { return static_cast<int>(header_->coarse_count); }
  int tile_count() const { return static_cast<int>(header_->tile_count); }
  // Number of vertices of tile t: kTileVertices, or fewer in the last.
  int vertices(int t) const {
    const int remaining = fine_count() - t * kTileVertices;
    return remaining < kTileVertices ? remaining : kTileVertices;
  }
  const Tile& tile(int t) const { return tiles_[t]; }

  // Whether corners have 16 bits: then corners16() is valid, otherwise corners32().
  bool narrow() const { return header_->corner_bytes == 2; }
  // Corners of tile t, three per vertex: TWICE the distance from tile(t).first, so that with points 16 bytes apart an
  // x86 address needs no instruction of its own.
  const uint16_t* corners16(int t) const { return static_cast<const uint16_t*>(corners_) + FirstCorner(t); }
  const uint32_t* corners32(int t) const { return static_cast<const uint32_t*>(corners_) + FirstCorner(t); }
  // Weights of tile t, one word per vertex: w1 in the lower 16 bits, w2 in the upper, in units of 2^-17.
  const uint32_t* weights(int t) const { return weights_ + static_cast<size_t>(t) * kTileVertices; }

  // The file's index of each vertex of tile t; null if the table's order is the file's.
  const uint32_t* order(int t) const {
    return order_ == nullptr ? nullptr : order_ + static_cast<size_t>(t) * kTileVertices;
  }

 private:
  static size_t FirstCorner(int t) { return static_cast<size_t>(t) * 3 * kTileVertices; }
  bool ContentsAreInBounds() const noexcept;

  const Header* header_ = nullptr;
  const Tile* tiles_ = nullptr;
  const void* corners_ = nullptr;
  const uint32_t* weights_ = nullptr;
  const uint32_t* order_ = nullptr;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_MULTIRES_UPSAMPLING_TABLE_H_
