// Vectorised kernels of the skinning and normals jobs (skin.h, normals.h): each computes the tiles [begin, end) of a
// job on the calling thread. The job must be one that its Validate() accepts; kernels do not check it.
#ifndef SINEW_RUNTIME_SKIN_KERNELS_H_
#define SINEW_RUNTIME_SKIN_KERNELS_H_

#include "sinew/runtime/skin/normals.h"
#include "sinew/runtime/skin/skin.h"

namespace sinew::runtime {

// Bounds of the squared length of a sum of triangle normals that has a direction; beyond the upper one it has
// overflowed.
constexpr float kLargestSquared = 3e38f;
inline bool HasDirection(float squared) { return squared > kTinySquared && squared < kLargestSquared; }
// Stores a recomputed unit normal, turned to the side that the job asks for.
inline void StoreNormal(const NormalsJob& job, size_t v, const Float3& normal) {
  Float3& to = job.normals[v];
  const float same_side = normal.x * to.x + normal.y * to.y + normal.z * to.z;
  const bool turned = job.facing == Facing::kReversed || (job.facing == Facing::kAsGiven && same_side < 0);
  to = turned ? Float3{-normal.x, -normal.y, -normal.z} : normal;
}

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
