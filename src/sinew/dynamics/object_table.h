// Soft object in the plane or in space that handles move, as one block of memory without pointers: what a .soft file
// holds (docs/formats/soft.md). Its cells are triangles in the plane and tetrahedra in space; facets of its boundary
// are edges in the plane and triangles in space. Made by offline/scenes/object_builder.h; immutable, shared by any
// number of simulations and threads.
//
// The subspace is that of contact-centric deformation learning (Romero et al. 2022, doi 10.1145/3528223.3530182,
// section 3.1), x~ = U x, written as scalar functions phi_k over the body: a point of the body with the values phi_k is
// at sum_k phi_k Q_k. A point handle has one function, with its position as Q_k; a frame handle has one per column of
// its matrix, two in the plane and three in space, and one for its position. The numbers of a state are the Q_k one
// after another, x before y before z.
#ifndef SINEW_DYNAMICS_OBJECT_TABLE_H_
#define SINEW_DYNAMICS_OBJECT_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/runtime/base/status.h"

namespace sinew::dynamics {

enum class HandleKind : uint32_t { kPoint = 0, kFrame = 1 };

// Sparse rows, each over some of the functions, in increasing order.
struct SparseRows {
  const uint32_t* starts = nullptr;  // one more than rows
  const uint16_t* basis = nullptr;   // function of each entry
  const double* values = nullptr;    // one number per entry, or as many as the object has dimensions
};

class ObjectTable {
 public:
  static constexpr uint32_t kMaxBasis = 128;      // functions
  static constexpr uint32_t kMaxRows = 1u << 22;  // nodes, cells, cubature cells, facets, contact points

  // Offsets are from the start of the block, multiples of 64.
  struct Rows {
    uint32_t row_count, entry_count;
    uint64_t starts_offset, basis_offset, values_offset;
  };
  struct Handle {
    HandleKind kind;
    uint32_t first;    // its first function; functions of handles follow each other without gaps
    double centre[3];  // at rest, in metre; in the plane the third is 0
    double radius;     // by which matrices of frames are weighed against positions, in metre, above 0
  };
  struct Header {
    static constexpr uint32_t kMagic = 0x54464f53;  // "SOFT"
    // 1: without where cubature and contact points are; 2: in the plane only.
    static constexpr uint32_t kVersion = 3;
    uint32_t magic, version;
    uint64_t checksum;  // runtime::Checksum() of everything after it
    uint64_t bytes;     // of the whole block
    uint32_t handle_count, basis_count, node_count, cell_count, boundary_count;
    uint32_t dimension;  // 2 or 3
    double mu, lambda;   // of the material (runtime/kernels/neo_hookean.h), in pascal
    double density;      // in kilogram per cubic metre, above 0
    double
        contact_stiffness;  // k of the contact potential k depth^3 per area, in newton per metre to the power of four
    double size;            // diagonal of the bounding box at rest, in metre
    uint64_t handles_offset;
    uint64_t rest_offset;              // as many doubles per node as dimensions
    uint64_t cells_offset;             // three or four uint32_t each: a triangle counter-clockwise, or a tetrahedron a,
                                       // b, c, d with b, c, d counter-clockwise seen from outside
    uint64_t boundary_offset;          // two or three uint32_t per facet: an edge with the body on its left, or a
                                       // triangle counter-clockwise seen from outside
    uint64_t mass_offset;              // doubles, basis_count squared: integrals of density phi_k phi_l
    uint64_t element_measures_offset;  // double per cubature cell: the area, or the volume, that it stands for
    uint64_t point_measures_offset;    // double per contact point: the length, or the area, that it stands for
    uint64_t sources_offset;           // uint32_t per cubature cell: which cell it is
    uint64_t facets_offset;            // uint32_t per contact point: the facet that it is on
    uint64_t shares_offset;            // doubles per contact point: weights of the facet's corners but the first
    Rows nodes;                        // one value per entry: phi_k
    Rows elements;                     // cubature cells, as many values per entry as dimensions: gradient of phi_k
    Rows points;                       // contact points, one value per entry: phi_k
  };

