// Linear blend skinning. Blending works on one vertex at a time with whole columns of the joints' matrices, so that
// loads are contiguous whatever the joints; applying the blended matrix works on a vector of vertices.
#include "sinew/runtime/skin/kernels.h"
#include "sinew/runtime/skin/scalar_tiles.h"
#include "sinew/runtime/skin/vertex.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/runtime/skin/linear_blend.cc"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "sinew/runtime/skin/skin_tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::runtime::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

Bounds LinearBlendTiles(const LinearBlendJob& job, int begin, int end) {
  return ScalarTiles(*job.table, job.streams, begin, end,
                     [&](int v, const uint16_t* joints, const float* weights, int influences) {
                       scalar::LinearBlend(job, v, joints, weights, influences);
                     });
}

#else

// Whether four vertices at a time are faster than two, which is so if a vector holds a joint's whole matrix.
#define SINEW_FOUR_VERTICES (HWY_ARCH_X86 && HWY_MAX_BYTES >= 64)

// Columns of blended matrices: each vector holds one column for each of its vertices.
template <typename W>
struct Columns {
  typename W::V c0, c1, c2, c3;
};

// Broadcasts a weight to all lanes. On x86 a broadcast from memory is nothing but a load; on ARM one from a loaded
// vector is folded into the multiply-add.
template <int kSlot>
HWY_INLINE HWY_ATTR V4 WeightOf(const float* weights, V4 four) {
  if constexpr (HWY_ARCH_ARM) return hn::Broadcast<kSlot>(four);
  return hn::Set(Tag4(), weights[kSlot]);
}

HWY_INLINE HWY_ATTR void Accumulate(Columns<One>& m, const float* joint, V4 weight) {
  m.c0 = hn::MulAdd(weight, Load4(joint), m.c0);
  m.c1 = hn::MulAdd(weight, Load4(joint + 4), m.c1);
  m.c2 = hn::MulAdd(weight, Load4(joint + 8), m.c2);
  m.c3 = hn::MulAdd(weight, Load4(joint + 12), m.c3);
}

HWY_INLINE HWY_ATTR Columns<One> Scaled(const float* joint, V4 weight) {
  return {hn::Mul(weight, Load4(joint)), hn::Mul(weight, Load4(joint + 4)), hn::Mul(weight, Load4(joint + 8)),
          hn::Mul(weight, Load4(joint + 12))};
}

// Blends the matrices of one vertex. kInfluences 0: any number, given in `influences`.
template <int kInfluences>
HWY_INLINE HWY_ATTR Columns<One> BlendOne(const Affine* matrices, const uint16_t* joints, const float* weights,
                                          int influences) {
  const float* first = matrices[joints[0]].m;
  if constexpr (kInfluences == 1) {
    return {Load4(first), Load4(first + 4), Load4(first + 8), Load4(first + 12)};
  } else if constexpr (kInfluences == 0) {
    Columns<One> m = Scaled(first, hn::Set(Tag4(), weights[0]));
    for (int k = 1; k < influences; ++k) Accumulate(m, matrices[joints[k]].m, hn::Set(Tag4(), weights[k]));
    return m;
  } else {
    const V4 four = Load4(weights);
    Columns<One> m = Scaled(first, WeightOf<0>(weights, four));
    if constexpr (kInfluences > 1) Accumulate(m, matrices[joints[1]].m, WeightOf<1>(weights, four));
    if constexpr (kInfluences > 2) Accumulate(m, matrices[joints[2]].m, WeightOf<2>(weights, four));
    if constexpr (kInfluences > 3) Accumulate(m, matrices[joints[3]].m, WeightOf<3>(weights, four));
    return m;
  }
}

template <int kInfluences>
HWY_INLINE HWY_ATTR Columns<One> Blend(One, const Affine* matrices, const uint16_t* joints, const float* weights,
                                       int influences) {
  return BlendOne<kInfluences>(matrices, joints, weights, influences);
}

#if HWY_MAX_BYTES >= 32
// Columns c0 and c1, and c2 and c3, of one vertex, two per vector.
struct ColumnPairs {
  Two::V low, high;
};

