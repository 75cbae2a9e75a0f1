// Kernels of level.h and range_table.h: upsampling and modes in one pass over a tile, and range tests.
#include <cmath>
#include <cstring>

#include "sinew/runtime/multires/level.h"
#include "sinew/runtime/multires/range_table.h"
#include "sinew/runtime/multires/upsampling.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/runtime/multires/level_kernel.cc"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "sinew/runtime/multires/upsampling-inl.h"
#include "sinew/runtime/net/weights-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::runtime::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void Keep(const float* points, int vertices, float* kept) {
  for (int v = 0; v < vertices; ++v) std::memcpy(kept + 4 * v, points + 3 * v, 3 * sizeof(float));
}
void Displace(const LevelDisplacements& level, int t, float* points) { DisplaceTileReference(level, t, points); }
float Outside(const RangeTable& table, int test, const float* features) {
  return OutOfRangeReference(table, test, features);
}
void Upsample(const UpsamplingTable& table, const StridedSpan<const Float3>& coarse, int t, float* points) {
  LevelDisplacements level{.upsampling = &table, .coarse = coarse, .vertex_count = table.fine_count()};
  DisplaceTileReference(level, t, points);
}

#else

constexpr int kElements = BasisTable::kBlockElements;
constexpr int kBlockVectors = kElements / kLanes16;

template <typename Weights>
HWY_INLINE HWY_ATTR void AddBlock(const BasisTable& basis, const float* coefficients, uint32_t begin, uint32_t end,
                                  float* points) {
  const Tag16 d;
  const uint16_t* indices = basis.indices();
  const auto* elements = reinterpret_cast<const typename Weights::Element*>(basis.elements());
  V16 sums[kBlockVectors];
  HWY_UNROLL(12)
  for (int v = 0; v < kBlockVectors; ++v) sums[v] = hn::Load(d, points + v * kLanes16);
  for (uint32_t e = begin; e < end; ++e) {
    float coefficient = Weights::kUnit * coefficients[indices[e]];
    if constexpr (sizeof(typename Weights::Element) == 1) coefficient *= basis.scales()[e];
    const auto* entry = elements + size_t{e} * kElements;
    FetchAhead(entry, kElements * sizeof(*entry));
    AddTimes<Weights>(hn::Set(d, coefficient), entry, sums);
  }
  HWY_UNROLL(12)
  for (int v = 0; v < kBlockVectors; ++v) hn::Store(sums[v], d, points + v * kLanes16);
}

template <typename Weights>
HWY_ATTR void AddBlocks(const BasisTable& basis, const float* coefficients, int first, int blocks, float* points) {
  const uint32_t* firsts = basis.firsts() + first;
  for (int b = 0; b < blocks; ++b) {
    AddBlock<Weights>(basis, coefficients, firsts[b], firsts[b + 1], points + b * kElements);
  }
}

HWY_ATTR void Upsample(const UpsamplingTable& table, const StridedSpan<const Float3>& coarse, int t, float* points) {
  UpsampleTileTo(table, coarse, t, ToPacked{points, table.vertices(t)});
}

HWY_ATTR void Keep(const float* points, int vertices, float* kept) {
  HWY_UNROLL(4)
  for (int v = 0; v < vertices; ++v) hn::Store(Load4(points + 3 * v), Tag4(), kept + 4 * v);
}

HWY_ATTR void Displace(const LevelDisplacements& level, int t, float* points) {
  const int first = t * kTileVertices;
  const int vertices = HWY_MIN(level.vertex_count - first, kTileVertices);
  const int blocks = (vertices + BasisTable::kBlockVertices - 1) / BasisTable::kBlockVertices;
  if (level.upsampling != nullptr) {
    std::memset(points + 3 * vertices, 0, sizeof(float) * (kElements * blocks - 3 * vertices));
    Upsample(*level.upsampling, level.coarse, t, points);
  } else if (level.start != nullptr) {
    if (level.start != points) std::memcpy(points, level.start, sizeof(float) * kElements * blocks);
  } else {
    std::memset(points, 0, sizeof(float) * kElements * blocks);
  }
  if (level.basis == nullptr) return;
  const auto add = level.basis->precision() == Precision::kF32   ? AddBlocks<Floats>
                   : level.basis->precision() == Precision::kF16 ? AddBlocks<Halves>
                                                                 : AddBlocks<Bytes>;
  add(*level.basis, level.coefficients, first / BasisTable::kBlockVertices, blocks, points);
}

