// Vectorised tanh of the networks (net/tanh.h); compiled once per target of Highway's foreach_target.
#if defined(SINEW_RUNTIME_NET_TANH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_RUNTIME_NET_TANH_INL_H_
#undef SINEW_RUNTIME_NET_TANH_INL_H_
#else
#define SINEW_RUNTIME_NET_TANH_INL_H_
#endif

#include "hwy/highway.h"
#include "sinew/runtime/net/tanh.h"
#include "sinew/runtime/net/weights-inl.h"

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace sinew::runtime::HWY_NAMESPACE {

// exp(2 x), clamped to where tanh(x) rounds to 1 or -1.
HWY_INLINE HWY_ATTR V16 ExpOfTwice(V16 x) {
  namespace hn = hwy::HWY_NAMESPACE;
  using namespace tanh_constants;
  const Tag16 d;
  const hn::RebindToSigned<Tag16> di;
  const V16 limit = hn::Set(d, kLargest);
  const V16 y = hn::Max(hn::Neg(limit), hn::Min(limit, hn::Mul(x, hn::Set(d, kTwoLog2E))));
#if HWY_ARCH_WASM
  // Rounds by adding 1.5 * 2^23, of which the last bit is one. WebAssembly's conversion to integers saturates, for
  // which x86 needs a dozen instructions.
  const V16 magic = hn::Set(d, 12582912.0f);
  const V16 rounded = hn::Add(y, magic);
  const auto whole = hn::BitCast(di, rounded);
  const V16 f = hn::Sub(y, hn::Sub(rounded, magic));
#else
  const auto whole = hn::NearestInt(y);
  const V16 f = hn::Sub(y, hn::ConvertTo(d, whole));
#endif
  V16 power = hn::Set(d, kPolynomial[0]);
  HWY_UNROLL(kTerms)
  for (int k = 1; k < kTerms; ++k) power = hn::MulAdd(power, f, hn::Set(d, kPolynomial[k]));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, power), hn::ShiftLeft<23>(whole)));
}

HWY_INLINE HWY_ATTR V16 Tanh(V16 x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const Tag16 d;
  const V16 one = hn::Set(d, 1.0f);
  return hn::Sub(one, hn::Div(hn::Set(d, 2.0f), hn::Add(ExpOfTwice(x), one)));
}

}  // namespace sinew::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // SINEW_RUNTIME_NET_TANH_INL_H_
