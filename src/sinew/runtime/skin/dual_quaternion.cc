// Dual quaternion skinning. Blending works on one vertex at a time, so that loads are contiguous whatever the joints;
// the longer computation that follows works on vectors with one vertex per lane. A batch on the stack carries vertices
// from one to the other.
#include "sinew/runtime/skin/kernels.h"
#include "sinew/runtime/skin/scalar_tiles.h"
#include "sinew/runtime/skin/vertex.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/runtime/skin/dual_quaternion.cc"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "sinew/runtime/skin/skin_tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::runtime::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

Bounds DualQuaternionTiles(const DualQuaternionJob& job, int begin, int end) {
  return ScalarTiles(*job.table, job.streams, begin, end,
                     [&](int v, const uint16_t* joints, const float* weights, int influences) {
                       scalar::DualQuaternion(job, v, joints, weights, influences);
                     });
}

#else

constexpr int kBatch = 16;
using Lanes = hn::CappedTag<float, kBatch>;
using V = hn::Vec<Lanes>;

// kBatch points or quaternions, four floats each.
struct Points4 {
  HWY_ALIGN float values[4 * kBatch];
};

struct Batch {
  Points4 real, dual, stretch[3];
  Points4 position, normal, tangent;
  int vertices[kBatch];
  int count;
};

struct V3 {
  V x, y, z;
};

HWY_INLINE HWY_ATTR V3 LoadPoints(const Points4& points, int i) {
  V x, y, z, unused;
  hn::LoadInterleaved4(Lanes(), points.values + 4 * i, x, y, z, unused);
  return {x, y, z};
}
HWY_INLINE HWY_ATTR void StorePoints(const V3& p, V w, Points4& points, int i) {
  hn::StoreInterleaved4(p.x, p.y, p.z, w, Lanes(), points.values + 4 * i);
}