template <typename Weights>
HWY_INLINE HWY_ATTR void MultiplyL(const RangeTable& table, const RangeTable::Test& test, const float* x, float* y) {
  const Tag16 d;
  const auto* L = reinterpret_cast<const typename Weights::Element*>(table.L(test));
  const uint32_t padded = RangeTable::Padded(test.rows);
  // Whole groups of rows: several sums are in flight whatever the width of the vectors.
  constexpr int kGroup = RangeTable::kGroup, kVectors = kGroup / kLanes16;
  for (uint32_t r = 0; r < padded; r += kGroup) {
    V16 sums[kVectors];
    for (V16& sum : sums) sum = hn::Zero(d);
    for (uint32_t f = 0; f < test.features; ++f) {
      AddTimes<Weights>(hn::Set(d, x[f]), L + size_t{f} * padded + r, sums);
    }
    for (int v = 0; v < kVectors; ++v) hn::Store(sums[v], d, y + r + v * kLanes16);
  }
}

template <typename Weights>
HWY_ATTR float NearestSquare(const RangeTable& table, const RangeTable::Test& test, const float* x) {
  const Tag16 d;
  constexpr int kGroup = RangeTable::kGroup, kVectors = kGroup / kLanes16;
  HWY_ALIGN float y[RangeTable::kMaxRows];
  MultiplyL<Weights>(table, test, x, y);
  const auto* centres = reinterpret_cast<const typename Weights::Element*>(table.centres(test));
  if (test.centre_count == 1) {
    V16 square = hn::Zero(d);
    for (uint32_t r = 0; r < RangeTable::Padded(test.rows); r += kLanes16) {
      const V16 off = hn::Sub(hn::Load(d, y + r), Weights::Load(centres + r));
      square = hn::MulAdd(off, off, square);
    }
    return hn::GetLane(hn::SumOfLanes(d, square));
  }
  V16 nearest = hn::Set(d, 3e38f);
  for (uint32_t c = 0; c < test.centre_count; c += kGroup) {
    V16 squares[kVectors];
    for (auto& square : squares) square = hn::Zero(d);
    for (uint32_t r = 0; r < test.rows; ++r, centres += kGroup) {
      const V16 at = hn::Set(d, y[r]);
      HWY_UNROLL(4)
      for (int v = 0; v < kVectors; ++v) {
        const V16 off = hn::Sub(at, Weights::Load(centres + v * kLanes16));
        squares[v] = hn::MulAdd(off, off, squares[v]);
      }
    }
    for (const auto& square : squares) nearest = hn::Min(nearest, square);
  }
  return hn::GetLane(hn::MinOfLanes(d, nearest));
}

HWY_ATTR float Outside(const RangeTable& table, int index, const float* features) {
  const RangeTable::Test& test = table.test(index);
  const float square = table.precision() == Precision::kF32 ? NearestSquare<Floats>(table, test, features)
                                                            : NearestSquare<Halves>(table, test, features);
  return (std::sqrt(square) - test.inner) / (test.outer - test.inner);
}

#endif

}  // namespace sinew::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::runtime {

HWY_EXPORT(Displace);
HWY_EXPORT(Keep);
HWY_EXPORT(Outside);
HWY_EXPORT(Upsample);

void DisplaceTile(const LevelDisplacements& level, int t, float* points) noexcept {
  HWY_DYNAMIC_DISPATCH(Displace)(level, t, points);
}
void KeepTile(const float* points, int vertices, float* kept) noexcept {
  HWY_DYNAMIC_DISPATCH(Keep)(points, vertices, kept);
}
float OutOfRange(const RangeTable& table, int test, const float* features) noexcept {
  return HWY_DYNAMIC_DISPATCH(Outside)(table, test, features);
}
void UpsamplePackedTile(const UpsamplingTable& table, const StridedSpan<const Float3>& coarse, int t,
                        float* points) noexcept {
  HWY_DYNAMIC_DISPATCH(Upsample)(table, coarse, t, points);
}

}  // namespace sinew::runtime
#endif
