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
constexpr uint32_t kSteps = 4 * kLanes16 <= ContactTable::kWidthUnit ? 4 : 2;
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

// tanh of all vectors. Two share one division, 1 / a = b / (a b), since dividing takes longest.
HWY_INLINE HWY_ATTR void TanhOfAll(V16 (&h)[kSteps]) {
  const V16 one = hn::Set(Tag16(), 1.0f), two = hn::Set(Tag16(), 2.0f);
  HWY_UNROLL(2)
  for (uint32_t s = 0; s < kSteps; s += 2) {
    const V16 a = hn::Add(ExpOfTwice(h[s]), one), b = hn::Add(ExpOfTwice(h[s + 1]), one);
    const V16 both = hn::Div(two, hn::Mul(a, b));
    h[s] = hn::NegMulAdd(both, b, one);
    h[s + 1] = hn::NegMulAdd(both, a, one);
  }
}

// Loads one vector of each row of a matrix with three rows.
HWY_INLINE HWY_ATTR void LoadRows(const float* rows, uint32_t width, uint32_t i, V16 (&to)[3]) {
  for (uint32_t k = 0; k < 3; ++k) to[k] = hn::Load(Tag16(), rows + k * width + i);
}

// Adds up the inputs of kSteps vectors of hidden units, from unit i on. kInfluences: at least those of the point; the
// others have a weight of 0.
template <int kInfluences>
HWY_INLINE HWY_ATTR void InputsOf(const PosedField& posed, const FieldPoint& point, uint32_t i, V16 (&h)[kSteps]) {
  const Tag16 d;
  const uint32_t width = posed.field->width;
  HWY_UNROLL(4)
  for (uint32_t s = 0; s < kSteps; ++s) h[s] = hn::Load(d, posed.bias + i + s * kLanes16);
  HWY_UNROLL(6)
  for (uint32_t k = 0; k < ContactTable::kPlaceNumbers; ++k) {
    const V16 x = hn::Set(d, point.x[k]);
    HWY_UNROLL(4)
    for (uint32_t s = 0; s < kSteps; ++s) {
      h[s] = hn::MulAdd(hn::Load(d, posed.place + k * width + i + s * kLanes16), x, h[s]);
    }
  }
  HWY_UNROLL(8)
  for (int j = 0; j < kInfluences; ++j) {
    const V16 weight = hn::Set(d, point.weights[j]);
    HWY_UNROLL(4)
    for (uint32_t s = 0; s < kSteps; ++s) {
      h[s] = hn::MulAdd(hn::Load(d, point.units[j] + i + s * kLanes16), weight, h[s]);
    }
  }
}

// Loads the derivatives of one vector of hidden units' inputs by z-bar: A d x / d z-bar.
HWY_INLINE HWY_ATTR void LoadSlopes(const PosedField& posed, const FieldPoint& point, uint32_t i, V16 (&to)[3]) {
  const Tag16 d;
  const uint32_t width = posed.field->width;
  for (uint32_t k = 0; k < 3; ++k) {
    to[k] = hn::Mul(hn::Load(d, posed.place + k * width + i), hn::Set(d, point.slopes[k][k]));
  }
  for (uint32_t row = 3; row < ContactTable::kPlaceNumbers; ++row) {
    const V16 a = hn::Load(d, posed.place + row * width + i);
    for (uint32_t k = 0; k < 3; ++k) to[k] = hn::MulAdd(a, hn::Set(d, point.slopes[row][k]), to[k]);
  }
}

template <int kInfluences, bool kJacobian>
HWY_ATTR void FieldOf(const PosedField& posed, const FieldPoint& point, float (&r)[3], float* jacobian) {
  const Tag16 d;
  const uint32_t width = posed.field->width;
  V16 sums[3] = {hn::Zero(d), hn::Zero(d), hn::Zero(d)}, slopes[3][3];
  for (auto& row : slopes) {
    for (V16& slope : row) slope = hn::Zero(d);
  }
  const V16 one = hn::Set(d, 1.0f);
  for (uint32_t i = 0; i < width; i += kSteps * kLanes16) {
    V16 h[kSteps];
    InputsOf<kInfluences>(posed, point, i, h);
    TanhOfAll(h);
    HWY_UNROLL(4)
    for (uint32_t s = 0; s < kSteps; ++s) {
      V16 W[3];
      LoadRows(posed.last, width, i + s * kLanes16, W);
      for (int c = 0; c < 3; ++c) sums[c] = hn::MulAdd(W[c], h[s], sums[c]);
      if constexpr (kJacobian) {
        V16 A[3];
        LoadSlopes(posed, point, i + s * kLanes16, A);
        const V16 slope = hn::NegMulAdd(h[s], h[s], one);
        for (int c = 0; c < 3; ++c) {
          const V16 of_row = hn::Mul(W[c], slope);
          for (int k = 0; k < 3; ++k) slopes[c][k] = hn::MulAdd(of_row, A[k], slopes[c][k]);
        }
      }
    }
  }
  for (int c = 0; c < 3; ++c) {
    r[c] = posed.field->last_bias[c] + SumOf(sums[c]);
    for (int k = 0; kJacobian && k < 3; ++k) jacobian[3 * c + k] = SumOf(slopes[c][k]);
  }
}

template <bool kJacobian>
HWY_ATTR void FieldOfAny(const PosedField& posed, const FieldPoint& point, float (&r)[3], float* jacobian) {
  switch (point.influences) {
    case 1:
      return FieldOf<1, kJacobian>(posed, point, r, jacobian);
    case 2:
      return FieldOf<2, kJacobian>(posed, point, r, jacobian);
    case 3:
      return FieldOf<3, kJacobian>(posed, point, r, jacobian);
    case 4:
      return FieldOf<4, kJacobian>(posed, point, r, jacobian);
    default:
      break;
  }
  FieldPoint filled = point;
  for (int j = point.influences; j < kMaxInfluences; ++j) {
    filled.units[j] = point.units[0];
    filled.weights[j] = 0;
  }
  FieldOf<kMaxInfluences, kJacobian>(posed, filled, r, jacobian);
}

HWY_ATTR void FieldAt(const PosedField& posed, const FieldPoint& point, float (&r)[3], float* jacobian) {
  if (jacobian != nullptr) return FieldOfAny<true>(posed, point, r, jacobian);
  FieldOfAny<false>(posed, point, r, nullptr);
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
