// Displacements of one level before skinning, tile by tile: equation 2 of Zheng and Barbic 2024,
//     u_i = U_{i-1} u_{i-1} + sum over regions k of V_i^k z_i^k.
// The same functions add the modes that level i has of its own, and that level i + 1 does not start from.
#ifndef SINEW_RUNTIME_MULTIRES_LEVEL_H_
#define SINEW_RUNTIME_MULTIRES_LEVEL_H_

#include "sinew/runtime/base/math.h"
#include "sinew/runtime/base/strided_span.h"
#include "sinew/runtime/multires/basis_table.h"
#include "sinew/runtime/multires/upsampling_table.h"

namespace sinew::runtime {

// Inputs of one level's displacements. They are trusted: nothing is checked.
struct LevelDisplacements {
  const UpsamplingTable* upsampling = nullptr;  // null: the level starts from zero, or from `start`
  // Displacements that the tile starts from, as DisplaceTile wrote them; used if `upsampling` is null, and may be the
  // output itself.
  const float* start = nullptr;
  StridedSpan<const Float3> coarse = {};  // u_{i-1}, in the coarser level's internal order
  const BasisTable* basis = nullptr;      // null: nothing is added
  const float* coefficients = nullptr;    // z: basis->coefficient_count() floats
  int vertex_count = 0;
};

// Number of floats that DisplaceTile may write: those of whole blocks.
constexpr int kTileFloats = 3 * kTileVertices;

// Computes the displacements of tile t in internal order. points: output, kTileFloats floats, 64-byte aligned, three
// per vertex; the last block of the last tile is written whole.
void DisplaceTile(const LevelDisplacements& level, int t, float* points) noexcept;
// Scalar reference of DisplaceTile: what it is tested against, and what it calls on a CPU without vectors.
void DisplaceTileReference(const LevelDisplacements& level, int t, float* points) noexcept;
// Copies `vertices` points of three floats each, as DisplaceTile wrote them, to four floats each at `kept`, of which
// the fourth is undefined: upsampling loads whole points from there, none of which straddles two cache lines. points:
// readable one float past the last.
void KeepTile(const float* points, int vertices, float* kept) noexcept;
// Upsamples tile t of a level without adding modes, as UpsamplingJob does. points: output, in internal order, three
// floats per vertex.
void UpsamplePackedTile(const UpsamplingTable& table, const StridedSpan<const Float3>& coarse, int t,
                        float* points) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_MULTIRES_LEVEL_H_
