#include "sinew/runtime/frame/level_pass.h"

#include <cstring>

#include "sinew/runtime/base/tiles.h"
#include "sinew/runtime/skin/kernels.h"
#include "sinew/runtime/skin/normals.h"

#if defined(__GNUC__)
#define SINEW_NOINLINE __attribute__((noinline))
#else
#define SINEW_NOINLINE
#endif

namespace sinew::runtime {
namespace {

// Returns a span of the level whose element `first` is the first element of `tile`: skinning counts vertices from the
// start of the level, while a tile's own memory begins in the middle of it. Computed as an integer, since a pointer may
// not leave its memory.
template <typename T, typename U>
StridedSpan<T> FromTile(U* tile, size_t first, size_t level_vertices) {
  const uintptr_t start = reinterpret_cast<uintptr_t>(tile) - first * sizeof(T);
  return {reinterpret_cast<T*>(start), level_vertices};  // NOLINT(performance-no-int-to-ptr)
}

Bounds BoxOf(const StridedSpan<Float3>& points) {
  Bounds box = kEmptyBounds;
  for (size_t i = 0; i < points.size(); ++i) Extend(box, {points[i], points[i]});
  return box;
}

// Runs a batch of tasks together with the others. The tasks come first: they take longer, so that the others fill the
// gaps at the end.
class WithOthers final : public TaskRunner {
 public:
  WithOthers(TaskRunner* runner, const LevelPass::Others& others) : runner_(runner), others_(others) {}

  void Run(Task task, void* context, int count) override {
    Both both{task, context, count, &others_};
    const Task either = [](void* opaque, int index) {
      const Both& b = *static_cast<const Both*>(opaque);
      if (index < b.count) {
        b.task(b.context, index);
      } else {
        b.others->task(b.others->context, index - b.count);
      }
    };
    if (runner_ != nullptr) {
      runner_->Run(either, &both, count + others_.count);
      return;
    }
    for (int i = 0; i < count + others_.count; ++i) either(&both, i);
  }
  int concurrency() const override { return runner_ != nullptr ? runner_->concurrency() : 1; }

