// Normals recomputed from the triangles of a posed mesh, and tangents that follow them. Skinned normals only turn;
// these see what correctives and folds do to the surface.
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

// A vertex's normal is the sum of its group's triangle normals weighted by area, scaled to unit length. Vertices split
// at a UV seam are of one group and keep one normal; the two sides of a hard edge are of two groups and stay apart.
//
// Does not allocate, lock, throw or call the system; under 16 KB of stack. Results are the same bits whatever the
// runner. Vertices that no triangle uses are left as they are, and so are those whose triangles have no area: hand in
// the skinned normals, or last frame's.
struct NormalsJob {
  const NormalTable* table = nullptr;
  // At least table->vertex_count() each, in the order of the file the table was built from.
  StridedSpan<const Float3> positions = {};
  // In and out. Must not overlap positions, but may be interleaved with them in one buffer.
  StridedSpan<Float3> normals = {};
  // In and out, may be empty: the skinned tangents, made perpendicular to the new normals and of unit length again; w
  // is kept. A tangent along the normal has no direction left and becomes some perpendicular one.
  StridedSpan<Float4> tangents = {};
  // May be null: everything on the calling thread.
  TaskRunner* runner = nullptr;

  // kInvalidArgument: no table; positions or normals shorter than the table's vertices, tangents neither empty nor long
  // enough; a stride smaller than the elements, or an address or stride that is not a multiple of 4 bytes.
  Status Validate() const noexcept;
  // Validates, and does nothing where that says no.
  Status Run() const noexcept;
};

// The scalar reference, from plain triangles: what the job is tested against and what the benchmarks call "scalar".
// triangles: three vertices each. groups: each vertex's group. sums: one per group, overwritten. The job's table and
// runner are not used.
void NormalsReference(const NormalsJob& job, std::span<const uint32_t> triangles, std::span<const uint32_t> groups,
                      std::span<Float3> sums) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_SKIN_NORMALS_H_
