// One tile of an upsampling, once per target of Highway's foreach_target: what every kernel of this folder calls that
// begins with the coarser level's displacements.
//
// A vector holds one or two blocks of four lanes, (x, y, z, unused) of one vertex each. A group is four vectors: vector
// k holds vertices k and k + 4 (k alone with one block), so that vertex k's weights are lane k of the block that its
// point is in, and four vectors shrink to three packed ones without a lane leaving its block.
#if defined(SINEW_RUNTIME_MULTIRES_UPSAMPLING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_RUNTIME_MULTIRES_UPSAMPLING_INL_H_
#undef SINEW_RUNTIME_MULTIRES_UPSAMPLING_INL_H_
#else
#define SINEW_RUNTIME_MULTIRES_UPSAMPLING_INL_H_
#endif

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "sinew/runtime/base/simd-inl.h"
#include "sinew/runtime/multires/upsampling.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::runtime::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

inline void UpsampleTile(const UpsamplingTable& table, const StridedSpan<const Float3>& coarse, int t, float* points) {
  UpsampleTileReference(table, coarse, t, points);
}

#else

using Group = Widest::V[4];
constexpr int kGroupVertices = 4 * Widest::kPoints;
static_assert(UpsamplingTable::kGroup % kGroupVertices == 0);

// Loads the points that a tile's corners name. kStride 0: any stride, and the last point of the level is loaded without
// touching what follows it; with another stride the tile must not name it.
template <int kStride>
class TilePoints {
 public:
  TilePoints(const StridedSpan<const Float3>& coarse, uint32_t first)
      : first_(reinterpret_cast<const std::byte*>(coarse.floats(first))),
        half_stride_(coarse.stride() / 2),
        last_(coarse.floats(coarse.size() - 1)) {}

  template <typename Corner>
  HWY_INLINE HWY_ATTR V4 operator()(Corner corner) const {
    const size_t half_stride = kStride == 0 ? half_stride_ : kStride / 2;
    const auto* p = reinterpret_cast<const float*>(first_ + corner * half_stride);
    if constexpr (kStride == 0) return HWY_LIKELY(p != last_) ? Load4(p) : Load3(p);
    return Load4(p);
  }

 private:
  const std::byte* first_;
  size_t half_stride_;
  const float* last_;
};

// Corner c of the vertices of one vector, `corners` being the first vertex's.
template <typename Points, typename Corner>
HWY_INLINE HWY_ATTR Widest::V LoadCorner(const Points& points, const Corner* corners, int c) {
#if HWY_MAX_BYTES >= 32
  return hn::Combine(Widest::Tag(), points(corners[3 * 4 + c]), points(corners[c]));
#else
  return points(corners[c]);
#endif
}

template <int kLane, typename Points, typename Corner>
HWY_INLINE HWY_ATTR Widest::V UpsampleVector(const Points& points, const Corner* corners, Widest::V w1, Widest::V w2) {
  const auto p3 = LoadCorner(points, corners, 2);
  const auto e1 = hn::Sub(LoadCorner(points, corners, 0), p3), e2 = hn::Sub(LoadCorner(points, corners, 1), p3);
  return hn::MulAdd(hn::Broadcast<kLane>(w2), e2, hn::MulAdd(hn::Broadcast<kLane>(w1), e1, p3));
}

// Section 6: 16 bits as the upper ones of a mantissa are 1/2 + bits * 2^-17.
template <typename VU>
HWY_INLINE HWY_ATTR Widest::V Unpack(VU shifted_bits) {
  const Widest::Tag d;
  const hn::RebindToUnsigned<Widest::Tag> du;
  const auto word = hn::Or(shifted_bits, hn::Set(du, 126u << 23));
  return hn::Sub(hn::BitCast(d, word), hn::Set(d, 0.5f));
}

template <typename Points, typename Corner>
HWY_INLINE HWY_ATTR void UpsampleGroup(const Points& points, const Corner* corners, const uint32_t* weights,
                                       Group& group) {
  const auto packed = hn::LoadU(hn::RebindToUnsigned<Widest::Tag>(), weights);
  const auto w1 = Unpack(hn::ShiftRight<9>(hn::ShiftLeft<16>(packed)));
  const auto w2 = Unpack(hn::ShiftLeft<7>(hn::ShiftRight<16>(packed)));
  group[0] = UpsampleVector<0>(points, corners, w1, w2);
  group[1] = UpsampleVector<1>(points, corners + 3, w1, w2);
  group[2] = UpsampleVector<2>(points, corners + 6, w1, w2);
  group[3] = UpsampleVector<3>(points, corners + 9, w1, w2);
}

