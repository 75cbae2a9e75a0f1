// Table of the triangles around each vertex normal, laid out for fast recomputation: one block of memory without
// pointers, made by offline/tables/normal_builder.h, immutable, shared by any number of instances and threads.
//
// A group is a set of vertices that share one normal: they are at the same position c, on one smooth piece of surface.
// Its triangles (c, a, b) are strung into a chain of points, of which each three in a row, p, m, q, stand for two
// triangles:
//     (p - c) x (m - c) + (m - c) x (q - c) = (m - c) x (q - p).
// That takes half the cross products, and a third of the loads, of triangles one by one. A last odd triangle (c, a, b)
// is stored as a, b, c; where one fan of triangles ends and another of the same group begins, c is put between them and
// adds nothing.
//
// Groups are divided into tiles of neighbours. A tile lists the vertices that its chains name, so that their positions
// stay in the first-level cache.
#ifndef SINEW_RUNTIME_SKIN_NORMAL_TABLE_H_
#define SINEW_RUNTIME_SKIN_NORMAL_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/runtime/base/status.h"

namespace sinew::runtime {

class NormalTable {
 public:
  // Largest number of vertices that one tile may name; with 16 bytes each, this is the stack that the job uses.
  static constexpr int kMaxLocals = 512;

  struct Header {
    static constexpr uint32_t kMagic = 0x314D4E53;  // "SNM1"
    uint32_t magic, vertex_count, tile_count, reserved;
    // Number of entries of each array, and its offset in the block, a multiple of 64.
    uint32_t locals, runs, chains, groups, copies, fans, fan_corners, reserved_too;
    uint64_t tiles_offset, locals_offset, runs_offset, chains_offset, groups_offset, copies_offset, fans_offset,
        fan_corners_offset, bytes;
  };

  // First entry and number of entries of a tile in each array. The numbers of chains and groups follow from the runs.
  struct Tile {
    uint32_t first_local, first_run, first_chain, first_group, first_copy, first_fan, copies;
    uint16_t locals, runs, fans, reserved;
  };
  // `count` consecutive groups of a tile whose chains have `links` links each: 2 * links + 2 entries per group, first c
  // and then the chain's points.
  struct Run {
    uint16_t links, count;
  };
  // Vertex `to` has the same normal as vertex `from`, the representative of its group.
  struct Copy {
    uint32_t from, to;
  };
  // A group with more triangles than a tile can hold: `triangles` triangles of three vertices each, from first_corner
  // on.
  struct Fan {
    uint32_t vertex, first_corner, triangles;
  };

  NormalTable() = default;

  // Opens a table in place. block: 64-byte aligned; must stay alive and unchanged as long as the table is used.
  // kInvalidArgument: the block is misaligned, cut short, not a normal table, or refers to a vertex or an array entry
  // that does not exist. After kOk no job can read or write out of bounds because of the table.
  static Status Open(std::span<const std::byte> block, NormalTable* table) noexcept;

  // True until a block is opened.
  bool empty() const { return header_ == nullptr; }
  int vertex_count() const { return static_cast<int>(header_->vertex_count); }
  int tile_count() const { return static_cast<int>(header_->tile_count); }
  const Tile& tile(int t) const { return tiles_[t]; }

  const uint32_t* locals() const { return locals_; }  // vertices that the tiles' chains name
  const Run* runs() const { return runs_; }
  // Chain entries: four times an index into the tile's locals, which is the offset of the point in an array of four
  // floats per point.
  const uint16_t* chains() const { return chains_; }
  const uint32_t* groups() const { return groups_; }  // representative vertex of each group
  const Copy* copies() const { return copies_; }
  const Fan* fans() const { return fans_; }
  const uint32_t* fan_corners() const { return fan_corners_; }  // vertices, three per triangle

 private:
  bool TileIsInBounds(const Tile& tile) const noexcept;
  bool FansAreInBounds() const noexcept;

  const Header* header_ = nullptr;
  const Tile* tiles_ = nullptr;
  const uint32_t* locals_ = nullptr;
  const Run* runs_ = nullptr;
  const uint16_t* chains_ = nullptr;
  const uint32_t* groups_ = nullptr;
  const Copy* copies_ = nullptr;
  const Fan* fans_ = nullptr;
  const uint32_t* fan_corners_ = nullptr;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_SKIN_NORMAL_TABLE_H_
