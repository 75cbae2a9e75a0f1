// Upsampling of one tile, called by every kernel of this folder that starts from the coarser level's displacements;
// compiled once per target of Highway's foreach_target.
//
// A vector holds one or two blocks of four lanes, (x, y, z, unused) of one vertex each. A group is four vectors: vector
// k holds vertices k and k + 4 (with one block, k alone), so that vertex k's weights are in lane k of the block that
// holds its point, and four vectors can be packed into three without moving a lane to another block.
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
// reading what follows it. With another kStride, the stride in bytes, the tile must not name that last point.
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

// Loads corner c of the vertices of one vector; `corners` are those of the first vertex.
template <typename Points, typename Corner>
HWY_INLINE HWY_ATTR Widest::V LoadCorner(const Points& points, const Corner* corners, int c) {
#if HWY_MAX_BYTES >= 32
  return hn::Combine(Widest::Tag(), points(corners[3 * 4 + c]), points(corners[c]));
#else
  return points(corners[c]);
#endif
}

// Interpolates the vertices of one vector: p3 + w1 (p1 - p3) + w2 (p2 - p3), with the weights in lane kLane.
template <int kLane, typename Points, typename Corner>
HWY_INLINE HWY_ATTR Widest::V UpsampleVector(const Points& points, const Corner* corners, Widest::V w1, Widest::V w2) {
  const auto p3 = LoadCorner(points, corners, 2);
  const auto e1 = hn::Sub(LoadCorner(points, corners, 0), p3), e2 = hn::Sub(LoadCorner(points, corners, 1), p3);
  return hn::MulAdd(hn::Broadcast<kLane>(w2), e2, hn::MulAdd(hn::Broadcast<kLane>(w1), e1, p3));
}

// Unpacks weights (section 6 of the paper): 16 bits put at the top of the mantissa of 1/2 give 1/2 + bits * 2^-17.
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

// Prefetches the corners and weights at the same place in the next tile, which is computed microseconds later, after
// this tile is skinned.
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
  // The memory after the level's last point may not be readable.
  const bool names_last = tile.last + size_t{1} >= coarse.size();
  if (coarse.stride() == 16 && !names_last) {
    UpsampleGroups(table, TilePoints<16>(coarse, tile.first), t, corners, sink);
  } else if (coarse.stride() == 12 && !names_last) {
    UpsampleGroups(table, TilePoints<12>(coarse, tile.first), t, corners, sink);
  } else {
    UpsampleGroups(table, TilePoints<0>(coarse, tile.first), t, corners, sink);
  }
}

// Calls sink(i, group) for groups of kGroupVertices vertices of tile t; i is the index of the group's first vertex in
// the tile. The last group may extend past the end of the tile.
template <typename Sink>
HWY_INLINE HWY_ATTR void UpsampleTileTo(const UpsamplingTable& table, const StridedSpan<const Float3>& coarse, int t,
                                        const Sink& sink) {
  table.narrow() ? UpsampleTileTo(table, coarse, t, table.corners16(t), sink)
                 : UpsampleTileTo(table, coarse, t, table.corners32(t), sink);
}

// Sink that stores four floats per vertex from `to` on, of which the fourth is undefined.
struct ToPadded {
  float* to;
  HWY_INLINE HWY_ATTR void operator()(int i, const Group& group) const {
    for (int block = 0; block < Widest::kPoints; ++block) {
      for (int k = 0; k < 4; ++k) hn::StoreU(Widest::Get(group[k], block), Tag4(), to + 4 * (i + 4 * block + k));
    }
  }
};

// Sink that stores three floats per vertex from `to` on, for `vertices` vertices.
struct ToPacked {
  float* to;
  int vertices;
  HWY_INLINE HWY_ATTR void operator()(int i, const Group& group) const {
    const Widest::Tag d;
    // Shifts the first three vectors to (0, x, y, z), then extracts 16 bytes at a time that begin in one vertex and end
    // in the next.
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

// Upsamples tile t in internal order. points: output, 4 * UpsamplingTable::kTileVertices floats, four per vertex, of
// which the fourth is undefined; those past the tile's last vertex may be written, too. coarse: as in UpsamplingJob.
HWY_INLINE HWY_ATTR void UpsampleTile(const UpsamplingTable& table, const StridedSpan<const Float3>& coarse, int t,
                                      float* points) {
  UpsampleTileTo(table, coarse, t, ToPadded{points});
}

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace sinew::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_RUNTIME_MULTIRES_UPSAMPLING_INL_H_
