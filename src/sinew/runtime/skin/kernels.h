// Vectorised kernels of the skinning and normal jobs: each computes the tiles [begin, end) of a job that Validate() has
// accepted. Skinning returns the bounding box of the tiles' positions.
#ifndef SINEW_RUNTIME_SKIN_KERNELS_H_
#define SINEW_RUNTIME_SKIN_KERNELS_H_

#include "sinew/runtime/skin/normals.h"
#include "sinew/runtime/skin/skin.h"

namespace sinew::runtime {

Bounds LinearBlendTiles(const LinearBlendJob& job, int begin, int end) noexcept;
Bounds DualQuaternionTiles(const DualQuaternionJob& job, int begin, int end) noexcept;
void NormalTiles(const NormalsJob& job, int begin, int end) noexcept;
// Computes the rest of a tile's normals after its groups: fans and copies, and then the tangents of all its vertices.
void FinishNormalTile(const NormalsJob& job, int t) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_SKIN_KERNELS_H_
