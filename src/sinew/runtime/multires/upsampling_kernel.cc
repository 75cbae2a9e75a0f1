// Kernel of UpsamplingJob, tile by tile: straight into packed or padded memory in the table's order, or through the
// stack into any other layout.
#include "sinew/runtime/multires/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/runtime/multires/upsampling_kernel.cc"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "sinew/runtime/multires/upsampling-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::runtime::HWY_NAMESPACE {

// Address of vertex i of tile t in the output. order: as in UpsamplingTable::order(), or null.
HWY_INLINE float* FineVertex(const UpsamplingJob& job, const uint32_t* order, int t, int i) {
  return job.fine.floats(order != nullptr ? order[i] : static_cast<size_t>(t) * UpsamplingTable::kTileVertices + i);
}

HWY_INLINE HWY_ATTR void StorePoint(const float* point, float* to) {
#if HWY_TARGET == HWY_SCALAR
  for (int k = 0; k < 3; ++k) to[k] = point[k];
#else
  Store3(Load4(point), to);
#endif
}

HWY_INLINE HWY_ATTR void StorePaddedPoint(const float* point, float* to) {
#if HWY_TARGET == HWY_SCALAR
  StorePoint(point, to);
#else
  hn::StoreU(Load4(point), Tag4(), to);
#endif
}

HWY_ATTR void ThroughTheStack(const UpsamplingJob& job, const uint32_t* order, int t) {
  HWY_ALIGN float points[4 * UpsamplingTable::kTileVertices];
  UpsampleTile(*job.table, job.coarse, t, points);
  const int vertices = job.table->vertices(t);
  if (job.overwrite_padding) {
    for (int i = 0; i < vertices; ++i) StorePaddedPoint(points + 4 * i, FineVertex(job, order, t, i));
  } else {
    for (int i = 0; i < vertices; ++i) StorePoint(points + 4 * i, FineVertex(job, order, t, i));
  }
}

HWY_ATTR void UpsampleTileOf(const UpsamplingJob& job, int t) {
  const UpsamplingTable& table = *job.table;
  const uint32_t* order = job.order == VertexOrder::kFile ? table.order(t) : nullptr;
#if HWY_TARGET != HWY_SCALAR
  if (order == nullptr && job.fine.packed()) {
    UpsampleTileTo(table, job.coarse, t, ToPacked{FineVertex(job, nullptr, t, 0), table.vertices(t)});
    return;
  }
  // Full tiles only: the last tile may end within a group, and ToPadded writes whole groups.
  if (order == nullptr && job.overwrite_padding && job.fine.stride() == sizeof(Float4) &&
      table.vertices(t) == UpsamplingTable::kTileVertices) {
    UpsampleTileTo(table, job.coarse, t, ToPadded{FineVertex(job, nullptr, t, 0)});
    return;
  }
#endif
  ThroughTheStack(job, order, t);
}

void TilesOf(const UpsamplingJob& job, int begin, int end) {
  for (int t = begin; t < end; ++t) UpsampleTileOf(job, t);
}

}  // namespace sinew::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::runtime {

HWY_EXPORT(TilesOf);

void UpsamplingTiles(const UpsamplingJob& job, int begin, int end) noexcept {
  HWY_DYNAMIC_DISPATCH(TilesOf)(job, begin, end);
}

}  // namespace sinew::runtime
#endif
