// Contact field in a frame: its collider's pose, and the hidden units of the joints, made once per frame and collider,
// so that a vertex costs as many multiplications as it has influences ("skinning of hidden units").
#ifndef SINEW_RUNTIME_CONTACT_POSED_FIELD_H_
#define SINEW_RUNTIME_CONTACT_POSED_FIELD_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/runtime/base/math.h"
#include "sinew/runtime/contact/contact_table.h"

namespace sinew::runtime {

// Largest number of colliders in one evaluation.
constexpr int kMaxColliders = 8;

// Rigid collider in a frame.
struct Collider {
  int field = 0;  // which of the bundle's contact fields: index in its ContactTable
  // Rigid transform from the collider's space to model space, or to the frame of `joint`: rotation and translation.
  Affine pose = {};
  // Joint that carries the collider, or -1. Of a joint whose matrix scales, only the rotation and the place count.
  int joint = -1;
  bool on = true;
};

struct PosedField {
  const ContactTable* table = nullptr;
  const ContactTable::Field* field = nullptr;
  float R[9] = {};            // axes of the collider in model space, one after another
  float t[3] = {};            // its place in model space
  float per_unit = 1;         // 1 / unit
  float per_spacing[3] = {};  // 1 / spacing of the grid
  Bounds box = {};            // around all that is in the window, in model space
  float* place = nullptr;     // A, 3 * width floats
  float* bias = nullptr;      // b, width floats
  float* last = nullptr;      // W, 3 * width floats
  float* units = nullptr;     // g, width floats per handle, and width zeros for joints without one
  float* shares = nullptr;    // one per slot: how much of the field its vertices get, 0 to 1
  uint16_t* rows = nullptr;   // one per slot: which row of `units` is its joint's

  const float* units_of(uint32_t slot) const { return units + size_t{rows[slot]} * field->width; }
};

// Floats that a posed field needs, a multiple of 16: those of the table's largest.
size_t PosedFieldFloats(const ContactTable& table, size_t slots) noexcept;

// Poses a field. collider: its field exists. models: matrix of each joint in model space. slot_joints: joint of each
// slot or -1. memory: PosedFieldFloats(), 64-byte aligned. Returns false, and nothing is to be used, if the pose is not
// finite or not rigid, the joint does not exist or its matrix has no rotation.
bool PoseField(const ContactTable& table, const Collider& collider, std::span<const Affine> models,
               std::span<const int16_t> slot_joints, float* memory, PosedField* posed) noexcept;

// Whether the matrix only turns and moves, within a thousandth, and is finite.
bool IsRigid(const Affine& matrix) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_CONTACT_POSED_FIELD_H_