// The places that these have in the next tile, which skinning separates from this one by microseconds.
template <typename Corner>
HWY_INLINE void FetchTileAhead(const Corner* corners, const uint32_t* weights) {
  if constexpr (!HWY_ARCH_X86) return;
  hwy::Prefetch(corners + 3 * UpsamplingTable::kTileVertices);
  hwy::Prefetch(weights + UpsamplingTable::kTileVertices);
}

template <typename Points, typename Corner, typename Sink>
HWY_INLINE HWY_ATTR void UpsampleGroups(const UpsamplingTable& table, const Points& points, int t,
                                        const Corner* corners, const Sink& sink) {
  const uint32_t* weights = table.weights(t);
  const int vertices = table.vertices(t);
  for (int i = 0; i < vertices; i += kGroupVertices) {
    Group group;
    FetchTileAhead(corners + 3 * i, weights + i);
    UpsampleGroup(points, corners + 3 * i, weights + i, group);
    sink(i, group);
  }
}

template <typename Corner, typename Sink>
HWY_ATTR void UpsampleTileTo(const UpsamplingTable& table, const StridedSpan<const Float3>& coarse, int t,
                             const Corner* corners, const Sink& sink) {
  const UpsamplingTable::Tile& tile = table.tile(t);
  // What follows the level's last point in memory may not be ours to read.
  const bool names_last = tile.last + size_t{1} >= coarse.size();
  if (coarse.stride() == 16 && !names_last) {
    UpsampleGroups(table, TilePoints<16>(coarse, tile.first), t, corners, sink);
  } else if (coarse.stride() == 12 && !names_last) {
    UpsampleGroups(table, TilePoints<12>(coarse, tile.first), t, corners, sink);
  } else {
    UpsampleGroups(table, TilePoints<0>(coarse, tile.first), t, corners, sink);
  }
}

// Calls sink(i, group) for groups of kGroupVertices vertices of tile t, i being the first one's number in the tile.
// The last group may be longer than the tile.
template <typename Sink>
HWY_INLINE HWY_ATTR void UpsampleTileTo(const UpsamplingTable& table, const StridedSpan<const Float3>& coarse, int t,
                                        const Sink& sink) {
  table.narrow() ? UpsampleTileTo(table, coarse, t, table.corners16(t), sink)
                 : UpsampleTileTo(table, coarse, t, table.corners32(t), sink);
}

// A sink: four floats a vertex from `to` on, of which the fourth is anything.
struct ToPadded {
  float* to;
  HWY_INLINE HWY_ATTR void operator()(int i, const Group& group) const {
    for (int block = 0; block < Widest::kPoints; ++block) {
      for (int k = 0; k < 4; ++k) hn::StoreU(Widest::Get(group[k], block), Tag4(), to + 4 * (i + 4 * block + k));
    }
  }
};

// A sink: three floats a vertex from `to` on, of `vertices` vertices.
struct ToPacked {
  float* to;
  int vertices;
  HWY_INLINE HWY_ATTR void operator()(int i, const Group& group) const {
    const Widest::Tag d;
    // (0, x, y, z) of each but the last; then 16 bytes that begin in one vertex and end in the next.
    const auto a = hn::ShiftLeftLanes<1>(group[0]), b = hn::ShiftLeftLanes<1>(group[1]),
               c = hn::ShiftLeftLanes<1>(group[2]);
    const Widest::V packed[3] = {hn::CombineShiftRightBytes<4>(d, group[1], a),
                                 hn::CombineShiftRightBytes<8>(d, group[2], b),
                                 hn::CombineShiftRightBytes<12>(d, group[3], c)};
    float* first = to + 3 * i;
    if (HWY_LIKELY(i + kGroupVertices <= vertices)) {
      Store(packed, first);
      return;
    }
    float last[3 * kGroupVertices];
    Store(packed, last);
    for (int k = 0; k < 3 * (vertices - i); ++k) first[k] = last[k];
  }

  static HWY_INLINE HWY_ATTR void Store(const Widest::V (&packed)[3], float* first) {
    for (int block = 0; block < Widest::kPoints; ++block) {
      for (int k = 0; k < 3; ++k) hn::StoreU(Widest::Get(packed[k], block), Tag4(), first + 12 * block + 4 * k);
    }
  }
};

// Tile t in internal order. points: 4 * UpsamplingTable::kTileVertices floats, four a vertex, of which the fourth is
// anything; those past the tile's last vertex may be written too. coarse: as in UpsamplingJob.
HWY_INLINE HWY_ATTR void UpsampleTile(const UpsamplingTable& table, const StridedSpan<const Float3>& coarse, int t,
                                      float* points) {
  UpsampleTileTo(table, coarse, t, ToPadded{points});
}

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace sinew::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_RUNTIME_MULTIRES_UPSAMPLING_INL_H_
