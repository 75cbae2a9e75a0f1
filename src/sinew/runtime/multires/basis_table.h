// Table of the modes V_i^k of all regions of a level (Zheng and Barbic 2024, section 5), laid out for adding them
// quickly: one block of memory without pointers, made by offline/tables/basis_builder.h, immutable, shared by any
// number of instances and threads. A level may have a second such table, of modes that finer levels do not start from;
// both use the level's one array of coefficients.
//
// Vertices, in the level's internal order, are divided into blocks of kBlockVertices. A block has one entry for each
// mode that moves any of its vertices: the index of the coefficient that multiplies it, and the displacements (x, y, z)
// of all the block's vertices, zeros included. So the displacements of a level are computed block by block, each byte
// of the table is read once, from front to back, and no vertex is gathered or scattered. Every mode is scaled so that
// its component (x, y or z of any vertex) of largest magnitude is 1 or -1: the magnitude of a coefficient is the
// largest displacement along an axis that its mode causes, in the character's unit of length.
#ifndef SINEW_RUNTIME_MULTIRES_BASIS_TABLE_H_
#define SINEW_RUNTIME_MULTIRES_BASIS_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/runtime/base/precision.h"
#include "sinew/runtime/base/status.h"

namespace sinew::runtime {

class BasisTable {
 public:
  static constexpr int kBlockVertices = 16;
  static constexpr int kBlockElements = 3 * kBlockVertices;

  struct Header {
    static constexpr uint32_t kMagic = 0x31534253;  // "SBS1"
    uint32_t magic, vertex_count, block_count, entry_count;
    uint32_t coefficient_count, precision, reserved[2];
    // Offsets from the start of the memory block, each a multiple of 64; bytes: size of the whole block.
    uint64_t firsts_offset, indices_offset, scales_offset, elements_offset, bytes;
  };

  BasisTable() = default;

  // Opens a table in place. block: 64-byte aligned; must stay alive and unchanged as long as the table is used.
  // kInvalidArgument: the block is misaligned, cut short, not a basis table, refers to an entry or a coefficient that
  // does not exist, or holds a number that is not finite. After kOk no evaluation can read or write out of bounds
  // because of the table.
  static Status Open(std::span<const std::byte> block, BasisTable* table) noexcept;

  // True until a block is opened.
  bool empty() const { return header_ == nullptr; }
  int vertex_count() const { return static_cast<int>(header_->vertex_count); }
  int block_count() const { return static_cast<int>(header_->block_count); }
  int entry_count() const { return static_cast<int>(header_->entry_count); }
  // Number of coefficients of the level; indices() are less than that.
  int coefficient_count() const { return static_cast<int>(header_->coefficient_count); }
  Precision precision() const { return static_cast<Precision>(header_->precision); }

  // Block b has the entries from firsts()[b] up to, but not including, firsts()[b + 1].
  const uint32_t* firsts() const { return firsts_; }
  // Index of the coefficient that multiplies each entry.
  const uint16_t* indices() const { return indices_; }
  // Scale of each entry: displacement = scale * byte. Only for Precision::kI8.
  const float* scales() const { return scales_; }
  // Displacements: kBlockElements numbers of the table's precision per entry, x, y, z of the block's first vertex, then
  // of its second and so on; zeros after the level's last vertex.
  const std::byte* elements() const { return elements_; }

 private:
  bool NumbersAreFinite() const noexcept;

  const Header* header_ = nullptr;
  const uint32_t* firsts_ = nullptr;
  const uint16_t* indices_ = nullptr;
  const float* scales_ = nullptr;
  const std::byte* elements_ = nullptr;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_MULTIRES_BASIS_TABLE_H_
