// Table of learned contact fields, one per collider: one block of memory without pointers, made by
// offline/tables/contact_builder.h, immutable, shared by any number of instances and threads.
//
// A field is the sparse field of contact-centric deformation learning (Romero et al. 2022, doi
// 10.1145/3528223.3530182, equation 4) with one hidden layer, around a touch: what all vertices inside of the collider
// have in common in a frame (touch.h), its depth D, its centre p and the direction n in which the collider pushes. In
// the space of the collider, for a vertex at z-bar whose influences are the joints j with weights w_j:
//
//     x = (z-bar, height and radius of z-bar about the axis (p, n), signed distance to the collider)
//     h = tanh(A x + sum_j w_j g_j + C (D, p, n) + b),   g_j = B_j (numbers of joint j),   (r, s, t) = W h + c
//     u = D / depth * window * (r n + s e + t n x e),    e: away from the axis, at a right angle to n
//
// The numbers of a joint are the nine entries of its matrix in the collider's space, column by column, and its origin
// there. Lengths are counted in `unit`. The window is one of the signed distance to the collider, 1 inside of it and 0
// from `window` on, so that the field ends there; where nothing touches, D and u are 0.
#ifndef SINEW_RUNTIME_CONTACT_CONTACT_TABLE_H_
#define SINEW_RUNTIME_CONTACT_CONTACT_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sinew/runtime/base/status.h"

namespace sinew::runtime {

class ContactTable {
 public:
  static constexpr uint32_t kMaxFields = 64;
  static constexpr uint32_t kMaxWidth = 1024;  // of the hidden layer
  static constexpr uint32_t kWidthUnit = 32;   // the width is a multiple of this
  static constexpr uint32_t kMaxHandles = 4096;
  static constexpr uint32_t kMaxSamples = 1024;   // of the grid, along one axis
  static constexpr uint32_t kHandleNumbers = 12;  // per joint
  static constexpr uint32_t kPlaceNumbers = 6;    // x, per vertex
  static constexpr uint32_t kTouchNumbers = 7;    // D, p and n
  static constexpr uint32_t kNameBytes = 64;

  struct Header {
    static constexpr uint32_t kMagic = 0x32544353;  // "SCT2"
    uint32_t magic, field_count, reserved[2];
    uint64_t fields_offset, bytes;  // from the start of the block, a multiple of 64; size of the whole block
  };

  // Offsets are from the start of the block, multiples of 64; half: 16-bit float.
  struct Field {
    char name[kNameBytes];  // of the collider, ending with at least one 0
    uint32_t width, handle_count;
    uint32_t counts[3];  // samples of the distance grid along x, y and z, 2 to kMaxSamples
    float origin[3];     // of the grid in the collider's space, in `unit`
    float spacing[3];    // of the grid, in `unit`, above 0
    float unit;          // length of 1 in the character's unit, above 0
    float output;        // length of an r of 1 in the character's unit, above 0
    float window;        // distance from which on the field is 0, in `unit`, above 0
    float depth;         // largest D in training, in `unit`, above 0
    float largest;       // largest length of (r, s, t) that is given out, in units of `output`, above 0
    float least[kPlaceNumbers], most[kPlaceNumbers];              // clamps of x
    float touch_least[kTouchNumbers], touch_most[kTouchNumbers];  // range of D, p and n in training
    float last_bias[3];                                           // c
    uint64_t joints_offset;                                       // uint16_t per handle: its joint; increasing
    uint64_t shares_offset;  // float per handle, 0 to 1: how much of the field vertices of that joint get
    // 12 floats per handle that its numbers are clamped to from below, then 12 that they are clamped to from above.
    uint64_t limits_offset;
    uint64_t place_offset;      // A: halves, kPlaceNumbers * width
    uint64_t touch_offset;      // C: halves, kTouchNumbers * width
    uint64_t bias_offset;       // b: floats, width
    uint64_t handles_offset;    // B: halves, 12 * width per handle
    uint64_t last_offset;       // W: halves, 3 * width
    uint64_t distances_offset;  // halves in `unit`, z fastest, then y; negative inside
  };

  ContactTable() = default;

  // Opens a table in place. block: 64-byte aligned; must stay alive and unchanged as long as the table is used.
  // kInvalidArgument: the block is misaligned, cut short, not a contact table, refers to an array entry that does not
  // exist, holds a number that is not finite or out of its range, or a grid at whose border the window is not yet 0.
  static Status Open(std::span<const std::byte> block, ContactTable* table) noexcept;

  // 0 until a block is opened.
  int field_count() const { return header_ == nullptr ? 0 : static_cast<int>(header_->field_count); }
  const Field& field(int f) const { return fields_[f]; }
  std::string_view name(int f) const { return {fields_[f].name}; }
  // Exclusive upper bound of the joints in the table.
  int joint_bound() const { return joint_bound_; }

  template <typename T>
  const T* Array(uint64_t offset) const {
    return reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(header_) + offset);
  }
  static uint64_t SampleCount(const Field& field) {
    return uint64_t{field.counts[0]} * field.counts[1] * field.counts[2];
  }

 private:
  bool FieldIsSound(const Field& field) const noexcept;
  bool EndsAtBorder(const Field& field) const noexcept;

  const Header* header_ = nullptr;
  const Field* fields_ = nullptr;
  int joint_bound_ = 0;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_CONTACT_CONTACT_TABLE_H_
