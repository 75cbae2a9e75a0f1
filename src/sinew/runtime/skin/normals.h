// Normals recomputed from the triangles of a posed mesh, and tangents that follow them. Skinned normals only rotate
// with the joints; recomputed ones also show what correctives and folds do to the surface.
#ifndef SINEW_RUNTIME_SKIN_NORMALS_H_
#define SINEW_RUNTIME_SKIN_NORMALS_H_

#include <cstdint>
#include <span>

#include "sinew/runtime/base/math.h"
#include "sinew/runtime/base/status.h"
#include "sinew/runtime/base/strided_span.h"
#include "sinew/runtime/base/task_runner.h"
#include "sinew/runtime/skin/normal_table.h"

namespace sinew::runtime {

// Side of the surface that recomputed normals point to.
enum class Facing {
  kWinding,   // that from which triangles are counter-clockwise
  kReversed,  // the other one: the outside of a surface that was mirrored
  kAsGiven    // that of the normals passed in: for surfaces of which parts are mirrored
};

// Recomputes normals and tangents. A vertex's normal is the area-weighted sum of the triangle normals of its group
// (normal_table.h), scaled to unit length. Vertices split at a UV seam belong to one group and keep one normal; the two
// sides of a hard edge belong to two groups and stay apart.
//
// Does not allocate, lock, throw or call the system; under 16 KB of stack. Results are the same bits whatever the
// runner. Vertices that no triangle uses keep the normal that they had, and so do those whose triangles have no area,
// or are so large that it overflows: pass in the skinned normals, or those of the last frame.
struct NormalsJob {
  const NormalTable* table = nullptr;
  // Input, in model space: at least table->vertex_count() elements, as all streams, in the order of the file that the
  // table was built from.
  StridedSpan<const Float3> positions = {};
  // Input and output. Must not overlap positions, but may be interleaved with them in one buffer.
  StridedSpan<Float3> normals = {};
  // Input and output, may be empty: the skinned tangents, which are made perpendicular to the new normals and unit
  // length again; w is kept. A tangent along the normal has no direction left and becomes an arbitrary perpendicular
  // one.
  StridedSpan<Float4> tangents = {};
  Facing facing = Facing::kWinding;
  // May be null: everything on the calling thread.
  TaskRunner* runner = nullptr;

  // kInvalidArgument: no table; positions or normals shorter than the table's vertices, tangents neither empty nor long
  // enough; a stride smaller than the elements, or an address or stride that is not a multiple of 4 bytes.
  Status Validate() const noexcept;
  // Calls Validate() and returns its status without doing anything if it fails.
  Status Run() const noexcept;
};

// Scalar reference from plain triangles: what the job is tested against and what the benchmarks call "scalar".
// triangles: three vertices each. groups: the group of each vertex. sums: working memory, one per group, overwritten.
// The job's table and runner are not used.
void NormalsReference(const NormalsJob& job, std::span<const uint32_t> triangles, std::span<const uint32_t> groups,
                      std::span<Float3> sums) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_SKIN_NORMALS_H_
