// Vectorised contact fields in double precision.
#include "sinew/dynamics/field_kernel.h"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/dynamics/field_kernel.cc"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "sinew/dynamics/doubles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::dynamics::HWY_NAMESPACE {

constexpr size_t kRow = FieldBatch::kLanes;
// Vectors that are worked on at once, and rows of a matrix that are multiplied with each of them: sums of all must be
// in registers, and several in flight.
constexpr size_t kVectors = 4;
constexpr size_t kRows = 2;
static_assert(kRow % (kVectors * kLane) == 0);

// Matrix of floats whose rows or columns are in a row.
struct Matrix {
  const float* values;
  size_t row_step, column_step;
  float at(size_t row, size_t column) const { return values[row * row_step + column * column_step]; }
};

// Sets `kCount` rows of out, from `first` on, to bias + A x. x: a row per column of A.
template <size_t kCount>
HWY_INLINE HWY_ATTR void MultiplyRows(const Matrix& A, size_t first, size_t columns, const float* bias, const double* x,
                                      double* out) {
  const Tag d;
  for (size_t lane = 0; lane < kRow; lane += kVectors * kLane) {
    V sums[kCount][kVectors];
    for (size_t r = 0; r < kCount; ++r) {
      const V start = hn::Set(d, bias == nullptr ? 0.0 : static_cast<double>(bias[first + r]));
      for (size_t v = 0; v < kVectors; ++v) sums[r][v] = start;
    }
    for (size_t c = 0; c < columns; ++c) {
      V numbers[kVectors];
      for (size_t v = 0; v < kVectors; ++v) numbers[v] = hn::LoadU(d, x + c * kRow + lane + v * kLane);
      for (size_t r = 0; r < kCount; ++r) {
        const V weight = hn::Set(d, static_cast<double>(A.at(first + r, c)));
        for (size_t v = 0; v < kVectors; ++v) sums[r][v] = hn::MulAdd(weight, numbers[v], sums[r][v]);
      }
    }
    for (size_t r = 0; r < kCount; ++r) {
      for (size_t v = 0; v < kVectors; ++v) {
        hn::StoreU(sums[r][v], d, out + (first + r) * kRow + lane + v * kLane);
      }
    }
  }
}

HWY_INLINE HWY_ATTR void Multiply(const Matrix& A, size_t rows, size_t columns, const float* bias, const double* x,
                                  double* out) {
  size_t row = 0;
  for (; row + kRows <= rows; row += kRows) MultiplyRows<kRows>(A, row, columns, bias, x, out);
  for (; row < rows; ++row) MultiplyRows<1>(A, row, columns, bias, x, out);
}

// The tangent of runtime/kernels/smooth_tanh.h.
HWY_INLINE HWY_ATTR V Tanh(V x) {
  constexpr double kPolynomial[] = {1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
                                    1.0 / 120,      1.0 / 24,      1.0 / 6,      0.5,         1,          1};
  const Tag d;
  const V largest = hn::Set(d, 19.1), rounder = hn::Set(d, 6755399441055744.0), one = hn::Set(d, 1.0);
  const V clamped = hn::Max(hn::Neg(largest), hn::Min(largest, x));
  const V shifted = hn::MulAdd(clamped, hn::Set(d, 2 / 0.693147180559945309417), rounder);
  const V n = hn::Sub(shifted, rounder);
  V r = hn::NegMulAdd(n, hn::Set(d, 0.69314718055994528623), hn::Add(clamped, clamped));
  r = hn::NegMulAdd(n, hn::Set(d, 2.319046813846299558e-17), r);
  V p = hn::Set(d, kPolynomial[0]);
  for (size_t k = 1; k < 12; ++k) p = hn::MulAdd(p, r, hn::Set(d, kPolynomial[k]));
  return hn::Sub(one, hn::Div(hn::Set(d, 2.0), hn::MulAdd(p, TwoTo(shifted), one)));
}

HWY_INLINE HWY_ATTR void TanhAll(size_t count, double* values) {
  const Tag d;
  for (size_t i = 0; i < count; i += kLane) hn::StoreU(Tanh(hn::LoadU(d, values + i)), d, values + i);
}

