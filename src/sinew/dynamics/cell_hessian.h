// Second derivatives by a state of a cubature cell's elastic energy, and of what acts on contact points, vectorised.
// Internal.
#ifndef SINEW_DYNAMICS_CELL_HESSIAN_H_
#define SINEW_DYNAMICS_CELL_HESSIAN_H_

#include <cstddef>

#include "sinew/dynamics/material.h"
#include "sinew/dynamics/object_table.h"

namespace sinew::dynamics {

// Block between functions k and l of a cell: sum over columns c, d of g_kc C_cd g_ld. D contact points are a cell, too:
// a column each, g_kc the value of function k at point c, C_cc the point's curvature and all other C_cd 0.
template <int D>
struct CellHessian {
  // Functions beyond the last that may be read.
  static constexpr size_t kBeyond = 8;
  static constexpr size_t kNumbers = D * (ObjectTable::kMaxBasis + kBeyond);

  ColumnBlocks<D> C;
  size_t first = 0;  // function
  size_t count = 0;  // functions from the first to the last of the cell
  // Row g_k per function, 0 for those between that the cell does not have and for kBeyond beyond the last.
  double gradients[kNumbers];
};

// Adds to the lower triangle of a matrix of `size` times `size` numbers, row by row. What is above the diagonal may
// change, too.
void AddCellHessian(const CellHessian<2>& cell, size_t size, double* hessian) noexcept;
void AddCellHessian(const CellHessian<3>& cell, size_t size, double* hessian) noexcept;

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_CELL_HESSIAN_H_
