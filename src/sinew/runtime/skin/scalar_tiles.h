// Skinning of a table's tiles by scalar code: what the kernels call on a CPU without vectors.
#ifndef SINEW_RUNTIME_SKIN_SCALAR_TILES_H_
#define SINEW_RUNTIME_SKIN_SCALAR_TILES_H_

#include "sinew/runtime/base/tiles.h"
#include "sinew/runtime/skin/skin.h"

namespace sinew::runtime {

// Calls vertex(v, joints, weights, influences), which skins one vertex, for all vertices of the tiles [begin, end), and
// returns their bounding box. weights is null for one influence.
template <typename Vertex>
Bounds ScalarTiles(const SkinTable& table, const SkinStreams& streams, int begin, int end, const Vertex& vertex) {
  Bounds box = kEmptyBounds;
  for (int t = begin; t < end; ++t) {
    ForEachRun(table, t,
               [&](int k, const uint16_t* joints, const float* weights, const uint16_t* order, int count, bool) {
                 for (int i = 0; i < count; ++i) {
                   const int v = t * kTileVertices + order[i];
                   vertex(v, joints + i * k, weights == nullptr ? nullptr : weights + i * k, k);
                   Extend(box, {streams.positions[v], streams.positions[v]});
                 }
               });
  }
  return box;
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_SKIN_SCALAR_TILES_H_
