// Which triangles make which normals, in the layout that recomputing them wants: one block of memory, no pointers in
// it, made by offline/tables/normal_builder.h, immutable, shared by any number of instances and threads.
//
// A group is a set of vertices with one normal: at one place c, on one smooth piece of surface. Its triangles (c, a, b)
// are strung into a chain of points, of which each three in a row, p, m, q, stand for two triangles:
//     (p - c) x (m - c) + (m - c) x (q - c) = (m - c) x (q - p),
// half the cross products, and a third of the loads, that triangles one by one would take. A last odd triangle (c, a,
// b) is a, b, c; where one fan of triangles ends and another of the same group begins, c between them adds nothing.
//
// Groups are cut into tiles of neighbours. A tile lists the vertices that its chains name, so that their positions stay
// in the first-level cache.
#ifndef SINEW_RUNTIME_SKIN_NORMAL_TABLE_H_
#define SINEW_RUNTIME_SKIN_NORMAL_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/runtime/base/status.h"

namespace sinew::runtime {

class NormalTable {
 public:
  // How many vertices one tile may name; with 16 bytes each, the stack that the job uses.
  static constexpr int kMaxLocals = 512;

  struct Header {
    static constexpr uint32_t kMagic = 0x314D4E53;  // "SNM1"
    uint32_t magic, vertex_count, tile_count, reserved;
    // Entries of each array, and where it starts in the block: a multiple of 64.
    uint32_t locals, runs, chains, groups, copies, fans, fan_corners, reserved_too;
    uint64_t tiles_offset, locals_offset, runs_offset, chains_offset, groups_offset, copies_offset, fans_offset,
        fan_corners_offset, bytes;
  };

  // Where a tile's part of each array starts, and how long it is. Chains and groups follow from the runs.
  struct Tile {
    uint32_t first_local, first_run, first_chain, first_group, first_copy, first_fan, copies;
    uint16_t locals, runs, fans, reserved;
  };
  // `count` groups of the tile whose chains have `links` links each: 2 * links + 2 entries, c and then the points.
  struct Run {
    uint16_t links, count;
  };
  // Vertex `to` has the same normal as vertex `from`, which stands for its group.
  struct Copy {
    uint32_t from, to;
  };
  // A group with more triangles than a tile can hold: `triangles` times three vertices from first_corner on.
  struct Fan {
    uint32_t vertex, first_corner, triangles;
  };

  NormalTable() = default;

  // block: 64-byte aligned, stays alive and unchanged as long as the table is used.
  // kInvalidArgument: the block is misaligned, cut short, not a normal table, or refers to a vertex or an array entry
  // that does not exist. After kOk no job can read or write out of bounds because of the table.
  static Status Open(std::span<const std::byte> block, NormalTable* table) noexcept;

  // True until a block is opened.
  bool empty() const { return header_ == nullptr; }
  int vertex_count() const { return static_cast<int>(header_->vertex_count); }
  int tile_count() const { return static_cast<int>(header_->tile_count); }
  const Tile& tile(int t) const { return tiles_[t]; }

  const uint32_t* locals() const { return locals_; }  // vertices
  const Run* runs() const { return runs_; }
  // Four times an index into the tile's locals: where the point starts in an array of four floats a point.
  const uint16_t* chains() const { return chains_; }
  const uint32_t* groups() const { return groups_; }  // the vertex that stands for each group
  const Copy* copies() const { return copies_; }
  const Fan* fans() const { return fans_; }
  const uint32_t* fan_corners() const { return fan_corners_; }  // vertices

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