template <int kInfluences>
HWY_INLINE HWY_ATTR ColumnPairs BlendPairs(const Affine* matrices, const uint16_t* joints, const float* weights,
                                           int influences) {
  const Two::Tag d;
  const int count = kInfluences == 0 ? influences : kInfluences;
  const float* first = matrices[joints[0]].m;
  Two::V weight = hn::Set(d, weights[0]);
  ColumnPairs m{hn::Mul(weight, hn::LoadU(d, first)), hn::Mul(weight, hn::LoadU(d, first + 8))};
  HWY_UNROLL(kMaxInfluences)
  for (int k = 1; k < count; ++k) {
    const float* joint = matrices[joints[k]].m;
    weight = hn::Set(d, weights[k]);
    m.low = hn::MulAdd(weight, hn::LoadU(d, joint), m.low);
    m.high = hn::MulAdd(weight, hn::LoadU(d, joint + 8), m.high);
  }
  return m;
}

template <int kInfluences>
HWY_INLINE HWY_ATTR Columns<Two> Blend(Two, const Affine* matrices, const uint16_t* joints, const float* weights,
                                       int influences) {
  const Two::Tag d;
  if constexpr (kInfluences == 1) {
    const float* a = matrices[joints[0]].m;
    const float* b = matrices[joints[1]].m;
    return {hn::Combine(d, Load4(b), Load4(a)), hn::Combine(d, Load4(b + 4), Load4(a + 4)),
            hn::Combine(d, Load4(b + 8), Load4(a + 8)), hn::Combine(d, Load4(b + 12), Load4(a + 12))};
  } else {
    const int stride = kInfluences == 0 ? influences : kInfluences;
    const ColumnPairs a = BlendPairs<kInfluences>(matrices, joints, weights, influences);
    const ColumnPairs b = BlendPairs<kInfluences>(matrices, joints + stride, weights + stride, influences);
    return {hn::ConcatLowerLower(d, b.low, a.low), hn::ConcatUpperUpper(d, b.low, a.low),
            hn::ConcatLowerLower(d, b.high, a.high), hn::ConcatUpperUpper(d, b.high, a.high)};
  }
}
#endif

// Applies the linear part to a direction.
template <typename W>
HWY_INLINE HWY_ATTR typename W::V Turn(const Columns<W>& m, typename W::V v) {
  const auto xy = hn::MulAdd(m.c1, hn::Broadcast<1>(v), hn::Mul(m.c0, hn::Broadcast<0>(v)));
  return hn::MulAdd(m.c2, hn::Broadcast<2>(v), xy);
}

// Applies the affine matrix to a point.
template <typename W>
HWY_INLINE HWY_ATTR typename W::V Apply(const Columns<W>& m, typename W::V p) {
  const auto x = hn::MulAdd(m.c0, hn::Broadcast<0>(p), m.c3);
  return hn::MulAdd(m.c2, hn::Broadcast<2>(p), hn::MulAdd(m.c1, hn::Broadcast<1>(p), x));
}

// Returns (y, z, x, w) of each block (x, y, z, w).
template <typename W>
HWY_INLINE HWY_ATTR typename W::V Yzxw(typename W::V v) {
#if HWY_ARCH_WASM
  // Highway looks lanes up byte by byte there.
  return V4{wasm_i32x4_shuffle(v.raw, v.raw, 1, 2, 0, 3)};
#else
  alignas(32) static constexpr int32_t kYzxw[8] = {1, 2, 0, 3, 5, 6, 4, 7};
  return hn::TableLookupLanes(v, hn::SetTableIndices(typename W::Tag(), kYzxw));
#endif
}

// Cross product a x b of each block, whose fourth lanes must be 0.
template <typename W>
HWY_INLINE HWY_ATTR typename W::V Cross(typename W::V a, typename W::V b) {
  return Yzxw<W>(hn::NegMulAdd(Yzxw<W>(a), b, hn::Mul(a, Yzxw<W>(b))));
}