// Units of the first layer before tanh: A z-bar + sum_j w_j g_j + b.
HWY_INLINE HWY_ATTR void FirstLayer(const FieldBatch& batch, size_t width) {
  const Tag d;
  const FieldTable& field = *batch.field;
  const auto handles = static_cast<size_t>(batch.handles);
  for (size_t i = 0; i < width; ++i) {
    const V by_x = hn::Set(d, static_cast<double>(field.place(0)[i]));
    const V by_y = hn::Set(d, static_cast<double>(field.place(1)[i]));
    for (size_t lane = 0; lane < kRow; lane += kVectors * kLane) {
      V sums[kVectors];
      for (size_t v = 0; v < kVectors; ++v) {
        const size_t at = lane + v * kLane;
        sums[v] = hn::MulAdd(by_x, hn::LoadU(d, batch.place + at), hn::Set(d, static_cast<double>(field.bias()[i])));
        sums[v] = hn::MulAdd(by_y, hn::LoadU(d, batch.place + kRow + at), sums[v]);
      }
      for (size_t h = 0; h < handles; ++h) {
        const V units = hn::Set(d, batch.g[h * width + i]);
        for (size_t v = 0; v < kVectors; ++v) {
          sums[v] = hn::MulAdd(units, hn::LoadU(d, batch.weights + h * kRow + lane + v * kLane), sums[v]);
        }
      }
      for (size_t v = 0; v < kVectors; ++v) hn::StoreU(sums[v], d, batch.first + i * kRow + lane + v * kLane);
    }
  }
}

HWY_ATTR void Evaluate(const FieldBatch& batch) {
  const FieldTable& field = *batch.field;
  const auto width = static_cast<size_t>(field.width());
  FirstLayer(batch, width);
  TanhAll(width * kRow, batch.first);
  const double* last = batch.first;
  if (field.layers() == 2) {
    Multiply({field.second(0), 1, width}, width, width, field.second_bias(), batch.first, batch.second);
    TanhAll(width * kRow, batch.second);
    last = batch.second;
  }
  Multiply({field.output(0), width, 1}, 2, width, field.output_bias(), last, batch.r);
}

// values *= 1 - units^2, the derivative of tanh.
HWY_INLINE HWY_ATTR void ThroughTanh(size_t count, const double* units, double* values) {
  const Tag d;
  for (size_t i = 0; i < count; i += kLane) {
    const V unit = hn::LoadU(d, units + i);
    hn::StoreU(hn::Mul(hn::NegMulAdd(unit, unit, hn::Set(d, 1.0)), hn::LoadU(d, values + i)), d, values + i);
  }
}

HWY_ATTR void Derive(const FieldBatch& batch) {
  const Tag d;
  const FieldTable& field = *batch.field;
  const auto width = static_cast<size_t>(field.width()), rows = static_cast<size_t>(batch.row_count());
  const bool two = field.layers() == 2;
  for (size_t o = 0; o < 2; ++o) {
    double* back = batch.back + o * width * kRow;
    double* last = two ? batch.back_second + o * width * kRow : back;
    for (size_t i = 0; i < width; ++i) {
      const V weight = hn::Set(d, static_cast<double>(field.output(static_cast<int>(o))[i]));
      for (size_t lane = 0; lane < kRow; lane += kLane) hn::StoreU(weight, d, last + i * kRow + lane);
    }
    ThroughTanh(width * kRow, two ? batch.second : batch.first, last);
    if (two) {
      Multiply({field.second(0), width, 1}, width, width, nullptr, last, back);
      ThroughTanh(width * kRow, batch.first, back);
    }
    double* by_row = batch.by_row + o * rows * kRow;
    Multiply({field.place(0), width, 1}, 2, width, nullptr, back, by_row);
    Multiply({field.state(0, 0), width, 1}, rows - 2, width, nullptr, back, by_row + 2 * kRow);
  }
}

}  // namespace sinew::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::dynamics {

HWY_EXPORT(Evaluate);
HWY_EXPORT(Derive);

void EvaluateBatch(const FieldBatch& batch) noexcept { HWY_DYNAMIC_DISPATCH(Evaluate)(batch); }
void DeriveBatch(const FieldBatch& batch) noexcept { HWY_DYNAMIC_DISPATCH(Derive)(batch); }

}  // namespace sinew::dynamics
#endif