HWY_INLINE HWY_ATTR V Dot(const V3& a, const V3& b) {
  return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x)));
}
HWY_INLINE HWY_ATTR V3 Cross(const V3& a, const V3& b) {
  return {hn::NegMulAdd(a.z, b.y, hn::Mul(a.y, b.z)), hn::NegMulAdd(a.x, b.z, hn::Mul(a.z, b.x)),
          hn::NegMulAdd(a.y, b.x, hn::Mul(a.x, b.y))};
}
HWY_INLINE HWY_ATTR V3 Scaled(const V3& a, V s) { return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s)}; }
// a * s + b
HWY_INLINE HWY_ATTR V3 MulAdd(const V3& a, V s, const V3& b) {
  return {hn::MulAdd(a.x, s, b.x), hn::MulAdd(a.y, s, b.y), hn::MulAdd(a.z, s, b.z)};
}
HWY_INLINE HWY_ATTR V3 Add(const V3& a, const V3& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE HWY_ATTR V3 Normalized(const V3& a) { return Scaled(a, InverseSqrt(Lanes(), Dot(a, a))); }

struct M3 {
  V3 c0, c1, c2;  // columns
};
HWY_INLINE HWY_ATTR V3 Mul(const M3& m, const V3& v) { return MulAdd(m.c2, v.z, MulAdd(m.c1, v.y, Scaled(m.c0, v.x))); }

// A unit dual quaternion: rotation by (u, w), then translation.
struct Rigid {
  V3 u;
  V w;
  V3 translation;
};

HWY_INLINE HWY_ATTR Rigid LoadRigid(const Batch& batch, int i) {
  V x, y, z, w, dx, dy, dz, dw;
  hn::LoadInterleaved4(Lanes(), batch.real.values + 4 * i, x, y, z, w);
  hn::LoadInterleaved4(Lanes(), batch.dual.values + 4 * i, dx, dy, dz, dw);
  const V3 u{x, y, z}, du{dx, dy, dz};
  const V squared = hn::MulAdd(w, w, Dot(u, u));
  // Both parts are divided by the real part's length, so their products by its square.
  const V twice = hn::Div(hn::Set(Lanes(), 2.0f), squared);
  const V3 translation = Scaled(Add(MulAdd(du, w, Cross(u, du)), Scaled(u, hn::Neg(dw))), twice);
  const V inverse = InverseSqrt(Lanes(), squared);
  return {Scaled(u, inverse), hn::Mul(w, inverse), translation};
}

HWY_INLINE HWY_ATTR V3 Rotate(const Rigid& r, const V3& v) {
  const V3 cross = Cross(r.u, v);
  const V3 t = Add(cross, cross);
  return Add(MulAdd(t, r.w, v), Cross(r.u, t));
}

HWY_INLINE HWY_ATTR M3 LoadStretch(const Batch& batch, int i) {
  return {LoadPoints(batch.stretch[0], i), LoadPoints(batch.stretch[1], i), LoadPoints(batch.stretch[2], i)};
}

HWY_INLINE HWY_ATTR V Largest(const V3& a) { return hn::Max(hn::Max(hn::Abs(a.x), hn::Abs(a.y)), hn::Abs(a.z)); }

// Cofactors of a stretch, as scalar::OutwardCofactors() without their sign. mirrored: output, the sign bits of the
// determinants, by which a normal or a tangent's handedness changes its sign.
HWY_INLINE HWY_ATTR M3 Cofactors(const M3& m, V& mirrored) {
  const V least = hn::Set(Lanes(), 1e-30f);
  const V largest = hn::Max(hn::Max(Largest(m.c0), Largest(m.c1)), hn::Max(Largest(m.c2), least));
  const V scale = hn::Div(hn::Set(Lanes(), 1.0f), largest);
  const V3 a = Scaled(m.c0, scale), b = Scaled(m.c1, scale), c = Scaled(m.c2, scale);
  const M3 cofactors{Cross(b, c), Cross(c, a), Cross(a, b)};
  mirrored = hn::And(hn::SignBit(Lanes()), Dot(a, cofactors.c0));
  return cofactors;
}

// Applies the blended stretch (phase one), then the blended rigid motion (phase two), to the vertices of one vector.
template <bool kStretch>
HWY_INLINE HWY_ATTR void TransformLanes(Batch& batch, int i, bool normals, bool tangents) {
  const Rigid rigid = LoadRigid(batch, i);
  const V zero = hn::Zero(Lanes());
  V3 position = LoadPoints(batch.position, i);
  if constexpr (kStretch) position = Mul(LoadStretch(batch, i), position);
  StorePoints(Add(Rotate(rigid, position), rigid.translation), zero, batch.position, i);
  V mirrored = zero;
  // Without a default constructor, whose code would be outside of what is compiled for the vectors.
  M3 cofactors{{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
  if constexpr (kStretch) {
    if (normals || tangents) cofactors = Cofactors(LoadStretch(batch, i), mirrored);
  }
  if (normals) {
    V3 normal = LoadPoints(batch.normal, i);
    if constexpr (kStretch) {
      normal = Mul(cofactors, normal);
      normal = {hn::Xor(normal.x, mirrored), hn::Xor(normal.y, mirrored), hn::Xor(normal.z, mirrored)};
    }
    StorePoints(Normalized(Rotate(rigid, normal)), zero, batch.normal, i);
  }
  if (tangents) {
    V x, y, z, handedness;
    hn::LoadInterleaved4(Lanes(), batch.tangent.values + 4 * i, x, y, z, handedness);
    V3 tangent{x, y, z};
    if constexpr (kStretch) tangent = Mul(LoadStretch(batch, i), tangent);
    StorePoints(Normalized(Rotate(rigid, tangent)), hn::Xor(handedness, mirrored), batch.tangent, i);
  }
}

// Blends the joints of one vertex into slot i of the batch. weights is null for one influence.
template <bool kStretch>
HWY_INLINE HWY_ATTR void BlendInto(Batch& batch, int i, const RigidStretch* all, const uint16_t* joints,
                                   const float* weights, int influences) {
  // The strongest influence starts the sums, and its quaternion decides the sign of the others.
  const Tag4 d;
  const RigidStretch& first = all[joints[0]];
  const V4 one = hn::Set(d, influences == 1 ? 1.0f : weights[0]);
  const V4 side = Load4(&first.real.x);
  V4 real = hn::Mul(one, side);
  V4 dual = hn::Mul(one, Load4(first.dual));
  V4 c0 = hn::Zero(d), c1 = c0, c2 = c0;
  if constexpr (kStretch) {
    c0 = hn::Mul(one, Load4(first.stretch));
    c1 = hn::Mul(one, Load4(first.stretch + 4));
    c2 = hn::Mul(one, Load4(first.stretch + 8));
  }
  // The other influences are added, quaternions of the opposite hemisphere with a flipped sign.
  for (int k = 1; k < influences; ++k) {
    const RigidStretch& joint = all[joints[k]];
    const V4 weight = hn::Set(d, weights[k]);
    const V4 joint_real = Load4(&joint.real.x);
    const V4 dot = SumOfBlock(hn::Mul(side, joint_real));
    const V4 turned = hn::IfThenElse(hn::Lt(dot, hn::Zero(d)), hn::Neg(weight), weight);
    real = hn::MulAdd(turned, joint_real, real);
    dual = hn::MulAdd(turned, Load4(joint.dual), dual);
    if constexpr (kStretch) {
      c0 = hn::MulAdd(weight, Load4(joint.stretch), c0);
      c1 = hn::MulAdd(weight, Load4(joint.stretch + 4), c1);
      c2 = hn::MulAdd(weight, Load4(joint.stretch + 8), c2);
    }
  }
  // The sums go to the batch.
  hn::StoreU(real, d, batch.real.values + 4 * i);
  hn::StoreU(dual, d, batch.dual.values + 4 * i);
  if constexpr (kStretch) {
    hn::StoreU(c0, d, batch.stretch[0].values + 4 * i);
    hn::StoreU(c1, d, batch.stretch[1].values + 4 * i);
    hn::StoreU(c2, d, batch.stretch[2].values + 4 * i);
  }
}

// Loads a point; at the last vertex only its 12 bytes, since 16 would reach past the end of the stream.
HWY_INLINE HWY_ATTR V4 LoadPoint(const StridedSpan<const Float3>& span, int v, int last) {
  return HWY_LIKELY(v != last) ? Load4(span.floats(v)) : Load3(span.floats(v));
}

HWY_INLINE HWY_ATTR void LoadVertex(Batch& batch, int i, const SkinStreams& s, int last) {
  const Tag4 d;
  const int v = batch.vertices[i];
  V4 position = LoadPoint(s.rest_positions, v, last);
  if (!s.pre_displacements.empty()) position = hn::Add(position, LoadPoint(s.pre_displacements, v, last));
  hn::StoreU(position, d, batch.position.values + 4 * i);
  if (!s.normals.empty()) hn::StoreU(LoadPoint(s.rest_normals, v, last), d, batch.normal.values + 4 * i);
  if (!s.tangents.empty()) hn::StoreU(Load4(s.rest_tangents.floats(v)), d, batch.tangent.values + 4 * i);
}

HWY_INLINE HWY_ATTR void StoreVertex(const Batch& batch, int i, const SkinStreams& s, int last, Extremes& extremes) {
  const Tag4 d;
  const int v = batch.vertices[i];
  V4 position = Load4(batch.position.values + 4 * i);
  if (!s.post_displacements.empty()) position = hn::Add(position, LoadPoint(s.post_displacements, v, last));
  Store3(position, s.positions.floats(v));
  extremes.min = hn::Min(extremes.min, position);
  extremes.max = hn::Max(extremes.max, position);
  if (!s.normals.empty()) Store3(Load4(batch.normal.values + 4 * i), s.normals.floats(v));
  if (!s.tangents.empty()) hn::StoreU(Load4(batch.tangent.values + 4 * i), d, s.tangents.floats(v));
}

template <bool kStretch>
HWY_ATTR void SkinRun(const DualQuaternionJob& job, int first, int influences, const uint16_t* joints,
                      const float* weights, const uint16_t* order, int count, Extremes& extremes) {
  const SkinStreams& s = job.streams;
  const int last = job.table->vertex_count() - 1;
  // Lanes beyond the last vertex are computed too: they must hold numbers.
  Batch batch = {};
  for (int begin = 0; begin < count; begin += kBatch) {
    batch.count = count - begin < kBatch ? count - begin : kBatch;
    for (int i = 0; i < batch.count; ++i) {
      const size_t entry = static_cast<size_t>(begin + i) * influences;
      batch.vertices[i] = first + order[begin + i];
      BlendInto<kStretch>(batch, i, job.joints.data(), joints + entry, influences == 1 ? nullptr : weights + entry,
                          influences);
      LoadVertex(batch, i, s, last);
    }
    for (int i = 0; i < batch.count; i += static_cast<int>(hn::Lanes(Lanes()))) {
      TransformLanes<kStretch>(batch, i, !s.normals.empty(), !s.tangents.empty());
    }
    for (int i = 0; i < batch.count; ++i) StoreVertex(batch, i, s, last, extremes);
  }
}

bool AnyStretch(std::span<const RigidStretch> joints) {
  const RigidStretch none;
  for (const RigidStretch& joint : joints) {
    for (int e = 0; e < 12; ++e) {
      if (joint.stretch[e] != none.stretch[e]) return true;
    }
  }
  return false;
}

HWY_ATTR Bounds DualQuaternionTiles(const DualQuaternionJob& job, int begin, int end) {
  const auto skin = AnyStretch(job.joints.first(job.table->joint_count())) ? SkinRun<true> : SkinRun<false>;
  return SkinTiles(*job.table, begin, end,
                   [&](int first, int k, const uint16_t* joints, const float* weights, const uint16_t* order, int count,
                       bool, Extremes& extremes)
                       HWY_ATTR { skin(job, first, k, joints, weights, order, count, extremes); });
}

#endif

}  // namespace sinew::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::runtime {

HWY_EXPORT(DualQuaternionTiles);

Bounds DualQuaternionTiles(const DualQuaternionJob& job, int begin, int end) noexcept {
  return HWY_DYNAMIC_DISPATCH(DualQuaternionTiles)(job, begin, end);
}

}  // namespace sinew::runtime
#endif