// Cofactors of the linear part, as scalar::OutwardCofactors() without their sign. mirrored: output, the sign bits of
// the determinants, by which a normal or a tangent's handedness changes its sign.
template <typename W>
HWY_INLINE HWY_ATTR Columns<W> Cofactors(const Columns<W>& m, typename W::V& mirrored) {
  const typename W::Tag d;
  auto largest = hn::Max(hn::Max(hn::Abs(m.c0), hn::Abs(m.c1)), hn::Abs(m.c2));
  largest = hn::Max(largest, hn::Shuffle2301(largest));
  largest = hn::Max(hn::Max(largest, hn::Shuffle1032(largest)), hn::Set(d, 1e-30f));
  const auto scale = hn::Div(hn::Set(d, 1.0f), largest);
  const auto a = hn::Mul(m.c0, scale), b = hn::Mul(m.c1, scale), c = hn::Mul(m.c2, scale);
  const Columns<W> cofactors{Cross<W>(b, c), Cross<W>(c, a), Cross<W>(a, b), m.c3};
  mirrored = hn::And(hn::SignBit(d), SumOfBlock(hn::Mul(a, cofactors.c0)));
  return cofactors;
}

// The job's streams, and properties of them that select an inner loop.
struct Streams {
  explicit Streams(const LinearBlendJob& job)
      : s(job.streams),
        matrices(job.matrices.data()),
        pre(!s.pre_displacements.empty()),
        post(!s.post_displacements.empty()),
        tangents(!s.tangents.empty()),
        cofactor(job.normal_matrix == NormalMatrix::kCofactor),
        bounded(job.bounds != nullptr),
        packed(s.positions.packed() && s.normals.packed()),
        plain(packed && s.rest_positions.packed() && s.rest_normals.packed() &&
              (!pre || s.pre_displacements.packed()) && !post && !tangents && !cofactor && !bounded) {}

  const SkinStreams& s;
  const Affine* matrices;
  bool pre, post, tangents, cofactor, bounded;
  bool packed;
  // Only packed positions, pre-skinning displacements and normals: every address is the same multiple of the vertex.
  bool plain;
};

// Compile-time choices for one run.
template <int influences, bool normals, bool plain, bool consecutive, bool displaced = false>
struct Mode {
  static constexpr int kInfluences = influences;  // 0: any number
  static constexpr bool kNormals = normals;
  static constexpr bool kPlain = plain;              // Streams::plain
  static constexpr bool kConsecutive = consecutive;  // vertices follow each other in packed outputs
  static constexpr bool kDisplaced = displaced;      // Streams::pre; only used if kPlain
};

template <typename M, typename T>
HWY_INLINE HWY_ATTR auto* Address(const StridedSpan<T>& span, int v) {
  if constexpr (M::kPlain) return span.floats(0) + 3 * static_cast<size_t>(v);
  return span.floats(v);
}

// Loads W::kPoints points. kExact: reads and writes exactly 12 bytes per point. Otherwise 16 are read, and, if
// M::kConsecutive, written: the extra four belong to the next vertex of the run, which is written next.
template <typename M, typename W, bool kExact>
HWY_INLINE HWY_ATTR typename W::V LoadPoints(const StridedSpan<const Float3>& span, const int* v) {
  if constexpr (kExact) {
    static_assert(W::kPoints == 1);
    return Load3(span.floats(v[0]));
  } else {
    const float* p[2] = {Address<M>(span, v[0]), Address<M>(span, v[W::kPoints - 1])};
    return W::Load(p);
  }
}

template <typename M, typename W, bool kExact>
HWY_INLINE HWY_ATTR void StorePoints(typename W::V value, const StridedSpan<Float3>& span, const int* v) {
  for (int i = 0; i < W::kPoints; ++i) {
    if constexpr (M::kConsecutive && !kExact) {
      hn::StoreU(W::Get(value, i), Tag4(), Address<M>(span, v[i]));
    } else {
      Store3(W::Get(value, i), Address<M>(span, v[i]));
    }
  }
}

template <typename W>
HWY_INLINE HWY_ATTR void SkinTangents(const Columns<W>& m, typename W::V mirrored, const SkinStreams& s, const int* v) {
  const typename W::Tag d;
  const float* p[2] = {s.rest_tangents.floats(v[0]), s.rest_tangents.floats(v[W::kPoints - 1])};
  const auto rest = W::Load(p);
  const auto unit = Normalize(d, Turn<W>(m, rest));
  alignas(32) static constexpr uint32_t kHandedness[8] = {0, 0, 0, ~0u, 0, 0, 0, ~0u};
  const hn::RebindToUnsigned<decltype(d)> du;
  const auto lane = hn::MaskFromVec(hn::BitCast(d, hn::Load(du, kHandedness)));
  const auto out = hn::IfThenElse(lane, hn::Xor(rest, mirrored), unit);
  for (int i = 0; i < W::kPoints; ++i) hn::StoreU(W::Get(out, i), Tag4(), s.tangents.floats(v[i]));
}

