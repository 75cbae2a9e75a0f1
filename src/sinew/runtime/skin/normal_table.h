// Which triangles make which normals, in the layout that recomputing them wants: one block of memory, no pointers in
// it, made by offline/character/normal_builder.h, immutable, shared by any number of instances and threads.
//
// A group is a set of vertices with one normal: at one place, on one smooth piece of surface. Groups are cut into tiles
// of neighbours. A tile lists the vertices that its triangles touch, so that their positions and the triangles' normals
// stay in the first-level cache; triangles between tiles are listed in each.
#ifndef SINEW_RUNTIME_SKIN_NORMAL_TABLE_H_
#define SINEW_RUNTIME_SKIN_NORMAL_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/runtime/base/status.h"

namespace sinew::runtime {

class NormalTable {
 public:
  // What one tile may hold; with 16 bytes each, the stack that the job uses.
  static constexpr int kMaxLocals = 448;
  static constexpr int kMaxTriangles = 768;

  struct Header {
    static constexpr uint32_t kMagic = 0x314D4E53;  // "SNM1"
    uint32_t magic, vertex_count, tile_count, reserved;
    // Entries of each array, and where it starts in the block: a multiple of 64.
    uint32_t locals, triangles, runs, corners, groups, copies, fan_corners, fans;
    uint64_t tiles_offset, locals_offset, triangles_offset, runs_offset, corners_offset, groups_offset, copies_offset,
        fans_offset, fan_corners_offset, bytes;
  };

  // Where a tile's part of each array starts, and how long it is. Corners and groups follow from the runs.
  struct Tile {
    uint32_t first_local, first_triangle, first_run, first_corner, first_group, first_copy, first_fan, copies;
    uint16_t locals, triangles, runs, fans;
  };
  // Three indices into the tile's locals.
  struct Triangle {
    uint16_t corner[3];
  };
  // `count` groups of the tile with `valence` triangles each.
  struct Run {
    uint16_t valence, count;
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

  const uint32_t* locals() const { return locals_; }        // vertices
  const Triangle* triangles() const { return triangles_; }  // of a tile's locals
  const Run* runs() const { return runs_; }
  const uint16_t* corners() const { return corners_; }  // `valence` triangles of the tile for each group
  const uint32_t* groups() const { return groups_; }    // the vertex that stands for each group
  const Copy* copies() const { return copies_; }
  const Fan* fans() const { return fans_; }
  const uint32_t* fan_corners() const { return fan_corners_; }  // vertices

 private:
  bool TileIsInBounds(const Tile& tile) const noexcept;
  bool FansAreInBounds() const noexcept;

  const Header* header_ = nullptr;
  const Tile* tiles_ = nullptr;
  const uint32_t* locals_ = nullptr;
  const Triangle* triangles_ = nullptr;
  const Run* runs_ = nullptr;
  const uint16_t* corners_ = nullptr;
  const uint32_t* groups_ = nullptr;
  const Copy* copies_ = nullptr;
  const Fan* fans_ = nullptr;
  const uint32_t* fan_corners_ = nullptr;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_SKIN_NORMAL_TABLE_H_
