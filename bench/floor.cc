#include "bench/floor.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/floor.cc"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<float>;
using V = hn::Vec<Tag>;

// Part i of n floats cut into `steps` parts at multiples of 16.
struct Part {
  Part(size_t n, size_t i, size_t steps) : begin(n * i / steps / 16 * 16), end(n * (i + 1) / steps / 16 * 16) {}
  size_t begin, end;
};

HWY_INLINE HWY_ATTR void Copy(const float* from, float* to, Part part) {
  const Tag d;
  const size_t n = hn::Lanes(d);
  size_t i = part.begin;
  for (; i + 4 * n <= part.end; i += 4 * n) {
    const V a = hn::LoadU(d, from + i), b = hn::LoadU(d, from + i + n);
    const V c = hn::LoadU(d, from + i + 2 * n), e = hn::LoadU(d, from + i + 3 * n);
    hn::StoreU(a, d, to + i);
    hn::StoreU(b, d, to + i + n);
    hn::StoreU(c, d, to + i + 2 * n);
    hn::StoreU(e, d, to + i + 3 * n);
  }
  for (; i < part.end; ++i) to[i] = from[i];
}

HWY_INLINE HWY_ATTR V Read(const float* from, Part part, V sum) {
  const Tag d;
  const size_t n = hn::Lanes(d);
  V other = hn::Zero(d);
  size_t i = part.begin;
  for (; i + 2 * n <= part.end; i += 2 * n) {
    sum = hn::Or(sum, hn::LoadU(d, from + i));
    other = hn::Or(other, hn::LoadU(d, from + i + n));
  }
  for (; i < part.end; ++i) other = hn::Or(other, hn::Set(d, from[i]));
  return hn::Or(sum, other);
}

HWY_INLINE HWY_ATTR void Write(float* to, Part part) {
  const Tag d;
  const V value = hn::Set(d, 1.0f);
  const size_t n = hn::Lanes(d);
  size_t i = part.begin;
  for (; i + 4 * n <= part.end; i += 4 * n) {
    for (size_t k = 0; k < 4; ++k) hn::StoreU(value, d, to + i + k * n);
  }
  for (; i < part.end; ++i) to[i] = 1;
}

HWY_ATTR float MoveBytes(const FloorStreams& s) {
  const Tag d;
  V sum = hn::Zero(d);
  const size_t steps = (s.copied[0].size() + s.written.size()) / (3 * 256) + 1;
  for (size_t i = 0; i < steps; ++i) {
    for (int k = 0; k < 2; ++k) {
      const auto* read = reinterpret_cast<const float*>(s.read[k].data());
      sum = Read(read, Part(s.read[k].size() / sizeof(float), i, steps), sum);
      Copy(s.copied[k].data(), s.copies[k].data(), Part(s.copied[k].size(), i, steps));
    }
    Write(s.written.data(), Part(s.written.size(), i, steps));
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

}  // namespace sinew::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::bench {

HWY_EXPORT(MoveBytes);

float MoveBytes(const FloorStreams& streams) { return HWY_DYNAMIC_DISPATCH(MoveBytes)(streams); }

}  // namespace sinew::bench
#endif
