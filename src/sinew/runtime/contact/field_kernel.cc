// Vectorised contact fields: vectors hold hidden units, so that any number of influences takes the same path.
#include "sinew/runtime/contact/field_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/runtime/contact/field_kernel.cc"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "sinew/runtime/net/tanh-inl.h"
#include "sinew/runtime/net/weights-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::runtime::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void UnitsOf(const PosedField& posed, uint32_t handle, const float* numbers) {
  MakeUnitsReference(posed, handle, numbers);
}
void FieldAt(const PosedField& posed, const FieldPoint& point, float (&r)[3], float* jacobian) {
  EvaluateFieldReference(posed, point, r, jacobian);
}

#else

namespace hn = hwy::HWY_NAMESPACE;

// Vectors per step: several chains of dependent multiplications must be in flight.
constexpr uint32_t kSteps = 2;
static_assert(ContactTable::kWidthUnit % (kSteps * kLanes16) == 0);

HWY_ATTR void UnitsOf(const PosedField& posed, uint32_t handle, const float* numbers) {
  const Tag16 d;
  const uint32_t width = posed.field->width;
  const auto* B = posed.table->Array<Halves::Element>(posed.field->handles_offset) +
                  size_t{handle} * ContactTable::kHandleNumbers * width;
  float* g = posed.units + size_t{handle} * width;
  for (uint32_t i = 0; i < width; i += kLanes16) {
    V16 sum = hn::Zero(d);
    for (uint32_t k = 0; k < ContactTable::kHandleNumbers; ++k) {
      sum = hn::MulAdd(hn::Set(d, numbers[k]), Halves::Load(B + k * width + i), sum);
    }
    hn::Store(sum, d, g + i);
  }
}

HWY_INLINE HWY_ATTR float SumOf(V16 v) { return hn::GetLane(hn::SumOfLanes(Tag16(), v)); }

// Loads one vector of each row of a matrix with three rows.
HWY_INLINE HWY_ATTR void LoadRows(const float* rows, uint32_t width, uint32_t i, V16 (&to)[3]) {
  for (uint32_t k = 0; k < 3; ++k) to[k] = hn::Load(Tag16(), rows + k * width + i);
}

template <bool kJacobian>
HWY_ATTR void FieldOf(const PosedField& posed, const FieldPoint& point, float (&r)[3], float* jacobian) {
  const Tag16 d;
  const uint32_t width = posed.field->width;
  V16 sums[kSteps][3], slopes[3][3];
  for (auto& of_step : sums) {
    for (V16& sum : of_step) sum = hn::Zero(d);
  }
  for (auto& row : slopes) {
    for (V16& slope : row) slope = hn::Zero(d);
  }
  const V16 z[3] = {hn::Set(d, point.z[0]), hn::Set(d, point.z[1]), hn::Set(d, point.z[2])};
  const V16 one = hn::Set(d, 1.0f);
  for (uint32_t first = 0; first < width; first += kSteps * kLanes16) {
    HWY_UNROLL(2)
    for (uint32_t s = 0; s < kSteps; ++s) {
      const uint32_t i = first + s * kLanes16;
      V16 A[3], W[3];
      LoadRows(posed.place, width, i, A);
      LoadRows(posed.last, width, i, W);
      V16 h = hn::Load(d, posed.bias + i);
      for (int k = 0; k < 3; ++k) h = hn::MulAdd(A[k], z[k], h);
      for (int j = 0; j < point.influences; ++j) {
        h = hn::MulAdd(hn::Set(d, point.weights[j]), hn::Load(d, point.units[j] + i), h);
      }
      h = Tanh(h);
      for (int c = 0; c < 3; ++c) sums[s][c] = hn::MulAdd(W[c], h, sums[s][c]);
      if constexpr (kJacobian) {
        const V16 slope = hn::NegMulAdd(h, h, one);
        for (int c = 0; c < 3; ++c) {
          const V16 of_row = hn::Mul(W[c], slope);
          for (int k = 0; k < 3; ++k) slopes[c][k] = hn::MulAdd(of_row, A[k], slopes[c][k]);
        }
      }
    }
  }
  for (int c = 0; c < 3; ++c) {
    r[c] = posed.field->last_bias[c] + SumOf(hn::Add(sums[0][c], sums[1][c]));
    for (int k = 0; kJacobian && k < 3; ++k) jacobian[3 * c + k] = SumOf(slopes[c][k]);
  }
}

HWY_ATTR void FieldAt(const PosedField& posed, const FieldPoint& point, float (&r)[3], float* jacobian) {
  if (jacobian != nullptr) return FieldOf<true>(posed, point, r, jacobian);
  FieldOf<false>(posed, point, r, nullptr);
}

#endif

}  // namespace sinew::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::runtime {

HWY_EXPORT(UnitsOf);
HWY_EXPORT(FieldAt);

void MakeUnits(const PosedField& posed, uint32_t handle, const float* numbers) noexcept {
  HWY_DYNAMIC_DISPATCH(UnitsOf)(posed, handle, numbers);
}
void EvaluateField(const PosedField& posed, const FieldPoint& point, float (&r)[3], float* jacobian) noexcept {
  HWY_DYNAMIC_DISPATCH(FieldAt)(posed, point, r, jacobian);
}

}  // namespace sinew::runtime
#endif
