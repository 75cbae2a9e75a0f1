#include "sinew/dynamics/cell_hessian.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/dynamics/cell_hessian.cc"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "sinew/dynamics/doubles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::dynamics::HWY_NAMESPACE {

// Functions whose rows are added to at once.
constexpr size_t kTile = 4;

template <int D>
using Sums = double[D][CellHessian<D>::kNumbers];

// Vectors of one column each of kLane functions, and back.
HWY_INLINE HWY_ATTR void Split(const double* from, V (&columns)[2]) {
  hn::LoadInterleaved2(Tag(), from, columns[0], columns[1]);
}
HWY_INLINE HWY_ATTR void Split(const double* from, V (&columns)[3]) {
  hn::LoadInterleaved3(Tag(), from, columns[0], columns[1], columns[2]);
}
HWY_INLINE HWY_ATTR void Join(const V (&columns)[2], double* to) {
  hn::StoreInterleaved2(columns[0], columns[1], Tag(), to);
}
HWY_INLINE HWY_ATTR void Join(const V (&columns)[3], double* to) {
  hn::StoreInterleaved3(columns[0], columns[1], columns[2], Tag(), to);
}

// Sets sums[c], coordinate s of function l beside the others of l, to row r of the sum over d of C_cd g_ld.
template <int D>
HWY_INLINE HWY_ATTR void SumColumns(const CellHessian<D>& cell, int r, Sums<D>& sums) {
  const Tag tag;
  for (size_t l = 0; l < cell.count; l += kLane) {
    V g[D];
    Split(cell.gradients + D * l, g);
    for (int c = 0; c < D; ++c) {
      V sum[D];
      for (int s = 0; s < D; ++s) {
        sum[s] = hn::Mul(hn::Set(tag, cell.C.columns[c][0].at[r][s]), g[0]);
        for (int d = 1; d < D; ++d) sum[s] = hn::MulAdd(hn::Set(tag, cell.C.columns[c][d].at[r][s]), g[d], sum[s]);
      }
      Join(sum, sums[c] + D * l);
    }
  }
}

// Adds to rows r of `kRows` functions from the cell's function k on.
template <int D, size_t kRows>
HWY_INLINE HWY_ATTR void AddRows(const CellHessian<D>& cell, const Sums<D>& sums, size_t k, int r, size_t size,
                                 double* hessian) {
  const Tag tag;
  const double* gradients = cell.gradients + D * k;
  V g[kRows][D];
  for (size_t row = 0; row < kRows; ++row) {
    for (int c = 0; c < D; ++c) g[row][c] = hn::Set(tag, gradients[D * row + c]);
  }
  double* out = hessian + (D * (cell.first + k) + r) * size + D * cell.first;
  const size_t numbers = D * (k + kRows), room = size - D * cell.first;
  size_t m = 0;
  for (; m < numbers && m + kLane <= room; m += kLane) {
    V sum[D];
    for (int c = 0; c < D; ++c) sum[c] = hn::LoadU(tag, sums[c] + m);
    for (size_t row = 0; row < kRows; ++row) {
      double* at = out + D * row * size + m;
      V total = hn::LoadU(tag, at);
      for (int c = 0; c < D; ++c) total = hn::MulAdd(g[row][c], sum[c], total);
      hn::StoreU(total, tag, at);
    }
  }
  // Where a vector would reach into the next row.
  for (; m < numbers; ++m) {
    for (size_t row = 0; row < kRows; ++row) {
      for (int c = 0; c < D; ++c) out[D * row * size + m] += gradients[D * row + c] * sums[c][m];
    }
  }
}

template <int D>
HWY_INLINE HWY_ATTR void AddCell(const CellHessian<D>& cell, size_t size, double* hessian) {
  Sums<D> sums;
  for (int r = 0; r < D; ++r) {
    SumColumns<D>(cell, r, sums);
    size_t k = 0;
    for (; k + kTile <= cell.count; k += kTile) AddRows<D, kTile>(cell, sums, k, r, size, hessian);
    for (; k < cell.count; ++k) AddRows<D, 1>(cell, sums, k, r, size, hessian);
  }
}

HWY_ATTR void AddPlane(const CellHessian<2>& cell, size_t size, double* hessian) { AddCell<2>(cell, size, hessian); }
HWY_ATTR void AddSolid(const CellHessian<3>& cell, size_t size, double* hessian) { AddCell<3>(cell, size, hessian); }

}  // namespace sinew::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::dynamics {

HWY_EXPORT(AddPlane);
HWY_EXPORT(AddSolid);

void AddCellHessian(const CellHessian<2>& cell, size_t size, double* hessian) noexcept {
  HWY_DYNAMIC_DISPATCH(AddPlane)(cell, size, hessian);
}
void AddCellHessian(const CellHessian<3>& cell, size_t size, double* hessian) noexcept {
  HWY_DYNAMIC_DISPATCH(AddSolid)(cell, size, hessian);
}

}  // namespace sinew::dynamics
#endif
