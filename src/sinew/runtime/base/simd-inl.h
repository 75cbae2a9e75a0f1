// Helpers for points in SIMD vectors, shared by the skinning, normal and upsampling kernels; compiled once per target
// of Highway's foreach_target. A point is a block of four lanes (x, y, z, unused); a vector holds one or two points.
#if defined(SINEW_RUNTIME_BASE_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_RUNTIME_BASE_SIMD_INL_H_
#undef SINEW_RUNTIME_BASE_SIMD_INL_H_
#else
#define SINEW_RUNTIME_BASE_SIMD_INL_H_
#endif

#include "hwy/highway.h"
#include "sinew/runtime/base/math.h"

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace sinew::runtime::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Only plain linear blend skinning (skin/linear_blend.cc) uses vectors of 512 bits, where one holds a joint's whole
// matrix: elsewhere filling them takes more shuffles than they save arithmetic.
using Tag4 = hn::FixedTag<float, 4>;
using V4 = hn::Vec<Tag4>;

HWY_INLINE HWY_ATTR V4 Load4(const float* p) { return hn::LoadU(Tag4(), p); }
// Reads only the point's 12 bytes, for places where Load4 would read past the end of an array.
HWY_INLINE HWY_ATTR V4 Load3(const float* p) {
  const float padded[4] = {p[0], p[1], p[2], 0};
  return hn::LoadU(Tag4(), padded);
}
// Writes only the point's 12 bytes.
HWY_INLINE HWY_ATTR void Store3(V4 v, float* p) {
  const hn::Half<Tag4> half;
  hn::StoreU(hn::LowerHalf(half, v), half, p);
  p[2] = hn::GetLane(hn::UpperHalf(half, v));
}

// Returns (x, y, z, x) of (x, y, z, any).
HWY_INLINE HWY_ATTR V4 Xyzx(V4 v) {
#if HWY_ARCH_WASM
  // Highway looks lanes up byte by byte there.
  return V4{wasm_i32x4_shuffle(v.raw, v.raw, 0, 1, 2, 0)};
#else
  alignas(16) static constexpr int32_t kXyzx[4] = {0, 1, 2, 0};
  return hn::TableLookupLanes(v, hn::SetTableIndices(Tag4(), kXyzx));
#endif
}

// Vectors of one point, for the ends of runs and for 128-bit targets.
struct One {
  static constexpr int kPoints = 1;
  using Tag = Tag4;
  using V = V4;
  static HWY_INLINE HWY_ATTR V Load(const float* const* p) { return Load4(p[0]); }
  static HWY_INLINE HWY_ATTR V4 Get(V v, int) { return v; }
};

#if HWY_MAX_BYTES >= 32
struct Two {
  static constexpr int kPoints = 2;
  using Tag = hn::FixedTag<float, 8>;
  using V = hn::Vec<Tag>;
  static HWY_INLINE HWY_ATTR V Load(const float* const* p) { return hn::Combine(Tag(), Load4(p[1]), Load4(p[0])); }
  static HWY_INLINE HWY_ATTR V4 Get(V v, int i) { return i == 0 ? hn::LowerHalf(Tag4(), v) : hn::UpperHalf(Tag4(), v); }
};
using Widest = Two;
#else
using Widest = One;
#endif

// Sum of each block's four lanes, broadcast to all four.
template <typename V>
HWY_INLINE HWY_ATTR V SumOfBlock(V v) {
  const V pairs = hn::Add(v, hn::Shuffle2301(v));
  return hn::Add(pairs, hn::Shuffle1032(pairs));
}

// 1 / sqrt(x) with a relative error of about 2e-7; x is raised to at least kTinySquared.
template <typename Tag, typename V = hn::Vec<Tag>>
HWY_INLINE HWY_ATTR V InverseSqrt(Tag d, V x) {
  x = hn::Max(x, hn::Set(d, kTinySquared));
  // ARM's estimate has 8 bits and would need two Newton steps, while its divider works beside the pipes that the
  // kernels fill. The emulated target's estimate has even fewer bits. WebAssembly has no estimate.
  if constexpr (HWY_ARCH_ARM || HWY_ARCH_WASM || HWY_TARGET == HWY_EMU128)
    return hn::Div(hn::Set(d, 1.0f), hn::Sqrt(x));
  const V half = hn::Mul(x, hn::Set(d, 0.5f));
  const V r = hn::ApproximateReciprocalSqrt(x);
  return hn::Mul(r, hn::NegMulAdd(hn::Mul(half, r), r, hn::Set(d, 1.5f)));
}

// Scales each block to unit length; its fourth lane must be 0.
template <typename Tag, typename V = hn::Vec<Tag>>
HWY_INLINE HWY_ATTR V Normalize(Tag d, V v) {
  return hn::Mul(v, InverseSqrt(d, SumOfBlock(hn::Mul(v, v))));
}

#if HWY_MAX_BYTES < 32
// Returns in lane i the sum of the four lanes of the i-th argument.
HWY_INLINE HWY_ATTR V4 SumsOfLanes(V4 a, V4 b, V4 c, V4 e) {
#if HWY_ARCH_ARM_A64
  return V4(vpaddq_f32(vpaddq_f32(a.raw, b.raw), vpaddq_f32(c.raw, e.raw)));
#else
  const Tag4 d;
  const V4 ab = hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  const V4 ce = hn::Add(hn::InterleaveLower(d, c, e), hn::InterleaveUpper(d, c, e));
  return hn::Add(hn::ConcatLowerLower(d, ce, ab), hn::ConcatUpperUpper(d, ce, ab));
#endif
}

// Scales four vectors to unit length with a single square root, whose lanes hold their squared lengths.
HWY_INLINE HWY_ATTR void Normalize(V4 (&v)[4]) {
  const V4 squared = SumsOfLanes(hn::Mul(v[0], v[0]), hn::Mul(v[1], v[1]), hn::Mul(v[2], v[2]), hn::Mul(v[3], v[3]));
  const V4 inverse = InverseSqrt(Tag4(), squared);
  v[0] = hn::Mul(v[0], hn::Broadcast<0>(inverse));
  v[1] = hn::Mul(v[1], hn::Broadcast<1>(inverse));
  v[2] = hn::Mul(v[2], hn::Broadcast<2>(inverse));
  v[3] = hn::Mul(v[3], hn::Broadcast<3>(inverse));
}
#endif

}  // namespace sinew::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // SINEW_RUNTIME_BASE_SIMD_INL_H_