// Skins the W::kPoints vertices v[0], v[1] except for the normals, which are returned transformed but not yet unit.
template <typename M, typename W, bool kExact>
HWY_INLINE HWY_ATTR typename W::V SkinVertices(const Streams& streams, const int* v, const uint16_t* joints,
                                               const float* weights, int influences, Extremes& extremes) {
  const SkinStreams& s = streams.s;
  const Columns<W> m = Blend<M::kInfluences>(W(), streams.matrices, joints, weights, influences);
  auto position = LoadPoints<M, W, kExact>(s.rest_positions, v);
  if (M::kPlain ? M::kDisplaced : streams.pre)
    position = hn::Add(position, LoadPoints<M, W, kExact>(s.pre_displacements, v));
  position = Apply<W>(m, position);
  if (!M::kPlain && streams.post) position = hn::Add(position, LoadPoints<M, W, kExact>(s.post_displacements, v));
  StorePoints<M, W, kExact>(position, s.positions, v);
  if (!M::kPlain && streams.bounded) {
    for (int i = 0; i < W::kPoints; ++i) {
      extremes.min = hn::Min(extremes.min, W::Get(position, i));
      extremes.max = hn::Max(extremes.max, W::Get(position, i));
    }
  }
  typename W::V mirrored = hn::Zero(typename W::Tag());
  Columns<W> turn = m;
  if (!M::kPlain && streams.cofactor) turn = Cofactors<W>(m, mirrored);
  if (!M::kPlain && streams.tangents) SkinTangents<W>(m, mirrored, s, v);
  if constexpr (!M::kNormals) return hn::Zero(typename W::Tag());
  const auto normal = Turn<W>(turn, LoadPoints<M, W, kExact>(s.rest_normals, v));
  if constexpr (M::kPlain) return normal;
  return hn::Xor(normal, mirrored);
}

struct Run {
  int first;  // the tile's first vertex
  int influences, count;
  const uint16_t* order;
  const uint16_t* joints;
  const float* weights;
};

#if HWY_MAX_BYTES >= 32
constexpr int kStep = 2;
#else
constexpr int kStep = 4;  // four normals share one square root
#endif

// Returns the weights `entries` further on; runs of one influence have none.
template <typename M>
HWY_INLINE const float* Advance(const float* weights, int entries) {
  return M::kInfluences == 1 ? nullptr : weights + entries;
}

// Skins the next kStep vertices of a run.
template <typename M>
HWY_INLINE HWY_ATTR void SkinStep(const Streams& streams, const int* v, const uint16_t* joints, const float* weights,
                                  int stride, Extremes& extremes) {
  const auto skin = [&](int n) HWY_ATTR {
    return SkinVertices<M, Widest, false>(streams, v + n, joints + n * stride, Advance<M>(weights, n * stride), stride,
                                          extremes);
  };
#if HWY_MAX_BYTES >= 32
  const Two::V normals = skin(0);
  if constexpr (M::kNormals) StorePoints<M, Two, false>(Normalize(Two::Tag(), normals), streams.s.normals, v);
#else
  V4 normals[4] = {skin(0), skin(1), skin(2), skin(3)};
  if constexpr (M::kNormals) {
    Normalize(normals);
    for (int n = 0; n < 4; ++n) StorePoints<M, One, false>(normals[n], streams.s.normals, v + n);
  }
#endif
}

// Prefetches the same places of the next tile: hardware prefetching stops at the end of a page, and four streams cross
// many pages. Prefetching for one vertex of every few is enough.
HWY_INLINE void FetchTileAhead(const float* rest_position, const float* rest_normal, const float* position,
                               const float* normal) {
  constexpr int kAhead = 3 * kTileVertices;
  if constexpr (!HWY_ARCH_X86) return;
  hwy::Prefetch(rest_position + kAhead);
  hwy::Prefetch(rest_normal + kAhead);
  hwy::Prefetch(position + kAhead);
  hwy::Prefetch(normal + kAhead);
}

