#include "sinew/runtime/contact/posed_field.h"

#include <cmath>
#include <cstring>

#include "sinew/runtime/base/tiles.h"
#include "sinew/runtime/contact/field_kernel.h"
#include "sinew/runtime/pose/pose.h"
#include "sinew/runtime/skin/linear_part.h"

namespace sinew::runtime {
namespace {

using Field = ContactTable::Field;
constexpr uint32_t kNumbers = ContactTable::kHandleNumbers;

// Places beyond this are refused: products with them could overflow.
constexpr float kFarthest = 1e15f;
// A handle's numbers may leave their trained range by this share of it, plus kLeastMargin, until the field has faded.
constexpr float kMargin = 0.25f, kLeastMargin = 0.05f;

size_t Padded(size_t floats) { return (floats + 15) / 16 * 16; }

// Rows of `width` floats before those of the handles: A, b and W.
constexpr size_t kLayerRows = ContactTable::kPlaceNumbers + 1 + 3;

size_t FloatsOf(const Field& f, size_t slots) {
  return Padded((kLayerRows + size_t{f.handle_count} + 1) * f.width) + Padded(slots) + Padded((slots + 1) / 2);
}

float SmoothStep(float x) {
  const float s = x < 0 ? 0 : x > 1 ? 1 : x;
  return s * s * (3 - 2 * s);
}

// Removes the scale of a joint's matrix. Returns false if it does more than turn, move and scale evenly.
bool WithoutScale(const Affine& joint, Affine& rigid) {
  if (LinearPartOf(joint) != LinearPart::kEven) return false;
  const float* m = joint.m;
  const float scale = std::sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
  rigid = joint;
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 3; ++row) rigid.m[4 * column + row] /= scale;
  }
  return IsRigid(rigid);
}

// Box in model space around the grid without a margin. Distances at the grid's border are at least those of the window,
// so that the collider itself is as far from it.
Bounds BoxOf(const PosedField& posed, float margin) {
  const Field& f = *posed.field;
  Bounds box = kEmptyBounds;
  for (int corner = 0; corner < 8; ++corner) {
    float x[3] = {posed.t[0], posed.t[1], posed.t[2]};
    for (int k = 0; k < 3; ++k) {
      const auto last = static_cast<float>(f.counts[k] - 1);
      const float z = f.unit * (f.origin[k] + (((corner >> k) & 1) != 0 ? f.spacing[k] * last - margin : margin));
      for (int row = 0; row < 3; ++row) x[row] += posed.R[3 * k + row] * z;
    }
    Extend(box, {{x[0], x[1], x[2]}, {x[0], x[1], x[2]}});
  }
  return box;
}

// Numbers of a joint in the collider's space (T(z)^-1 x of equations 3 and 4).
void CarryJoint(const PosedField& posed, const Affine& joint, float* numbers) {
  for (int column = 0; column < 4; ++column) {
    float x[3];
    for (int row = 0; row < 3; ++row) {
      x[row] = column < 3 ? joint.m[4 * column + row] : (joint.m[12 + row] - posed.t[row]) / posed.field->unit;
    }
    for (int k = 0; k < 3; ++k) {
      const float* axis = posed.R + 3 * k;
      numbers[3 * column + k] = axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2];
    }
  }
}

// Lays the arrays out and fills those that depend on the table alone.
void PlaceArrays(float* memory, size_t slots, PosedField& posed) {
  const Field& f = *posed.field;
  const size_t width = f.width;
  posed.place = memory;
  posed.bias = posed.place + ContactTable::kPlaceNumbers * width;
  posed.last = posed.bias + width;
  posed.units = posed.last + 3 * width;
  posed.shares = memory + Padded((kLayerRows + size_t{f.handle_count} + 1) * width);
  posed.rows = reinterpret_cast<uint16_t*>(posed.shares + Padded(slots));
}

// Finds the handle of a joint by bisection; the number of handles if it has none.
uint32_t HandleOf(const uint16_t* joints, uint32_t count, int joint) {
  uint32_t begin = 0, end = count;
  while (begin < end) {
    const uint32_t middle = (begin + end) / 2;
    (joints[middle] < joint) ? begin = middle + 1 : end = middle;
  }
  return begin < count && joints[begin] == joint ? begin : count;
}

