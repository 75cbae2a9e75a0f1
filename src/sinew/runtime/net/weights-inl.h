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

// Loaders, one per precision: Load() converts kLanes16 numbers at p to floats.
// p: aligned to the vector.
struct Floats {
  using Element = float;
  static HWY_INLINE HWY_ATTR V16 Load(const float* p) { return hwy::HWY_NAMESPACE::Load(Tag16(), p); }
};
// p: any address.
struct Halves {
  using Element = hwy::float16_t;
  static HWY_INLINE HWY_ATTR V16 Load(const hwy::float16_t* p) {
    namespace hn = hwy::HWY_NAMESPACE;
    return hn::PromoteTo(Tag16(), hn::LoadU(hn::Rebind<hwy::float16_t, Tag16>(), p));
  }
};
// p: any address. The scale is not applied.
struct Bytes {
  using Element = int8_t;
  static HWY_INLINE HWY_ATTR V16 Load(const int8_t* p) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::RebindToSigned<Tag16> di;
    return hn::ConvertTo(Tag16(), hn::PromoteTo(di, hn::LoadU(hn::Rebind<int8_t, Tag16>(), p)));
  }
};

}  // namespace sinew::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // SINEW_RUNTIME_NET_WEIGHTS_INL_H_