#if SINEW_FOUR_VERTICES
// A vector that holds one whole matrix, so that blending takes one multiply-add per influence.
using Tag16 = hn::FixedTag<float, 16>;
using V16 = hn::Vec<Tag16>;

template <int kInfluences>
HWY_INLINE HWY_ATTR V16 BlendWhole(const Affine* matrices, const uint16_t* joints, const float* weights) {
  const Tag16 d;
  V16 m = hn::LoadU(d, matrices[joints[0]].m);
  if constexpr (kInfluences > 1) m = hn::Mul(hn::Set(d, weights[0]), m);
  HWY_UNROLL(kMaxInfluences)
  for (int k = 1; k < kInfluences; ++k) {
    m = hn::MulAdd(hn::Set(d, weights[k]), hn::LoadU(d, matrices[joints[k]].m), m);
  }
  return m;
}

struct Four {
  using Tag = Tag16;
  using V = V16;
};

// Transposes the matrices of four vertices into four columns, each of all four vertices.
HWY_INLINE HWY_ATTR Columns<Four> Transpose(V16 a, V16 b, V16 c, V16 e) {
  const __m512 low_ab = _mm512_shuffle_f32x4(a.raw, b.raw, 0x44), high_ab = _mm512_shuffle_f32x4(a.raw, b.raw, 0xee);
  const __m512 low_ce = _mm512_shuffle_f32x4(c.raw, e.raw, 0x44), high_ce = _mm512_shuffle_f32x4(c.raw, e.raw, 0xee);
  return {V16{_mm512_shuffle_f32x4(low_ab, low_ce, 0x88)}, V16{_mm512_shuffle_f32x4(low_ab, low_ce, 0xdd)},
          V16{_mm512_shuffle_f32x4(high_ab, high_ce, 0x88)}, V16{_mm512_shuffle_f32x4(high_ab, high_ce, 0xdd)}};
}

HWY_INLINE HWY_ATTR V16 LoadFour(const float* from, const size_t (&at)[4]) {
  __m512 points = _mm512_castps128_ps512(_mm_loadu_ps(from + at[0]));
  points = _mm512_mask_broadcast_f32x4(points, 0x00f0, _mm_loadu_ps(from + at[1]));
  points = _mm512_mask_broadcast_f32x4(points, 0x0f00, _mm_loadu_ps(from + at[2]));
  return V16{_mm512_mask_broadcast_f32x4(points, 0xf000, _mm_loadu_ps(from + at[3]))};
}

// Stores four points. kConsecutive: they follow each other in memory.
template <bool kConsecutive>
HWY_INLINE HWY_ATTR void StoreFour(V16 points, float* to, const size_t (&at)[4]) {
  const Two::Tag half;
  if constexpr (kConsecutive) {
    alignas(64) static constexpr int32_t kPacked[16] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 7, 11, 15};
    const V16 packed = hn::TableLookupLanes(points, hn::SetTableIndices(Tag16(), kPacked));
    hn::StoreU(hn::LowerHalf(half, packed), half, to + at[0]);
    hn::StoreU(hn::LowerHalf(Tag4(), hn::UpperHalf(half, packed)), Tag4(), to + at[0] + 8);
  } else {
    constexpr __mmask8 kThree = 7;
    _mm_mask_storeu_ps(to + at[0], kThree, _mm512_castps512_ps128(points.raw));
    _mm_mask_storeu_ps(to + at[1], kThree, _mm512_extractf32x4_ps(points.raw, 1));
    _mm_mask_storeu_ps(to + at[2], kThree, _mm512_extractf32x4_ps(points.raw, 2));
    _mm_mask_storeu_ps(to + at[3], kThree, _mm512_extractf32x4_ps(points.raw, 3));
  }
}