  ObjectTable() = default;

  // Opens a table in place. block: 64-byte aligned; must stay alive and unchanged as long as the table is used.
  // kInvalidArgument: the block is misaligned, cut short, not a soft object, damaged, refers to what does not exist, or
  // holds a number that is not finite or out of its range. kUnsupported: made by a newer version.
  static runtime::Status Open(std::span<const std::byte> block, ObjectTable* table) noexcept;

  // Whether a block was opened; all below need one.
  bool is_open() const { return header_ != nullptr; }
  const Header& header() const { return *header_; }
  int handle_count() const { return static_cast<int>(header_->handle_count); }
  int basis_count() const { return static_cast<int>(header_->basis_count); }
  int node_count() const { return static_cast<int>(header_->node_count); }
  int cell_count() const { return static_cast<int>(header_->cell_count); }
  int boundary_count() const { return static_cast<int>(header_->boundary_count); }
  int element_count() const { return static_cast<int>(header_->elements.row_count); }
  int point_count() const { return static_cast<int>(header_->points.row_count); }
  // 2 in the plane, 3 in space. Nodes have as many coordinates, facets as many corners, and cells one more.
  int dimension() const { return static_cast<int>(header_->dimension); }
  // Numbers of a state.
  int state_size() const { return dimension() * basis_count(); }

  const Handle& handle(int h) const { return Array<Handle>(header_->handles_offset)[h]; }
  // Index of the function that carries the handle's position.
  int PositionBasis(int h) const {
    return static_cast<int>(handle(h).first) + (handle(h).kind == HandleKind::kFrame ? dimension() : 0);
  }
  const double* rest() const { return Array<double>(header_->rest_offset); }
  const uint32_t* cells() const { return Array<uint32_t>(header_->cells_offset); }
  const uint32_t* boundary() const { return Array<uint32_t>(header_->boundary_offset); }
  const double* mass() const { return Array<double>(header_->mass_offset); }
  // Measures of the cubature cells, and which cells they are.
  const double* element_measures() const { return Array<double>(header_->element_measures_offset); }
  const uint32_t* sources() const { return Array<uint32_t>(header_->sources_offset); }
  // What each contact point stands for; the facet that it is on; and the weights of that facet's second and, in space,
  // third corner, dimension() - 1 each. That of the first is what is missing to 1.
  const double* point_measures() const { return Array<double>(header_->point_measures_offset); }
  const uint32_t* facets() const { return Array<uint32_t>(header_->facets_offset); }
  const double* shares() const { return Array<double>(header_->shares_offset); }
  // The same of an object in the plane, by the words of the plane.
  int triangle_count() const { return cell_count(); }
  const uint32_t* triangles() const { return cells(); }
  const double* areas() const { return element_measures(); }
  const double* lengths() const { return point_measures(); }
  const uint32_t* edges() const { return facets(); }
  SparseRows nodes() const { return View(header_->nodes); }
  SparseRows elements() const { return View(header_->elements); }
  SparseRows points() const { return View(header_->points); }

  // Writes the state in which the object is at rest. state: state_size() numbers.
  void RestState(double* state) const noexcept;

 private:
  template <typename T>
  const T* Array(uint64_t offset) const {
    return reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(header_) + offset);
  }
  SparseRows View(const Rows& rows) const {
    return {Array<uint32_t>(rows.starts_offset), Array<uint16_t>(rows.basis_offset), Array<double>(rows.values_offset)};
  }
  bool ArraysFit() const noexcept;
  bool HandlesAreSound() const noexcept;
  bool RowsAreSound(const Rows& rows, int width) const noexcept;
  bool KeepsTranslations(const Rows& rows, int width, double sum) const noexcept;
  bool NumbersAreSound() const noexcept;

  const Header* header_ = nullptr;
};

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_OBJECT_TABLE_H_