 private:
  struct Both {
    Task task;
    void* context;
    int count;
    const LevelPass::Others* others;
  };
  TaskRunner* runner_;
  const LevelPass::Others& others_;
};

}  // namespace

int LevelPass::vertices(int t) const {
  const int remaining = level->vertex_count - t * kTileVertices;
  return remaining < kTileVertices ? remaining : kTileVertices;
}

size_t LevelPass::FileVertex(int t, int i) const {
  const size_t internal = static_cast<size_t>(t) * kTileVertices + i;
  return level->order.empty() ? internal : level->order[internal];
}

bool LevelPass::Run() const noexcept {
  Bounds boxes[kMaxTasks];
  for (Bounds& box : boxes) box = kEmptyBounds;
  const int tiles_of_level = (level->vertex_count + kTileVertices - 1) / kTileVertices;
  const auto some_tiles = [&](int task, int begin, int end) {
    for (int t = begin; t < end && !cutoff->Reached(); ++t) Tile(t, boxes[task]);
  };
  WithOthers with_others{runner, others};
  RunTiles(others.count > 0 ? &with_others : runner, tiles_of_level, some_tiles);
  if (cutoff->was_reached() || (!contacts.empty() && !PressAll(tiles_of_level))) return false;
  if (output->bounds != nullptr) {
    *output->bounds = kEmptyBounds;
    for (const Bounds& box : boxes) Extend(*output->bounds, box);
    for (int t = 0; !contacts.empty() && t < tiles_of_level; ++t) Extend(*output->bounds, tiles[t].box);
  }
  CloseSeams();
  Normals();
  return !cutoff->was_reached();
}

bool LevelPass::PressAll(int tile_count) const noexcept {
  // In the order of the tiles, so that sums do not depend on the number of threads.
  Touch touches[kMaxColliders];
  for (int t = 0; t < tile_count; ++t) {
    for (size_t c = 0; tiles[t].near && c < contacts.size(); ++c) AddTouch(tiles[t].touches[c], touches[c]);
  }
  bool touched = false;
  for (size_t c = 0; c < contacts.size(); ++c) {
    if (SetTouch(touches[c], contacts[c])) beyond->store(true, std::memory_order_relaxed);
    touched |= contacts[c].gate > 0;
  }
  if (!touched) return true;
  LevelPass second = *this;
  second.pressing = true;
  RunTiles(runner, tile_count, [&](int, int begin, int end) {
    for (int t = begin; t < end && !cutoff->Reached(); ++t) {
      Bounds unused = kEmptyBounds;
      if (tiles[t].near) second.Tile(t, unused);
    }
  });
  return !cutoff->was_reached();
}

void LevelPass::Tile(int t, Bounds& box) const noexcept {
  if (!contacts.empty() && !pressing) tiles[t] = TileContact();
  alignas(64) float points[kTileFloats + 1];
  if (displaced) {
    DisplaceTile(correctives, t, points);
    if (kept != nullptr) KeepTile(points, vertices(t), kept + static_cast<size_t>(t) * 4 * kTileVertices);
    if (own_basis != nullptr && shown()) AddOwn(t, points);
    if (!output->displacements.empty()) StoreDisplacements(t, points);
  } else if (!output->displacements.empty()) {
    std::memset(points, 0, sizeof(points));
    StoreDisplacements(t, points);
  }
  if (kept_positions != nullptr) KeepPositions(t, points);
  if (output->positions.empty()) return;
  if (level->order.empty() && output->toward_coarser == 0) {
    SkinDirectly(t, points, box);
  } else {
    SkinThroughTheStack(t, points, box);
  }
}

void LevelPass::AddOwn(int t, float* points) const noexcept {
  LevelDisplacements alone;
  alone.start = points;
  alone.basis = own_basis;
  alone.coefficients = correctives.coefficients;
  alone.vertex_count = correctives.vertex_count;
  DisplaceTile(alone, t, points);
}

void LevelPass::StoreDisplacements(int t, const float* points) const noexcept {
  for (int i = 0; i < vertices(t); ++i) {
    output->displacements[FileVertex(t, i)] = {points[3 * i], points[3 * i + 1], points[3 * i + 2]};
  }
}

LinearBlendJob LevelPass::SkinJob() const noexcept {
  LinearBlendJob job;
  job.table = &level->skin;
  job.matrices = matrices;
  job.normal_matrix = normal_matrix;
  job.streams.rest_positions = level->rest_positions;
  job.streams.rest_normals = level->rest_normals;
  job.streams.rest_tangents = level->rest_tangents;
  return job;
}

void LevelPass::SkinDirectly(int t, const float* points, Bounds& box) const noexcept {
  LinearBlendJob job = SkinJob();
  SkinStreams& s = job.streams;
  if (displaced) {
    s.pre_displacements = FromTile<const Float3>(points, static_cast<size_t>(t) * kTileVertices, level->vertex_count);
  }
  s.post_displacements = output->post_displacements;
  s.positions = output->positions;
  s.normals = output->normals;
  s.tangents = output->tangents;
  Bounds tile_box;
  if (output->bounds != nullptr || !contacts.empty()) job.bounds = &tile_box;
  Bounds skinned = LinearBlendTiles(job, t, t + 1);
  if (!contacts.empty()) {
    const size_t first = static_cast<size_t>(t) * kTileVertices;
    const ContactStreams streams = TileStreams(t, s.positions, s.normals, s.tangents, first);
    if (Press(t, skinned, streams)) skinned = BoxOf(streams.positions);
    tiles[t].box = skinned;
  } else if (output->bounds != nullptr) {
    Extend(box, skinned);
  }
}

bool LevelPass::Press(int t, const Bounds& skinned, const ContactStreams& streams) const noexcept {
  if (pressing) {
    if (ContactTile(contacts, level->skin, t, streams)) beyond->store(true, std::memory_order_relaxed);
    return true;
  }
  tiles[t].near = MeetsWindow(contacts, skinned);
  if (tiles[t].near) FeelTile(contacts, level->skin, t, streams.positions, tiles[t].touches);
  return false;
}

ContactStreams LevelPass::TileStreams(int t, const StridedSpan<Float3>& positions, const StridedSpan<Float3>& normals,
                                      const StridedSpan<Float4>& tangents, size_t first) const noexcept {
  const auto count = static_cast<size_t>(vertices(t));
  ContactStreams streams{.positions = {&positions[first], count, positions.stride()}};
  // Recomputed normals see the moved vertices by themselves.
  if (normals.empty() || (dynamic_normals && !level->normals.empty())) return streams;
  streams.normals = {&normals[first], count, normals.stride()};
  if (!tangents.empty()) streams.tangents = {&tangents[first], count, tangents.stride()};
  return streams;
}

// Serves levels whose internal order is not the file's, and levels that are blended with the coarser one's surface.
SINEW_NOINLINE void LevelPass::SkinThroughTheStack(int t, const float* points, Bounds& box) const noexcept {
  Float3 positions[kTileVertices], normals[kTileVertices];
  Float4 tangents[kTileVertices];
  const size_t first = static_cast<size_t>(t) * kTileVertices, all = level->vertex_count;
  LinearBlendJob job = SkinJob();
  SkinStreams& s = job.streams;
  if (displaced) s.pre_displacements = FromTile<const Float3>(points, first, all);
  s.positions = FromTile<Float3>(positions, first, all);
  if (!output->normals.empty()) s.normals = FromTile<Float3>(normals, first, all);
  if (!output->tangents.empty()) s.tangents = FromTile<Float4>(tangents, first, all);
  LinearBlendTiles(job, t, t + 1);
  if (!output->post_displacements.empty()) {
    for (int i = 0; i < vertices(t); ++i) {
      const Float3& post = output->post_displacements[FileVertex(t, i)];
      positions[i] = {positions[i].x + post.x, positions[i].y + post.y, positions[i].z + post.z};
    }
  }
  if (!contacts.empty()) {
    const size_t count = vertices(t);
    const StridedSpan<Float3> all_normals =
        output->normals.empty() ? StridedSpan<Float3>() : StridedSpan<Float3>(normals, count);
    const StridedSpan<Float4> all_tangents =
        output->tangents.empty() ? StridedSpan<Float4>() : StridedSpan<Float4>(tangents, count);
    Press(t, BoxOf({positions, count}), TileStreams(t, {positions, count}, all_normals, all_tangents, 0));
  }
  if (output->toward_coarser != 0) MixWithCoarser(t, positions);
  for (int i = 0; i < vertices(t); ++i) {
    const size_t v = FileVertex(t, i);
    output->positions[v] = positions[i];
    if (!output->normals.empty()) output->normals[v] = normals[i];
    if (!output->tangents.empty()) output->tangents[v] = tangents[i];
  }
  const Bounds own = BoxOf({positions, static_cast<size_t>(vertices(t))});
  contacts.empty() ? Extend(box, own) : void(tiles[t].box = own);
}

SINEW_NOINLINE void LevelPass::MixWithCoarser(int t, Float3* positions) const noexcept {
  alignas(64) float coarser[kTileFloats];
  UpsamplePackedTile(level->upsampling, coarse_positions, t, coarser);
  const float own = 1 - output->toward_coarser, other = 1 - own;
  for (int i = 0; i < vertices(t); ++i) {
    Float3& p = positions[i];
    const float* c = coarser + 3 * i;
    p = {own * p.x + other * c[0], own * p.y + other * c[1], own * p.z + other * c[2]};
  }
}

void LevelPass::KeepPositions(int t, const float* points) const noexcept {
  LinearBlendJob job = SkinJob();
  const size_t first = static_cast<size_t>(t) * kTileVertices, all = level->vertex_count;
  if (displaced) job.streams.pre_displacements = FromTile<const Float3>(points, first, all);
  job.streams.positions = {reinterpret_cast<Float3*>(kept_positions), all};
  Bounds tile_box;
  if (!contacts.empty()) job.bounds = &tile_box;
  const Bounds skinned = LinearBlendTiles(job, t, t + 1);
  // What the level shows, if it does, decides about the touch.
  const bool feels = output->positions.empty();
  if (!contacts.empty() && (pressing || feels)) {
    Press(t, skinned, TileStreams(t, job.streams.positions, {}, {}, first));
  }
}

void LevelPass::CloseSeams() const noexcept {
  for (const format::SeamCopy& seam : level->seams) {
    if (!output->positions.empty()) output->positions[seam.to] = output->positions[seam.from];
    if (!output->displacements.empty()) output->displacements[seam.to] = output->displacements[seam.from];
  }
}

void LevelPass::Normals() const noexcept {
  if (output->normals.empty() || !dynamic_normals || level->normals.empty()) return;
  NormalsJob job;
  job.table = &level->normals;
  job.positions = output->positions;
  job.normals = output->normals;
  job.tangents = output->tangents;
  job.facing = facing;
  RunTiles(runner, level->normals.tile_count(), [&](int, int begin, int end) {
    for (int t = begin; t < end && !cutoff->Reached(); ++t) NormalTiles(job, t, t + 1);
  });
}

}  // namespace sinew::runtime