// Scales four times four vectors to unit length with one square root, whose lanes hold their squared lengths. Squares
// are added in Normalize's order, so that the bits are the same.
HWY_INLINE HWY_ATTR void NormalizeFours(V16 (&v)[4]) {
  const auto even = [](V16 a, V16 b) HWY_ATTR { return V16{_mm512_shuffle_ps(a.raw, b.raw, 0x88)}; };
  const auto odd = [](V16 a, V16 b) HWY_ATTR { return V16{_mm512_shuffle_ps(a.raw, b.raw, 0xdd)}; };
  const V16 s0 = hn::Mul(v[0], v[0]), s1 = hn::Mul(v[1], v[1]), s2 = hn::Mul(v[2], v[2]), s3 = hn::Mul(v[3], v[3]);
  const V16 low = hn::Add(even(s0, s1), odd(s0, s1)), high = hn::Add(even(s2, s3), odd(s2, s3));
  const V16 inverse = InverseSqrt(Tag16(), hn::Add(even(low, high), odd(low, high)));
  v[0] = hn::Mul(v[0], hn::Broadcast<0>(inverse));
  v[1] = hn::Mul(v[1], hn::Broadcast<1>(inverse));
  v[2] = hn::Mul(v[2], hn::Broadcast<2>(inverse));
  v[3] = hn::Mul(v[3], hn::Broadcast<3>(inverse));
}

// A plain run (Streams::plain), with pointers to its streams from the tile's first vertex on.
template <typename M>
struct Fours {
  Fours(const Streams& streams, const Run& run)
      : matrices(streams.matrices), order(run.order), joints(run.joints), weights(run.weights) {
    const size_t first = 3 * static_cast<size_t>(run.first);
    rest_positions = streams.s.rest_positions.floats(0) + first;
    displacements = M::kDisplaced ? streams.s.pre_displacements.floats(0) + first : nullptr;
    rest_normals = streams.s.rest_normals.floats(0) + first;
    positions = streams.s.positions.floats(0) + first;
    normals = streams.s.normals.floats(0) + first;
  }

  const Affine* matrices;
  const float *rest_positions, *displacements, *rest_normals;
  float *positions, *normals;
  const uint16_t *order, *joints;
  const float* weights;

  // Offsets in floats of the vertices i to i + 3.
  HWY_INLINE void At(int i, size_t (&at)[4]) const {
    for (int n = 0; n < 4; ++n)
      at[n] = 3 * size_t{M::kConsecutive ? order[0] + static_cast<size_t>(i + n) : order[i + n]};
  }

  // Skins the vertices i to i + 3 except for the normals, which are returned transformed but not yet unit.
  HWY_INLINE HWY_ATTR V16 Skin(int i) const {
    constexpr int kStride = M::kInfluences;
    size_t at[4];
    At(i, at);
    const auto blend = [&](int n) HWY_ATTR {
      return BlendWhole<kStride>(matrices, joints + (i + n) * kStride, Advance<M>(weights, (i + n) * kStride));
    };
    FetchTileAhead(rest_positions + at[0], rest_normals + at[0], positions + at[0], normals + at[0]);
    const Columns<Four> m = Transpose(blend(0), blend(1), blend(2), blend(3));
    V16 position = LoadFour(rest_positions, at);
    if constexpr (M::kDisplaced) position = hn::Add(position, LoadFour(displacements, at));
    StoreFour<M::kConsecutive>(Apply<Four>(m, position), positions, at);
    return Turn<Four>(m, LoadFour(rest_normals, at));
  }

  HWY_INLINE HWY_ATTR void StoreNormals(int i, V16 unit) const {
    size_t at[4];
    At(i, at);
    StoreFour<M::kConsecutive>(unit, normals, at);
  }
};

// Skins as many vertices of a plain run as can be done four at a time, but not its last, and returns how many.
template <typename M>
HWY_INLINE HWY_ATTR int SkinFours(const Streams& streams, const Run& run) {
  const Fours<M> fours(streams, run);
  // Number of normals that are transformed before they are normalised. A square root has a long latency, and the other
  // work of sixteen vertices is more than a core looks ahead over: it would stall. With many more than 32, memory
  // accesses would stall instead while square roots are taken.
  constexpr int kSome = 32;
  alignas(64) float turned[4 * kSome];
  int i = 0;
  for (; i + kSome < run.count; i += kSome) {
    for (int n = 0; n < kSome; n += 4) hn::StoreU(fours.Skin(i + n), Tag16(), turned + 4 * n);
    for (int k = 0; k < kSome; k += 16) {
      V16 normals[4];
      HWY_UNROLL(4)
      for (int n = 0; n < 4; ++n) normals[n] = hn::LoadU(Tag16(), turned + 4 * k + 16 * n);
      NormalizeFours(normals);
      HWY_UNROLL(4)
      for (int n = 0; n < 4; ++n) fours.StoreNormals(i + k + 4 * n, normals[n]);
    }
  }
  for (; i + 4 < run.count; i += 4) fours.StoreNormals(i, Normalize(Tag16(), fours.Skin(i)));
  return i;
}
#endif

