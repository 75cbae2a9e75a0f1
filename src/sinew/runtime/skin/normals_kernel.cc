// Recomputed normals, tile by tile: positions to the stack, the triangles' normals to the stack, then a gather over the
// groups. A gather has no write that depends on another triangle's, and a fixed order of additions.
//
// Points are kept as (x, y, z, x), so that rotating the lanes by one gives (y, z, x, x). The cross product is then
// a * rotated(b) - rotated(a) * b = (z, x, y, 0) of a x b: one shuffle for each factor, and the lanes stay in that
// order until a normal is stored.
#include "sinew/runtime/skin/kernels.h"
#include "sinew/runtime/skin/vertex.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/runtime/skin/normals_kernel.cc"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "sinew/runtime/skin/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::runtime::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void TileNormals(const NormalsJob& job, int t) {
  const NormalTable& table = *job.table;
  const NormalTable::Tile& tile = table.tile(t);
  const uint32_t* locals = table.locals() + tile.first_local;
  const uint16_t* corner = table.corners() + tile.first_corner;
  const uint32_t* vertex = table.groups() + tile.first_group;
  for (int r = 0; r < tile.runs; ++r) {
    const NormalTable::Run run = table.runs()[tile.first_run + r];
    for (int g = 0; g < run.count; ++g, corner += run.valence) {
      Float3 sum;
      for (int c = 0; c < run.valence; ++c) {
        const NormalTable::Triangle& triangle = table.triangles()[tile.first_triangle + corner[c]];
        const Float3& a = job.positions[locals[triangle.corner[0]]];
        sum = scalar::Add(sum, scalar::Cross(scalar::Sub(job.positions[locals[triangle.corner[1]]], a),
                                             scalar::Sub(job.positions[locals[triangle.corner[2]]], a)));
      }
      const uint32_t v = *vertex++;
      if (scalar::Dot(sum, sum) > scalar::kTinySquared) job.normals[v] = scalar::Normalized(sum);
    }
  }
}

#else

// (x, y, z, x) of a point, reading its 12 bytes alone.
HWY_INLINE HWY_ATTR void CopyPoint(const float* from, float* to) {
  to[0] = from[0];
  to[1] = from[1];
  to[2] = from[2];
  to[3] = from[0];
}

HWY_INLINE HWY_ATTR void GatherPositions(const NormalsJob& job, const uint32_t* locals, int count, float* points) {
  for (int i = 0; i < count; ++i) CopyPoint(job.positions.floats(locals[i]), points + 4 * i);
}

template <typename V>
HWY_INLINE HWY_ATTR V RotatedCross(V a, V b) {
  return hn::NegMulAdd(hn::Shuffle0321(a), b, hn::Mul(a, hn::Shuffle0321(b)));
}

template <typename W>
HWY_INLINE HWY_ATTR void TriangleNormals(const NormalTable::Triangle* triangles, const float* points, float* faces) {
  const auto load = [&](int corner) HWY_ATTR {
    const float* p[2] = {points + 4 * triangles[0].corner[corner],
                         points + 4 * triangles[W::kPoints - 1].corner[corner]};
    return W::Load(p);
  };
  const auto a = load(0);
  hn::StoreU(RotatedCross(hn::Sub(load(1), a), hn::Sub(load(2), a)), typename W::Tag(), faces);
}

// A normal with lanes (z, x, y, 0) to memory as (x, y, z).
HWY_INLINE HWY_ATTR void StoreRotated(V4 n, float* to) {
  const hn::Half<Tag4> half;
  hn::StoreU(hn::LowerHalf(half, hn::Shuffle0321(n)), half, to);
  to[2] = hn::GetLane(n);
}

HWY_INLINE HWY_ATTR V4 SumOfFaces(const float* faces, const uint16_t* corner, int valence) {
  V4 sum = Load4(faces + 4 * corner[0]);
  for (int c = 1; c < valence; ++c) sum = hn::Add(sum, Load4(faces + 4 * corner[c]));
  return sum;
}

