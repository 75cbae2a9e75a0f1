// Contact fields of many points at once: the network of posed_field.h, forwards and backwards, with one point per lane
// of a vector. Internal.
#ifndef SINEW_DYNAMICS_FIELD_KERNEL_H_
#define SINEW_DYNAMICS_FIELD_KERNEL_H_

#include "sinew/dynamics/field_table.h"

namespace sinew::dynamics {

// A batch of points. All arrays are rows of kLanes numbers, one per point; what a lane holds depends on nothing that is
// in the others.
struct FieldBatch {
  static constexpr int kLanes = 32;

  const FieldTable* field = nullptr;
  int handles = 0;
  const double* g = nullptr;  // one row of `width` units per handle
  // In.
  double* place = nullptr;    // two rows: z-bar
  double* weights = nullptr;  // one row per handle
  // Out.
  double* first = nullptr;   // `width` rows: units of the first layer after tanh
  double* second = nullptr;  // and of the second
  double* r = nullptr;       // two rows
  // `width` rows per coordinate of r: its slopes by units of the first layer before tanh, and of the second.
  double* back = nullptr;
  double* back_second = nullptr;
  // Per coordinate of r, a row per row of the first layer: those of z-bar, and of the functions in their order.
  double* by_row = nullptr;

  int row_count() const { return 2 + 2 * static_cast<int>(field->header().basis_count); }
};

// Sets the units and r.
void EvaluateBatch(const FieldBatch& batch) noexcept;
// Sets the slopes and by_row, after EvaluateBatch().
void DeriveBatch(const FieldBatch& batch) noexcept;

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_FIELD_KERNEL_H_
