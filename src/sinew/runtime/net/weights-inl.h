// Loading of stored weights and modes (floats, half floats or bytes) as vectors of floats, for the kernels; compiled
// once per target of Highway's foreach_target.
#if defined(SINEW_RUNTIME_NET_WEIGHTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_RUNTIME_NET_WEIGHTS_INL_H_
#undef SINEW_RUNTIME_NET_WEIGHTS_INL_H_
#else
#define SINEW_RUNTIME_NET_WEIGHTS_INL_H_
#endif

#include "hwy/cache_control.h"
#include "hwy/highway.h"

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace sinew::runtime::HWY_NAMESPACE {

// Vectors of at most 16 floats: every block of the tables holds a multiple of 16 numbers.
using Tag16 = hwy::HWY_NAMESPACE::CappedTag<float, 16>;
using V16 = hwy::HWY_NAMESPACE::Vec<Tag16>;
constexpr int kLanes16 = hwy::HWY_NAMESPACE::MaxLanes(Tag16());

// Prefetches as many bytes as are about to be read at `numbers`, but one page (4096 bytes) further on; only on x86.
// Hardware prefetching stops at the end of a page; weights and modes cover many pages, read from front to back once per
// frame.
HWY_INLINE void FetchAhead(const void* numbers, size_t bytes) {
  constexpr size_t kAhead = 4096, kLine = 64;
  if constexpr (!HWY_ARCH_X86) return;
  const auto* ahead = static_cast<const uint8_t*>(numbers) + kAhead;
  for (size_t at = 0; at < bytes; at += kLine) hwy::Prefetch(ahead + at);
}

// Loaders, one per precision: Load() converts kLanes16 numbers at p to floats, in units of kUnit; LoadTwo(), where
// kTwo says that it takes less than calling Load() twice, converts twice as many.
// p: aligned to the vector.
struct Floats {
  using Element = float;
  static constexpr bool kTwo = false;
  static constexpr float kUnit = 1;
  static HWY_INLINE HWY_ATTR V16 Load(const float* p) { return hwy::HWY_NAMESPACE::Load(Tag16(), p); }
};
// p: any address. Slow in WebAssembly: asset/unpack.h.
struct Halves {
  using Element = hwy::float16_t;
  static constexpr bool kTwo = false;
  static constexpr float kUnit = 1;
  static HWY_INLINE HWY_ATTR V16 Load(const hwy::float16_t* p) {
    namespace hn = hwy::HWY_NAMESPACE;
    return hn::PromoteTo(Tag16(), hn::LoadU(hn::Rebind<hwy::float16_t, Tag16>(), p));
  }
};
// p: any address. The scale is not applied.
struct Bytes {
  using Element = int8_t;
#if HWY_ARCH_WASM
  // Bytes become the uppermost of 32-bit words. Extending them to 32 bits instead, as elsewhere, is slow: compilers
  // merge the extension into the conversion, and do conversions from 16 bits, which WebAssembly lacks, lane by lane.
  static constexpr float kUnit = 1.0f / (1 << 24);
  static constexpr bool kTwo = true;
  static HWY_INLINE HWY_ATTR void LoadTwo(const int8_t* p, V16& low, V16& high) {
    const v128_t zero = wasm_i32x4_const(0, 0, 0, 0), bytes = wasm_v128_load64_zero(p);
    const v128_t pairs = wasm_i8x16_shuffle(zero, bytes, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    low = V16{wasm_f32x4_convert_i32x4(wasm_i16x8_shuffle(zero, pairs, 0, 8, 1, 9, 2, 10, 3, 11))};
    high = V16{wasm_f32x4_convert_i32x4(wasm_i16x8_shuffle(zero, pairs, 4, 12, 5, 13, 6, 14, 7, 15))};
  }
#else
  static constexpr float kUnit = 1;
  static constexpr bool kTwo = false;
  static HWY_INLINE HWY_ATTR V16 Load(const int8_t* p) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::RebindToSigned<Tag16> di;
    return hn::ConvertTo(Tag16(), hn::PromoteTo(di, hn::LoadU(hn::Rebind<int8_t, Tag16>(), p)));
  }
#endif
};

// Adds `factor`, in units of 1 / kUnit, times kVectors vectors of stored numbers to `sums`.
template <typename Weights, int kVectors>
HWY_INLINE HWY_ATTR void AddTimes(V16 factor, const typename Weights::Element* p, V16 (&sums)[kVectors]) {
  namespace hn = hwy::HWY_NAMESPACE;
  if constexpr (Weights::kTwo) {
    static_assert(kVectors % 2 == 0);
    HWY_UNROLL(6)
    for (int v = 0; v < kVectors; v += 2) {
      V16 low, high;
      Weights::LoadTwo(p + v * kLanes16, low, high);
      sums[v] = hn::MulAdd(factor, low, sums[v]);
      sums[v + 1] = hn::MulAdd(factor, high, sums[v + 1]);
    }
  } else {
    HWY_UNROLL(12)
    for (int v = 0; v < kVectors; ++v) sums[v] = hn::MulAdd(factor, Weights::Load(p + v * kLanes16), sums[v]);
  }
}

}  // namespace sinew::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // SINEW_RUNTIME_NET_WEIGHTS_INL_H_
