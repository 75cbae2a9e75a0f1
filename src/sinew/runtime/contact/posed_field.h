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
  // Pushes vertices that are still inside of the collider out of it, along the gradient of the distance.
  bool push_out = false;
};

struct PosedField {
  const ContactTable* table = nullptr;
  const ContactTable::Field* field = nullptr;
  float R[9] = {};            // axes of the collider in model space, one after another
  float t[3] = {};            // its place in model space
  float per_unit = 1;         // 1 / unit
  float per_spacing[3] = {};  // 1 / spacing of the grid
  Bounds box = {};            // around all that is in the window, in model space
  Bounds core = {};           // around the collider itself: the box without the window, in model space
  bool push_out = false;      // as Collider has it
  // Touch of the level that is evaluated, in the collider's space (touch.h).
  float deepest = 0;         // D, at most the field's depth; 0: nothing touches, and the field moves nothing
  float center[3] = {};      // p
  float push[3] = {};        // n
  float gate = 0;            // D / depth, times how well such a touch was trained
  float* place = nullptr;    // A, kPlaceNumbers * width floats
  float* bias = nullptr;     // b and what the touch adds to it, width floats
  float* last = nullptr;     // W, 3 * width floats
  float* units = nullptr;    // g, width floats per handle, and width zeros for joints without one
  float* shares = nullptr;   // one per slot: how much of the field its vertices get, 0 to 1
  uint16_t* rows = nullptr;  // one per slot: which row of `units` is its joint's

  const float* units_of(uint32_t slot) const { return units + size_t{rows[slot]} * field->width; }
};

// Vertices that get less of the field than this are reported as outside of what was trained.
constexpr float kFullShare = 0.999f;

// Influences of a vertex.
struct Skinned {
  const uint16_t* slots;
  const float* weights;  // null: one influence
  int count;
  float weight(int j) const { return weights == nullptr ? 1 : weights[j]; }
};

// How much of the field a vertex gets, by its joints: 0 to 1.
inline float ShareOf(const PosedField& posed, const Skinned& skinned) {
  float share = 0;
  for (int j = 0; j < skinned.count; ++j) share += skinned.weight(j) * posed.shares[skinned.slots[j]];
  return share;
}

inline bool Overlap(const Bounds& a, const Bounds& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z &&
         b.min.z <= a.max.z;
}
inline bool Contains(const Bounds& box, const Float3& p) { return Overlap(box, {p, p}); }

// Floats that a posed field needs, a multiple of 16: those of the table's largest.
size_t PosedFieldFloats(const ContactTable& table, size_t slots) noexcept;

// Poses a field. collider: its field exists. models: matrix of each joint in model space. slot_joints: joint of each
// slot or -1. memory: PosedFieldFloats(), 64-byte aligned. Returns false, and nothing is to be used, if the pose is not
// finite or not rigid, the joint does not exist or its matrix has no rotation.
bool PoseField(const ContactTable& table, const Collider& collider, std::span<const Affine> models,
               std::span<const int16_t> slot_joints, float* memory, PosedField* posed) noexcept;

// Clamps `count` numbers to their trained ranges. Returns 1 within them, less outside, and 0 far outside and for NaN.
float ClampToTrained(const float* least, const float* most, uint32_t count, float* numbers) noexcept;

// Whether the matrix only turns and moves, within a thousandth, and is finite.
bool IsRigid(const Affine& matrix) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_CONTACT_POSED_FIELD_H_
