// Loop of the skinning kernels over a table's tiles and runs; compiled once per target of Highway's foreach_target.
#if defined(SINEW_RUNTIME_SKIN_SKIN_TILES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_RUNTIME_SKIN_SKIN_TILES_INL_H_
#undef SINEW_RUNTIME_SKIN_SKIN_TILES_INL_H_
#else
#define SINEW_RUNTIME_SKIN_SKIN_TILES_INL_H_
#endif

#include "hwy/highway.h"
#include "sinew/runtime/base/simd-inl.h"
#include "sinew/runtime/base/tiles.h"
#include "sinew/runtime/skin/skin_table.h"

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace sinew::runtime::HWY_NAMESPACE {

// Corners of the bounding box of all positions so far.
struct Extremes {
  V4 min, max;
};

// Calls skin_run(first, influences, joints, weights, order, count, consecutive, extremes) for each run of the tiles
// [begin, end), `first` being the tile's first vertex, and returns the bounding box that the calls left in `extremes`.
template <typename SkinRun>
HWY_INLINE HWY_ATTR Bounds SkinTiles(const SkinTable& table, int begin, int end, const SkinRun& skin_run) {
  Extremes extremes{hn::Set(Tag4(), kEmptyBound), hn::Set(Tag4(), -kEmptyBound)};
  for (int t = begin; t < end; ++t) {
    ForEachRun(table, t,
               [&](int influences, const uint16_t* joints, const float* weights, const uint16_t* order, int count,
                   bool consecutive) HWY_ATTR {
                 skin_run(t * kTileVertices, influences, joints, weights, order, count, consecutive, extremes);
               });
  }
  HWY_ALIGN float min[4], max[4];
  hn::Store(extremes.min, Tag4(), min);
  hn::Store(extremes.max, Tag4(), max);
  return {{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
}

}  // namespace sinew::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // SINEW_RUNTIME_SKIN_SKIN_TILES_INL_H_
