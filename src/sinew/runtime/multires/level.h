// The displacements of one level, tile by tile: equation 2 of Zheng and Barbic 2024,
//     u_i = U_{i-1} u_{i-1} + sum over regions k of V_i^k z_i^k,
// and to what is shown of level i, modes of its own that level i + 1 does not start from.
#ifndef SINEW_RUNTIME_MULTIRES_LEVEL_H_
#define SINEW_RUNTIME_MULTIRES_LEVEL_H_

#include "sinew/runtime/base/math.h"
#include "sinew/runtime/base/strided_span.h"
#include "sinew/runtime/multires/basis_table.h"
#include "sinew/runtime/multires/upsampling_table.h"

namespace sinew::runtime {

struct LevelDisplacements {
  const UpsamplingTable* upsampling = nullptr;  // null: the level starts from zero, or from `start`
  const float* start = nullptr;                 // the tile at hand, as DisplaceTile wrote it; may be written to again
  StridedSpan<const Float3> coarse = {};        // u_{i-1}, in the coarser level's internal order
  const BasisTable* basis = nullptr;            // null: nothing is added
  const float* coefficients = nullptr;          // z: basis->coefficient_count()
  int vertex_count = 0;
};

// How many floats DisplaceTile may write: whole blocks.
constexpr int kTileFloats = 3 * kTileVertices;

// Tile t in internal order: three floats a vertex, from `points` on; 64-byte aligned. The last tile's last block is
// written whole. The arguments are right: nothing is checked.
void DisplaceTile(const LevelDisplacements& level, int t, float* points) noexcept;
// The same by scalar code.
void DisplaceTileReference(const LevelDisplacements& level, int t, float* points) noexcept;
// `vertices` points of three floats each, as DisplaceTile wrote them, to four floats each at `kept`: upsampling loads
// whole points from there, none of which straddles two cache lines. The fourth is anything. points: readable one float
// past the last.
void KeepTile(const float* points, int vertices, float* kept) noexcept;
// Tile t of the upsampled positions of a level alone, as UpsamplingJob has them, packed.
void UpsamplePackedTile(const UpsamplingTable& table, const StridedSpan<const Float3>& coarse, int t,
                        float* points) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_MULTIRES_LEVEL_H_