// `sums` of W::kPoints groups to unit length and to their vertices; those without a direction are left alone.
template <typename W>
HWY_INLINE HWY_ATTR void FinishGroups(const NormalsJob& job, typename W::V sums, const uint32_t* vertices) {
  const typename W::Tag d;
  const auto squared = SumOfBlock(hn::Mul(sums, sums));
  const auto normals = hn::Mul(sums, InverseSqrt(d, squared));
  const auto directed = hn::Gt(squared, hn::Set(d, scalar::kTinySquared));
  if (HWY_LIKELY(hn::AllTrue(d, directed))) {
    for (int i = 0; i < W::kPoints; ++i) StoreRotated(W::Get(normals, i), job.normals.floats(vertices[i]));
    return;
  }
  for (int i = 0; i < W::kPoints; ++i) {
    if (hn::GetLane(W::Get(squared, i)) > scalar::kTinySquared) {
      StoreRotated(W::Get(normals, i), job.normals.floats(vertices[i]));
    }
  }
}

// kValence 0: any, given in run.valence.
template <int kValence>
HWY_ATTR void RunOfGroups(const NormalsJob& job, NormalTable::Run run, const float* faces, const uint16_t* corner,
                          const uint32_t* vertices) {
  const int valence = kValence == 0 ? run.valence : kValence;
  int g = 0;
#if HWY_MAX_BYTES >= 32
  for (; g + 2 <= run.count; g += 2, corner += 2 * valence) {
    const V4 a = SumOfFaces(faces, corner, valence);
    const V4 b = SumOfFaces(faces, corner + valence, valence);
    FinishGroups<Two>(job, hn::Combine(Two::Tag(), b, a), vertices + g);
  }
#endif
  for (; g < run.count; ++g, corner += valence)
    FinishGroups<One>(job, SumOfFaces(faces, corner, valence), vertices + g);
}

HWY_ATTR void TileNormals(const NormalsJob& job, int t) {
  const NormalTable& table = *job.table;
  const NormalTable::Tile& tile = table.tile(t);
  HWY_ALIGN float points[4 * NormalTable::kMaxLocals];
  HWY_ALIGN float faces[4 * NormalTable::kMaxTriangles];
  GatherPositions(job, table.locals() + tile.first_local, tile.locals, points);

  const NormalTable::Triangle* triangles = table.triangles() + tile.first_triangle;
  int i = 0;
  for (; i + Widest::kPoints <= tile.triangles; i += Widest::kPoints) {
    TriangleNormals<Widest>(triangles + i, points, faces + 4 * i);
  }
  for (; i < tile.triangles; ++i) TriangleNormals<One>(triangles + i, points, faces + 4 * i);

  const uint16_t* corner = table.corners() + tile.first_corner;
  const uint32_t* vertices = table.groups() + tile.first_group;
  for (int r = 0; r < tile.runs; ++r) {
    const NormalTable::Run run = table.runs()[tile.first_run + r];
    const auto groups = run.valence == 6   ? RunOfGroups<6>
                        : run.valence == 5 ? RunOfGroups<5>
                        : run.valence == 7 ? RunOfGroups<7>
                        : run.valence == 4 ? RunOfGroups<4>
                                           : RunOfGroups<0>;
    groups(job, run, faces, corner, vertices);
    corner += static_cast<size_t>(run.valence) * run.count;
    vertices += run.count;
  }
}

#endif

void TilesOf(const NormalsJob& job, int begin, int end) {
  for (int t = begin; t < end; ++t) {
    TileNormals(job, t);
    FinishNormalTile(job, t);
  }
}

}  // namespace sinew::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::runtime {

HWY_EXPORT(TilesOf);

void NormalTiles(const NormalsJob& job, int begin, int end) noexcept { HWY_DYNAMIC_DISPATCH(TilesOf)(job, begin, end); }

}  // namespace sinew::runtime
#endif
