// Learned contact field of an object in the plane, as one block of memory without pointers: what a .dent file holds
// (docs/formats/dent.md). It gives how far each point of the object gives way to one rigid collider: contact-centric
// deformation learning (Romero et al. 2022, doi 10.1145/3528223.3530182), section 3, in its sparse form,
//
//   u = R r,  r = f(z-bar, W(x) T^-1 x),  z-bar = T^-1 x~                        (equations 2 and 4)
//
// with f a network of one or two hidden tanh layers. Made by offline/contact/dent_file.h; immutable, shared by any
// number of simulations and threads.
#ifndef SINEW_DYNAMICS_FIELD_TABLE_H_
#define SINEW_DYNAMICS_FIELD_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/dynamics/object_table.h"

namespace sinew::dynamics {

class FieldTable {
 public:
  static constexpr uint32_t kMaxWidth = 1024;  // units of a hidden layer

  // Handle of the object that the field was trained for.
  struct Handle {
    HandleKind kind;
    uint32_t reserved;
    double centre[2];  // at rest, in metre
  };
  struct Header {
    static constexpr uint32_t kMagic = 0x544e4544;  // "DENT"
    static constexpr uint32_t kVersion = 1;
    uint32_t magic, version;
    uint64_t checksum;  // runtime::Checksum() of everything after it
    uint64_t bytes;     // of the whole block
    uint32_t handle_count, basis_count, layers, width, corner_count, reserved;
    double rounding;  // of the collider's corners, in metre
    double window;    // distance from the collider beyond which nothing moves, in metre
    // Integral of squared depth over the outline, in cubic metre, at which three quarters of the field act.
    double touch;
    // Offsets are from the start of the block, multiples of 64. Numbers of the network are floats, row by row, `width`
    // per row but for the last; lengths that go in and come out are in metre.
    uint64_t handles_offset;
    uint64_t corners_offset;      // of the collider: two doubles each, counter-clockwise, in its own space
    uint64_t place_offset;        // two rows: what z-bar adds to the units of the first layer
    uint64_t state_offset;        // two rows per function of the object: what its numbers add at weight 1
    uint64_t bias_offset;         // one row
    uint64_t second_offset;       // `width` rows, one per unit of the first layer; none with one layer
    uint64_t second_bias_offset;  // one row; none with one layer
    uint64_t output_offset;       // two rows, one per coordinate of r
    uint64_t output_bias_offset;  // two numbers
  };

  FieldTable() = default;

  // Opens a table in place. block: 64-byte aligned; must stay alive and unchanged as long as the table is used.
  // kInvalidArgument: the block is misaligned, cut short, not a contact field, damaged, or holds a number that is not
  // finite or out of its range. kUnsupported: made by a newer version.
  static runtime::Status Open(std::span<const std::byte> block, FieldTable* table) noexcept;

  // Whether a block was opened; all below need one.
  bool is_open() const { return header_ != nullptr; }
  const Header& header() const { return *header_; }
  int handle_count() const { return static_cast<int>(header_->handle_count); }
  int width() const { return static_cast<int>(header_->width); }
  int layers() const { return static_cast<int>(header_->layers); }
  int corner_count() const { return static_cast<int>(header_->corner_count); }
  const Handle& handle(int h) const { return Array<Handle>(header_->handles_offset)[h]; }
  const double* corners() const { return Array<double>(header_->corners_offset); }
  // Rows of the network.
  const float* place(int coordinate) const { return Row(header_->place_offset, coordinate); }
  const float* state(int basis, int coordinate) const { return Row(header_->state_offset, 2 * basis + coordinate); }
  const float* bias() const { return Row(header_->bias_offset, 0); }
  const float* second(int unit) const { return Row(header_->second_offset, unit); }
  const float* second_bias() const { return Row(header_->second_bias_offset, 0); }
  const float* output(int coordinate) const { return Row(header_->output_offset, coordinate); }
  const float* output_bias() const { return Row(header_->output_bias_offset, 0); }

  // Whether the object has the handles that the field was trained for. Its mesh may be another one.
  bool Fits(const ObjectTable& object) const noexcept;

 private:
  template <typename T>
  const T* Array(uint64_t offset) const {
    return reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(header_) + offset);
  }
  const float* Row(uint64_t offset, int row) const {
    return Array<float>(offset) + static_cast<size_t>(row) * header_->width;
  }
  bool ArraysFit() const noexcept;
  bool HandlesAreSound() const noexcept;
  bool NumbersAreSound() const noexcept;

  const Header* header_ = nullptr;
};

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_FIELD_TABLE_H_
