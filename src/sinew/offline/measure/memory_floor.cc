#include "sinew/offline/measure/memory_floor.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/offline/measure/memory_floor.cc"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::measure::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<float>;
using V = hn::Vec<Tag>;

// Reads a piece as four concurrent streams, one per quarter.
HWY_ATTR float ReadPiece(const float* from, size_t count) {
  const Tag d;
  const size_t n = hn::Lanes(d), quarter = count / 4 / n * n;
  V a = hn::Zero(d), b = a, c = a, e = a;
  for (size_t i = 0; i < quarter; i += n) {
    a = hn::Or(a, hn::LoadU(d, from + i));
    b = hn::Or(b, hn::LoadU(d, from + quarter + i));
    c = hn::Or(c, hn::LoadU(d, from + 2 * quarter + i));
    e = hn::Or(e, hn::LoadU(d, from + 3 * quarter + i));
  }
  float rest = 0;
  for (size_t i = 4 * quarter; i < count; ++i) rest += from[i];
  return rest + hn::GetLane(hn::Or(hn::Or(a, b), hn::Or(c, e)));
}

HWY_ATTR void WritePiece(float* to, size_t count) {
  const Tag d;
  const size_t n = hn::Lanes(d);
  const V value = hn::Set(d, 1.0f);
  size_t i = 0;
  for (; i + n <= count; i += n) hn::StoreU(value, d, to + i);
  for (; i < count; ++i) to[i] = 1;
}

}  // namespace sinew::measure::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::measure {
namespace {

HWY_EXPORT(ReadPiece);
HWY_EXPORT(WritePiece);

constexpr size_t kPiece = 1 << 15;  // bytes

struct Pieces {
  std::vector<std::span<const std::byte>> read;
  std::vector<std::span<std::byte>> written;
};

template <typename Span>
void Cut(const std::vector<Span>& whole, std::vector<Span>& pieces) {
  for (const Span& span : whole) {
    for (size_t at = 0; at < span.size(); at += kPiece) {
      pieces.push_back(span.subspan(at, std::min(kPiece, span.size() - at)));
    }
  }
}

}  // namespace

size_t MemoryTraffic::read_bytes() const {
  size_t bytes = 0;
  for (const auto& span : read) bytes += span.size();
  return bytes;
}
size_t MemoryTraffic::written_bytes() const {
  size_t bytes = 0;
  for (const auto& span : written) bytes += span.size();
  return bytes;
}

float MoveOnce(const MemoryTraffic& traffic, runtime::TaskRunner* runner) {
  // Cut the memory into pieces, and give every task an equal share of them.
  Pieces pieces;
  Cut(traffic.read, pieces.read);
  Cut(traffic.written, pieces.written);
  constexpr int kTasks = 64;
  struct Context {
    const Pieces& pieces;
    float sums[kTasks] = {};
  };
  Context context{pieces};
  const runtime::TaskRunner::Task task = [](void* opaque, int t) {
    auto& c = *static_cast<Context*>(opaque);
    const auto share = [t](size_t count, int k) { return count * (static_cast<size_t>(t) + k) / kTasks; };
    for (size_t i = share(c.pieces.read.size(), 0); i < share(c.pieces.read.size(), 1); ++i) {
      const std::span<const std::byte> piece = c.pieces.read[i];
      c.sums[t] += HWY_DYNAMIC_DISPATCH(ReadPiece)(reinterpret_cast<const float*>(piece.data()), piece.size() / 4);
    }
    for (size_t i = share(c.pieces.written.size(), 0); i < share(c.pieces.written.size(), 1); ++i) {
      const std::span<std::byte> piece = c.pieces.written[i];
      HWY_DYNAMIC_DISPATCH(WritePiece)(reinterpret_cast<float*>(piece.data()), piece.size() / 4);
    }
  };
  if (runner != nullptr) {
    runner->Run(task, &context, kTasks);
  } else {
    for (int t = 0; t < kTasks; ++t) task(&context, t);
  }
  float sum = 0;
  for (const float part : context.sums) sum += part;
  return sum;
}

}  // namespace sinew::measure
#endif
