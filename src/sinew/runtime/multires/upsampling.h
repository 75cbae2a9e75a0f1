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

// In which order the vertices of a level are written.
enum class VertexOrder {
  kFile,     // the user's file's, for which the table has a permutation if its own order is another
  kInternal  // the table's own: what the next level and other tables of the same level read, and the faster one
};

// Each fine vertex is p3 + w1 (p1 - p3) + w2 (p2 - p3) of its coarse triangle. A constant comes out exactly as it went
// in. The error that packed weights make is bounded in upsampling_table.h.
//
// Does not allocate, lock, throw or call the system; under 8 KB of stack. Results are the same bits whatever the
// runner, the strides and the order.
struct UpsamplingJob {
  const UpsamplingTable* table = nullptr;
  // At least table->coarse_count(), in the order of the coarse level that the table was built for. Strides of 12 bytes
  // and of 16 are the fast ones, 16 slightly more so. Nothing outside the elements is read but what lies between them.
  StridedSpan<const Float3> coarse = {};
  // Out: at least table->fine_count(). Must not overlap coarse. Packed and in internal order is the fastest.
  StridedSpan<Float3> fine = {};
  VertexOrder order = VertexOrder::kFile;
  // True: the 4 bytes after each element of `fine`, the last included, may be overwritten with anything; its stride is
  // at least 16. Faster than not, and meant for levels that are upsampled again.
  bool overwrite_padding = false;
  // May be null: everything on the calling thread.
  TaskRunner* runner = nullptr;

  // kInvalidArgument: no table; coarse or fine shorter than the table's vertices; a stride smaller than the elements
  // (with overwrite_padding than 16 bytes), or an address or stride that is not a multiple of 4 bytes.
  Status Validate() const noexcept;
  // Validates, and does nothing where that says no.
  Status Run() const noexcept;
};

// An upsampling operator as it comes: three coarse vertices for each fine one, and their weights.
struct PlainUpsampling {
  std::span<const uint32_t> corners;
  std::span<const float> weights;
};

// The plain loop, with the weights unpacked and in the file's order: what the benchmarks call "plain float". The job's
// table, order and runner are not used; its streams must be valid for the operator's vertices.
void UpsamplingReference(const UpsamplingJob& job, const PlainUpsampling& plain) noexcept;

// Tile t by scalar code: what the kernel is tested against, and what it is on a CPU without vectors.
// points: 4 * table.vertices(t) floats, (x, y, z, 0) each, in internal order.
void UpsampleTileReference(const UpsamplingTable& table, const StridedSpan<const Float3>& coarse, int t,
                           float* points) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_MULTIRES_UPSAMPLING_H_
