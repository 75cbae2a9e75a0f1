// How a skinning job is cut into tasks, and its bounds put together again. Cuts depend on the table alone, so results
// do not depend on the number of threads.
#ifndef SINEW_RUNTIME_SKIN_TILES_H_
#define SINEW_RUNTIME_SKIN_TILES_H_

#include "sinew/runtime/base/math.h"
#include "sinew/runtime/base/task_runner.h"

namespace sinew::runtime {

constexpr float kEmptyBound = 3.4e38f;
constexpr Bounds kEmptyBounds{{kEmptyBound, kEmptyBound, kEmptyBound}, {-kEmptyBound, -kEmptyBound, -kEmptyBound}};

inline float Min(float a, float b) { return b < a ? b : a; }
inline float Max(float a, float b) { return b > a ? b : a; }

inline void Extend(Bounds& box, const Bounds& other) {
  box.min = {Min(box.min.x, other.min.x), Min(box.min.y, other.min.y), Min(box.min.z, other.min.z)};
  box.max = {Max(box.max.x, other.max.x), Max(box.max.y, other.max.y), Max(box.max.z, other.max.z)};
}

// Calls tiles(begin, end) -> Bounds over all of [0, tile_count) and returns the box of the boxes. At most kMaxTasks
// calls of at least kMinTiles tiles each.
template <typename Tiles>
Bounds RunTiles(TaskRunner* runner, int tile_count, const Tiles& tiles) {
  constexpr int kMaxTasks = 64;
  constexpr int kMinTiles = 4;
  struct Context {
    const Tiles& tiles;
    int tile_count, per_task;
    Bounds bounds[kMaxTasks];
  };
  const int per_task = tile_count > kMaxTasks * kMinTiles ? (tile_count + kMaxTasks - 1) / kMaxTasks : kMinTiles;
  const int tasks = (tile_count + per_task - 1) / per_task;
  Context context{tiles, tile_count, per_task, {}};
  const TaskRunner::Task task = [](void* opaque, int i) {
    Context& c = *static_cast<Context*>(opaque);
    const int end = (i + 1) * c.per_task;
    c.bounds[i] = c.tiles(i * c.per_task, end < c.tile_count ? end : c.tile_count);
  };
  if (runner == nullptr) {
    for (int i = 0; i < tasks; ++i) task(&context, i);
  } else {
    runner->Run(task, &context, tasks);
  }
  Bounds box = kEmptyBounds;
  for (int i = 0; i < tasks; ++i) Extend(box, context.bounds[i]);
  return box;
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_SKIN_TILES_H_
