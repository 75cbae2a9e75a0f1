// Vectorised kernels of the skinning and normals jobs (skin.h, normals.h): each computes the tiles [begin, end) of a
// job on the calling thread. The job must be one that its Validate() accepts; kernels do not check it.
#ifndef SINEW_RUNTIME_SKIN_KERNELS_H_
#define SINEW_RUNTIME_SKIN_KERNELS_H_

#include "sinew/runtime/skin/normals.h"
#include "sinew/runtime/skin/skin.h"

namespace sinew::runtime {

// Skin the tiles and return the bounding box of the resulting positions; do not write to job.bounds. LinearBlendTiles()
// computes the box only if job.bounds is not null; otherwise what it returns is meaningless.
Bounds LinearBlendTiles(const LinearBlendJob& job, int begin, int end) noexcept;
Bounds DualQuaternionTiles(const DualQuaternionJob& job, int begin, int end) noexcept;
// Computes all normals and tangents of the tiles.
void NormalTiles(const NormalsJob& job, int begin, int end) noexcept;
// Scalar last part of NormalTiles(), which calls it for each tile t once the normals of its groups (normal_table.h) are
// done: computes the normals of fans, sets those of copies, and then computes the tangents of all the tile's vertices.
void FinishNormalTile(const NormalsJob& job, int t) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_SKIN_KERNELS_H_
