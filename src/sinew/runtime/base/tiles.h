// Division of a job into tasks, and union of the tasks' bounding boxes. The division depends on the table alone, so
// results do not depend on the number of threads.
#ifndef SINEW_RUNTIME_BASE_TILES_H_
#define SINEW_RUNTIME_BASE_TILES_H_

#include "sinew/runtime/base/math.h"
#include "sinew/runtime/base/task_runner.h"

namespace sinew::runtime {

// Vertices per tile: a pass over a level works on one tile at a time, whose inputs and outputs fit the first-level
// cache.
constexpr int kTileVertices = 256;
constexpr int kMaxTasks = 128;

// Calls body(task, begin, end) for consecutive ranges of [0, tile_count), at most kMaxTasks of them; task numbers the
// ranges from 0. runner may be null: everything on the calling thread. A range may be a single tile, since a tile takes
// microseconds and coarse levels have few tiles for threads to share.
template <typename Body>
void RunTiles(TaskRunner* runner, int tile_count, const Body& body) {
  struct Context {
    const Body& body;
    int tile_count, per_task;
  };
  const int per_task = tile_count > kMaxTasks ? (tile_count + kMaxTasks - 1) / kMaxTasks : 1;
  const int tasks = (tile_count + per_task - 1) / per_task;
  Context context{body, tile_count, per_task};
  const TaskRunner::Task task = [](void* opaque, int i) {
    const Context& c = *static_cast<const Context*>(opaque);
    const int end = (i + 1) * c.per_task;
    c.body(i, i * c.per_task, end < c.tile_count ? end : c.tile_count);
  };
  if (runner != nullptr) {
    runner->Run(task, &context, tasks);
    return;
  }
  for (int i = 0; i < tasks; ++i) task(&context, i);
}

constexpr float kEmptyBound = 3.4e38f;
constexpr Bounds kEmptyBounds{{kEmptyBound, kEmptyBound, kEmptyBound}, {-kEmptyBound, -kEmptyBound, -kEmptyBound}};

inline float Min(float a, float b) { return b < a ? b : a; }
inline float Max(float a, float b) { return b > a ? b : a; }

inline void Extend(Bounds& box, const Bounds& other) {
  box.min = {Min(box.min.x, other.min.x), Min(box.min.y, other.min.y), Min(box.min.z, other.min.z)};
  box.max = {Max(box.max.x, other.max.x), Max(box.max.y, other.max.y), Max(box.max.z, other.max.z)};
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_BASE_TILES_H_
