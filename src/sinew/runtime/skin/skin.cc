#include "sinew/runtime/skin/skin.h"

#include "sinew/runtime/base/tiles.h"
#include "sinew/runtime/skin/kernels.h"

namespace sinew::runtime {
namespace {

template <typename T>
bool Covers(const StridedSpan<T>& span, size_t vertices) {
  return span.size() >= vertices && span.well_formed();
}
template <typename T>
bool EmptyOrCovers(const StridedSpan<T>& span, size_t vertices) {
  return span.empty() || Covers(span, vertices);
}

Status ValidateStreams(const SkinStreams& s, size_t vertices) {
  const bool valid = Covers(s.rest_positions, vertices) && Covers(s.positions, vertices) &&
                     EmptyOrCovers(s.pre_displacements, vertices) && EmptyOrCovers(s.post_displacements, vertices) &&
                     (s.normals.empty() || (Covers(s.normals, vertices) && Covers(s.rest_normals, vertices))) &&
                     (s.tangents.empty() || (Covers(s.tangents, vertices) && Covers(s.rest_tangents, vertices)));
  return valid ? Status::kOk : Status::kInvalidArgument;
}

// Runs tiles(job, begin, end) -> Bounds over all tiles of a valid job, and joins the bounding boxes.
template <typename Job>
void RunSkinning(const Job& job, Bounds (*tiles)(const Job&, int, int) noexcept) {
  Bounds boxes[kMaxTasks];
  for (Bounds& box : boxes) box = kEmptyBounds;
  RunTiles(job.runner, job.table->tile_count(),
           [&](int task, int begin, int end) { boxes[task] = tiles(job, begin, end); });
  if (job.bounds == nullptr) return;
  *job.bounds = kEmptyBounds;
  for (const Bounds& box : boxes) Extend(*job.bounds, box);
}

}  // namespace

Status LinearBlendJob::Validate() const noexcept {
  if (table == nullptr || table->empty() || matrices.size() < static_cast<size_t>(table->joint_count())) {
    return Status::kInvalidArgument;
  }
  return ValidateStreams(streams, table->vertex_count());
}

Status LinearBlendJob::Run() const noexcept {
  if (const Status status = Validate(); status != Status::kOk) return status;
  RunSkinning(*this, &LinearBlendTiles);
  return Status::kOk;
}

Status DualQuaternionJob::Validate() const noexcept {
  if (table == nullptr || table->empty() || joints.size() < static_cast<size_t>(table->joint_count())) {
    return Status::kInvalidArgument;
  }
  return ValidateStreams(streams, table->vertex_count());
}

Status DualQuaternionJob::Run() const noexcept {
  if (const Status status = Validate(); status != Status::kOk) return status;
  RunSkinning(*this, &DualQuaternionTiles);
  return Status::kOk;
}

}  // namespace sinew::runtime
