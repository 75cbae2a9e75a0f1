// Vectorised kernels of contact fields: layers of a posed field, and the field at one point.
#ifndef SINEW_RUNTIME_CONTACT_FIELD_KERNEL_H_
#define SINEW_RUNTIME_CONTACT_FIELD_KERNEL_H_

#include "sinew/runtime/contact/posed_field.h"
#include "sinew/runtime/skin/skin_table.h"

namespace sinew::runtime {

// Point at which a field is evaluated.
struct FieldPoint {
  float x[ContactTable::kPlaceNumbers];  // as in contact_table.h
  // d x / d z-bar, row by row; needed for a Jacobian only. Of the first three rows, only the diagonal may differ from
  // 0.
  float slopes[ContactTable::kPlaceNumbers][3];
  int influences;                      // 1 to kMaxInfluences
  const float* units[kMaxInfluences];  // PosedField::units_of() its slots
  float weights[kMaxInfluences];
};

// Converts A, b and W to floats.
void CopyLayers(const PosedField& posed) noexcept;
// Adds C (D, p, n) to b: bias = b + C numbers.
void SetBias(const PosedField& posed, const float* numbers) noexcept;
// Computes g of a handle from its 12 numbers.
void MakeUnits(const PosedField& posed, uint32_t handle, const float* numbers) noexcept;
// Computes (r, s, t) of contact_table.h at a point. jacobian: output, 9 floats, its derivative by z-bar row by row; may
// be null.
void EvaluateField(const PosedField& posed, const FieldPoint& point, float (&r)[3], float* jacobian) noexcept;

// The same by plain loops: the reference for tests, and for targets without vectors.
void MakeUnitsReference(const PosedField& posed, uint32_t handle, const float* numbers) noexcept;
void EvaluateFieldReference(const PosedField& posed, const FieldPoint& point, float (&r)[3], float* jacobian) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_CONTACT_FIELD_KERNEL_H_