void AssignSlots(std::span<const int16_t> slot_joints, const uint16_t* joints, const float* handle_shares,
                 PosedField& posed) {
  const uint32_t count = posed.field->handle_count;
  for (size_t s = 0; s < slot_joints.size(); ++s) {
    const uint32_t handle = slot_joints[s] < 0 ? count : HandleOf(joints, count, slot_joints[s]);
    posed.rows[s] = static_cast<uint16_t>(handle);
    posed.shares[s] = handle < count ? handle_shares[handle] : 0;
  }
}

}  // namespace

float ClampToTrained(const float* least, const float* most, uint32_t count, float* numbers) noexcept {
  float inside = 1;
  for (uint32_t k = 0; k < count; ++k) {
    const float number = numbers[k], margin = kMargin * (most[k] - least[k]) + kLeastMargin;
    numbers[k] = number > most[k] ? most[k] : number >= least[k] ? number : least[k];
    const float left = 1 - std::fabs(number - numbers[k]) / margin;
    if (!(left >= inside)) inside = left > 0 ? left : 0;
  }
  return SmoothStep(inside);
}

bool IsRigid(const Affine& matrix) noexcept {
  bool usable = true;
  for (const float m : matrix.m) usable &= std::fabs(m) <= kFarthest;
  const float* m = matrix.m;
  return usable && LinearPartOf(matrix) == LinearPart::kEven &&
         std::fabs(m[0] * m[0] + m[1] * m[1] + m[2] * m[2] - 1) <= 2e-3f;
}

size_t PosedFieldFloats(const ContactTable& table, size_t slots) noexcept {
  size_t most = 0;
  for (int f = 0; f < table.field_count(); ++f) {
    const size_t floats = FloatsOf(table.field(f), slots);
    // Shares of the handles are kept at the end until slots have theirs.
    const size_t with_handles = floats + Padded(table.field(f).handle_count);
    most = with_handles > most ? with_handles : most;
  }
  return most;
}

bool PoseField(const ContactTable& table, const Collider& collider, std::span<const Affine> models,
               std::span<const int16_t> slot_joints, float* memory, PosedField* posed) noexcept {
  if (!IsRigid(collider.pose) || collider.joint >= static_cast<int>(models.size())) return false;
  Affine T = collider.pose;
  if (collider.joint >= 0) {
    Affine carrier;
    if (!WithoutScale(models[collider.joint], carrier)) return false;
    T = Multiply(carrier, collider.pose);
    if (!IsRigid(T)) return false;
  }
  *posed = {};
  posed->table = &table;
  posed->field = &table.field(collider.field);
  posed->push_out = collider.push_out;
  const Field& f = *posed->field;
  for (int column = 0; column < 3; ++column) std::memcpy(posed->R + 3 * column, T.m + 4 * column, 3 * sizeof(float));
  std::memcpy(posed->t, T.m + 12, 3 * sizeof(float));
  posed->per_unit = 1 / f.unit;
  for (int k = 0; k < 3; ++k) posed->per_spacing[k] = 1 / f.spacing[k];
  posed->box = BoxOf(*posed, 0);
  posed->core = BoxOf(*posed, f.window);
  PlaceArrays(memory, slot_joints.size(), *posed);
  CopyLayers(*posed);
  // Hidden units of the joints, and how far each is within what was trained.
  const auto* joints = table.Array<uint16_t>(f.joints_offset);
  const auto* shares = table.Array<float>(f.shares_offset);
  const auto* limits = table.Array<float>(f.limits_offset);
  float* handle_shares = memory + FloatsOf(f, slot_joints.size());
  for (uint32_t h = 0; h < f.handle_count; ++h) {
    float numbers[kNumbers];
    CarryJoint(*posed, models[joints[h]], numbers);
    const float* least = limits + size_t{h} * 2 * kNumbers;
    handle_shares[h] = shares[h] * ClampToTrained(least, least + kNumbers, kNumbers, numbers);
    MakeUnits(*posed, h, numbers);
  }
  std::memset(posed->units + size_t{f.handle_count} * f.width, 0, f.width * sizeof(float));
  AssignSlots(slot_joints, joints, handle_shares, *posed);
  return true;
}

}  // namespace sinew::runtime
