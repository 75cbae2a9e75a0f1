// Recomputed normals, tile by tile: gathers positions on the stack, then sums each group's chain of points
// (normal_table.h). No result depends on another group, and additions have a fixed order.
//
// Points are stored as (x, y, z, x), so that rotating the lanes by one gives (y, z, x, x). The cross product is then
//     a * rotated(b) - rotated(a) * b = (z, x, y, 0) of a x b:
// one shuffle for each factor, and the lanes stay in that order until a normal is stored.
#include "sinew/runtime/skin/kernels.h"
#include "sinew/runtime/skin/vertex.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/runtime/skin/normals_kernel.cc"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "sinew/runtime/base/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::runtime::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void TileNormals(const NormalsJob& job, int t) {
  const NormalTable& table = *job.table;
  const NormalTable::Tile& tile = table.tile(t);
  const uint16_t* chain = table.chains() + tile.first_chain;
  const uint32_t* vertex = table.groups() + tile.first_group;
  const auto point = [&](int entry) { return job.positions[table.locals()[tile.first_local + chain[entry] / 4]]; };
  for (int r = 0; r < tile.runs; ++r) {
    const NormalTable::Run run = table.runs()[tile.first_run + r];
    for (int g = 0; g < run.count; ++g, chain += 2 * run.links + 2) {
      Float3 sum;
      for (int i = 1; i <= 2 * run.links; i += 2) {
        sum = scalar::Add(sum, scalar::Cross(scalar::Sub(point(i + 1), point(0)), scalar::Sub(point(i + 2), point(i))));
      }
      const uint32_t v = *vertex++;
      if (HasDirection(scalar::Dot(sum, sum))) StoreNormal(job, v, scalar::Normalized(sum));
    }
  }
}

#else

// Gathers the positions that a tile names, as (x, y, z, x).
HWY_INLINE HWY_ATTR void GatherPositions(const NormalsJob& job, const uint32_t* locals, int count, float* points) {
  // A load of 16 bytes would read past the array's end at its last point.
  const uint32_t last = static_cast<uint32_t>(job.positions.size()) - 1;
  for (int i = 0; i < count; ++i) {
    const float* p = job.positions.floats(locals[i]);
    const V4 point = HWY_LIKELY(locals[i] != last) ? Load4(p) : Load3(p);
    hn::Store(Xyzx(point), Tag4(), points + 4 * i);
  }
}

template <typename V>
HWY_INLINE HWY_ATTR V AddRotatedCross(V a, V b, V sum) {
  return hn::NegMulAdd(hn::Shuffle0321(a), b, hn::MulAdd(a, hn::Shuffle0321(b), sum));
}

// Stores a normal with lanes (z, x, y, 0) as (x, y, z).
HWY_INLINE HWY_ATTR void StoreRotated(V4 n, float* to) {
  const hn::Half<Tag4> half;
  hn::StoreU(hn::LowerHalf(half, hn::Shuffle0321(n)), half, to);
  to[2] = hn::GetLane(n);
}

// Returns the sums over the links of W::kPoints consecutive chains.
template <typename W>
HWY_INLINE HWY_ATTR typename W::V SumOfLinks(const float* points, const uint16_t* chain, int links) {
  const int length = 2 * links + 2;
  const auto load = [&](int entry) HWY_ATTR {
    const float* p[2] = {points + chain[entry], points + chain[entry + length * (W::kPoints - 1)]};
    return W::Load(p);
  };
  const auto center = load(0);
  auto from = load(1);
  auto sum = hn::Zero(typename W::Tag());
  for (int i = 2; i < length; i += 2) {
    const auto middle = hn::Sub(load(i), center);
    const auto to = load(i + 1);
    sum = AddRotatedCross(middle, hn::Sub(to, from), sum);
    from = to;
  }
  return sum;
}

// Scales the sums of W::kPoints groups to unit length and stores them at their vertices; a sum without a direction
// leaves its vertex unchanged.
template <typename W>
HWY_INLINE HWY_ATTR void FinishGroups(const NormalsJob& job, typename W::V sums, const uint32_t* vertices) {
  const typename W::Tag d;
  const auto squared = SumOfBlock(hn::Mul(sums, sums));
  const auto normals = hn::Mul(sums, InverseSqrt(d, squared));
  const auto directed =
      hn::And(hn::Gt(squared, hn::Set(d, kTinySquared)), hn::Lt(squared, hn::Set(d, kLargestSquared)));
  if (HWY_LIKELY(hn::AllTrue(d, directed) && job.facing == Facing::kWinding)) {
    for (int i = 0; i < W::kPoints; ++i) StoreRotated(W::Get(normals, i), job.normals.floats(vertices[i]));
    return;
  }
  for (int i = 0; i < W::kPoints; ++i) {
    if (!HasDirection(hn::GetLane(W::Get(squared, i)))) continue;
    Float3 normal;
    StoreRotated(W::Get(normals, i), &normal.x);
    StoreNormal(job, vertices[i], normal);
  }
}

// Computes the normals of all groups of a run. kLinks 0: any number of links, given in run.links.
template <int kLinks>
HWY_ATTR void RunOfGroups(const NormalsJob& job, NormalTable::Run run, const float* points, const uint16_t* chain,
                          const uint32_t* vertices) {
  const int links = kLinks == 0 ? run.links : kLinks;
  const int length = 2 * links + 2;
  int g = 0;
  for (; g + Widest::kPoints <= run.count; g += Widest::kPoints, chain += length * Widest::kPoints) {
    FinishGroups<Widest>(job, SumOfLinks<Widest>(points, chain, links), vertices + g);
  }
  for (; g < run.count; ++g, chain += length) {
    FinishGroups<One>(job, SumOfLinks<One>(points, chain, links), vertices + g);
  }
}

HWY_ATTR void TileNormals(const NormalsJob& job, int t) {
  const NormalTable& table = *job.table;
  const NormalTable::Tile& tile = table.tile(t);
  HWY_ALIGN float points[4 * NormalTable::kMaxLocals];
  GatherPositions(job, table.locals() + tile.first_local, tile.locals, points);
  const uint16_t* chain = table.chains() + tile.first_chain;
  const uint32_t* vertices = table.groups() + tile.first_group;
  for (int r = 0; r < tile.runs; ++r) {
    const NormalTable::Run run = table.runs()[tile.first_run + r];
    const auto groups = run.links == 3   ? RunOfGroups<3>
                        : run.links == 2 ? RunOfGroups<2>
                        : run.links == 4 ? RunOfGroups<4>
                                         : RunOfGroups<0>;
    groups(job, run, points, chain, vertices);
    chain += static_cast<size_t>(2 * run.links + 2) * run.count;
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