// Skins all vertices of a run. The last is done alone and exactly, so that nothing is read or written past any array.
template <typename M>
HWY_ATTR void SkinRun(const Streams& streams, const Run& run, Extremes& extremes) {
  const int stride = M::kInfluences == 0 ? run.influences : M::kInfluences;
  const auto vertex = [&](int i) { return run.first + (M::kConsecutive ? run.order[0] + i : run.order[i]); };
  int i = 0;
#if SINEW_FOUR_VERTICES
  if constexpr (M::kPlain && M::kInfluences > 0) i = SkinFours<M>(streams, run);
#endif
  for (; i + kStep < run.count; i += kStep) {
    int v[kStep];
    for (int n = 0; n < kStep; ++n) v[n] = vertex(i + n);
    if constexpr (M::kPlain) {
      FetchTileAhead(Address<M>(streams.s.rest_positions, v[0]), Address<M>(streams.s.rest_normals, v[0]),
                     Address<M>(streams.s.positions, v[0]), Address<M>(streams.s.normals, v[0]));
    }
    SkinStep<M>(streams, v, run.joints + i * stride, Advance<M>(run.weights, i * stride), stride, extremes);
  }
  for (; i < run.count; ++i) {
    const int v[1] = {vertex(i)};
    const V4 normal = SkinVertices<M, One, true>(streams, v, run.joints + i * stride,
                                                 Advance<M>(run.weights, i * stride), stride, extremes);
    if constexpr (M::kNormals) Store3(Normalize(Tag4(), normal), streams.s.normals.floats(v[0]));
  }
}

template <int kInfluences>
HWY_ATTR void SkinRun(const Streams& streams, const Run& run, bool consecutive, Extremes& extremes) {
  const bool dense = consecutive && streams.packed;
  if (streams.s.normals.empty()) {
    (dense ? SkinRun<Mode<kInfluences, false, false, true> >
           : SkinRun<Mode<kInfluences, false, false, false> >)(streams, run, extremes);
  } else if (streams.plain && streams.pre) {
    (dense ? SkinRun<Mode<kInfluences, true, true, true, true> >
           : SkinRun<Mode<kInfluences, true, true, false, true> >)(streams, run, extremes);
  } else if (streams.plain) {
    (dense ? SkinRun<Mode<kInfluences, true, true, true> >
           : SkinRun<Mode<kInfluences, true, true, false> >)(streams, run, extremes);
  } else {
    (dense ? SkinRun<Mode<kInfluences, true, false, true> >
           : SkinRun<Mode<kInfluences, true, false, false> >)(streams, run, extremes);
  }
}

HWY_ATTR Bounds LinearBlendTiles(const LinearBlendJob& job, int begin, int end) {
  const Streams streams(job);
  return SkinTiles(*job.table, begin, end,
                   [&](int first, int k, const uint16_t* joints, const float* weights, const uint16_t* order, int count,
                       bool consecutive, Extremes& extremes) HWY_ATTR {
                     const Run run{first, k, count, order, joints, weights};
                     const auto skin = k == 1   ? SkinRun<1>
                                       : k == 2 ? SkinRun<2>
                                       : k == 3 ? SkinRun<3>
                                       : k == 4 ? SkinRun<4>
                                                : SkinRun<0>;
                     skin(streams, run, consecutive, extremes);
                   });
}

#undef SINEW_FOUR_VERTICES

#endif

}  // namespace sinew::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::runtime {

HWY_EXPORT(LinearBlendTiles);

Bounds LinearBlendTiles(const LinearBlendJob& job, int begin, int end) noexcept {
  return HWY_DYNAMIC_DISPATCH(LinearBlendTiles)(job, begin, end);
}

}  // namespace sinew::runtime
#endif
