// Vectors of doubles under Highway's names, also for WebAssembly, for which Highway has none; compiled once per target
// of Highway's foreach_target.
#if defined(SINEW_DYNAMICS_DOUBLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_DYNAMICS_DOUBLES_INL_H_
#undef SINEW_DYNAMICS_DOUBLES_INL_H_
#else
#define SINEW_DYNAMICS_DOUBLES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::dynamics::HWY_NAMESPACE {

#if HWY_HAVE_FLOAT64
namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using V = hn::Vec<Tag>;
constexpr size_t kLane = hn::MaxLanes(Tag());

// 2 to the power of n, for n + 1.5 * 2^52.
HWY_INLINE HWY_ATTR V TwoTo(V shifted) {
  const Tag d;
  const hn::RebindToUnsigned<Tag> du;
  const auto bits = hn::Add(hn::BitCast(du, shifted), hn::Set(du, uint64_t{1023}));
  return hn::BitCast(d, hn::ShiftLeft<52>(bits));
}
#else
// Highway has no vectors of doubles for WebAssembly, so these are the compiler's own.
namespace hn {
struct Tag {};
using V = double __attribute__((vector_size(16)));
inline V Set(Tag /*d*/, double x) { return V{x, x}; }
inline V LoadU(Tag /*d*/, const double* from) {
  V x;
  std::memcpy(&x, from, sizeof(x));
  return x;
}
inline void StoreU(V x, Tag /*d*/, double* to) { std::memcpy(to, &x, sizeof(x)); }
inline V Add(V a, V b) { return a + b; }
inline V Sub(V a, V b) { return a - b; }
inline V Mul(V a, V b) { return a * b; }
inline V Div(V a, V b) { return a / b; }
inline V Neg(V a) { return -a; }
inline V Min(V a, V b) { return a < b ? a : b; }
inline V Max(V a, V b) { return a > b ? a : b; }
inline V MulAdd(V a, V b, V c) { return a * b + c; }
inline V NegMulAdd(V a, V b, V c) { return c - a * b; }
inline void LoadInterleaved2(Tag /*d*/, const double* from, V& a, V& b) {
  a = V{from[0], from[2]};
  b = V{from[1], from[3]};
}
inline void LoadInterleaved3(Tag /*d*/, const double* from, V& a, V& b, V& c) {
  a = V{from[0], from[3]};
  b = V{from[1], from[4]};
  c = V{from[2], from[5]};
}
inline void StoreInterleaved2(V a, V b, Tag d, double* to) {
  StoreU(V{a[0], b[0]}, d, to);
  StoreU(V{a[1], b[1]}, d, to + 2);
}
inline void StoreInterleaved3(V a, V b, V c, Tag d, double* to) {
  StoreU(V{a[0], b[0]}, d, to);
  StoreU(V{c[0], a[1]}, d, to + 2);
  StoreU(V{b[1], c[1]}, d, to + 4);
}
}  // namespace hn
using hn::Tag;
using hn::V;
constexpr size_t kLane = 2;

inline V TwoTo(V shifted) {
  using Bits = uint64_t __attribute__((vector_size(16)));
  Bits bits;
  std::memcpy(&bits, &shifted, sizeof(bits));
  bits = (bits + Bits{1023, 1023}) << 52;
  V power;
  std::memcpy(&power, &bits, sizeof(power));
  return power;
}
#endif

}  // namespace sinew::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_DYNAMICS_DOUBLES_INL_H_
