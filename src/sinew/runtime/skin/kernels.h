// The vector kernels behind the jobs: tiles [begin, end) of a validated job; skinning gives their box back.
#ifndef SINEW_RUNTIME_SKIN_KERNELS_H_
#define SINEW_RUNTIME_SKIN_KERNELS_H_

#include "sinew/runtime/skin/normals.h"
#include "sinew/runtime/skin/skin.h"

namespace sinew::runtime {

Bounds LinearBlendTiles(const LinearBlendJob& job, int begin, int end) noexcept;
Bounds DualQuaternionTiles(const DualQuaternionJob& job, int begin, int end) noexcept;
void NormalTiles(const NormalsJob& job, int begin, int end) noexcept;
// What a tile has besides its groups: fans, copies, and the tangents of all.
void FinishNormalTile(const NormalsJob& job, int t) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_SKIN_KERNELS_H_
