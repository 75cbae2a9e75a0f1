// Upsampling of displacements or positions from one level to the next finer one: U_{i-1} F_{i-1} in equation 2 of
// Zheng and Barbic 2024 (the paper writes U_i there, which by its own definition leads from level i to level i + 1).
#ifndef SINEW_RUNTIME_MULTIRES_UPSAMPLING_H_
#define SINEW_RUNTIME_MULTIRES_UPSAMPLING_H_

#include <cstdint>
#include <span>

#include "sinew/runtime/base/math.h"
#include "sinew/runtime/base/status.h"
#include "sinew/runtime/base/strided_span.h"
#include "sinew/runtime/base/task_runner.h"
#include "sinew/runtime/multires/upsampling_table.h"

namespace sinew::runtime {

// Order in which the vertices of a level are written.
enum class VertexOrder {
  kFile,     // the order of the user's file, for which the table has a permutation if its own order differs
  kInternal  // the table's own order, which the next level and other tables of the same level read; the faster choice
};

// Upsamples one level to the next: each fine vertex is p3 + w1 (p1 - p3) + w2 (p2 - p3) of its coarse triangle. A
// constant field is reproduced exactly. upsampling_table.h bounds the error of the packed weights.
//
// Does not allocate, lock, throw or call the system; under 8 KB of stack. Results are the same bits whatever the
// runner, the strides and the order.
struct UpsamplingJob {
  const UpsamplingTable* table = nullptr;
  // Input: at least table->coarse_count() points, in the order of the coarse level that the table was built for.
  // Strides of 12 and 16 bytes are fast, 16 slightly more so. Bytes between the elements may be read, nothing else
  // outside them.
  StridedSpan<const Float3> coarse = {};
  // Output: at least table->fine_count() points. Must not overlap coarse. Packed and in internal order is the fastest.
  StridedSpan<Float3> fine = {};
  VertexOrder order = VertexOrder::kFile;
  // True: the 4 bytes after each element of `fine`, the last included, may be overwritten with undefined values; its
  // stride must be at least 16. Faster, and meant for levels that are upsampled again.
  bool overwrite_padding = false;
  // May be null: everything on the calling thread.
  TaskRunner* runner = nullptr;

  // kInvalidArgument: no table; coarse or fine shorter than the table's vertices; a stride smaller than the elements,
  // or, with overwrite_padding, than 16 bytes; an address or stride that is not a multiple of 4 bytes.
  Status Validate() const noexcept;
  // Calls Validate() and returns its status without doing anything if it fails.
  Status Run() const noexcept;
};

// An upsampling operator before packing: three coarse vertices per fine vertex, and their weights, in the file's order.
struct PlainUpsampling {
  std::span<const uint32_t> corners;
  std::span<const float> weights;
};

// Plain loop over unpacked weights in the file's order: what the benchmarks call "plain float". The job's table, order
// and runner are not used; its streams must be valid for the operator's vertices.
void UpsamplingReference(const UpsamplingJob& job, const PlainUpsampling& plain) noexcept;

// Scalar reference of one tile: what the kernel is tested against, and what it calls on a CPU without vectors.
// points: output, 4 * table.vertices(t) floats, (x, y, z, 0) each, in internal order.
void UpsampleTileReference(const UpsamplingTable& table, const StridedSpan<const Float3>& coarse, int t,
                           float* points) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_MULTIRES_UPSAMPLING_H_
