// How the skinning kernels go over a table, once per target of Highway's foreach_target.
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

// The corners of the box around all positions so far.
struct Extremes {
  V4 min, max;
};

// Calls skin_run(first, influences, joints, weights, order, count, consecutive, extremes) for each run of the tiles
// [begin, end), `first` being the tile's first vertex, and returns the box that it has made of the positions.
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
