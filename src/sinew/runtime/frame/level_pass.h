// One level of a frame: displacements, skinning and what follows it, over all tiles.
#ifndef SINEW_RUNTIME_FRAME_LEVEL_PASS_H_
#define SINEW_RUNTIME_FRAME_LEVEL_PASS_H_

#include <span>

#include "sinew/runtime/base/task_runner.h"
#include "sinew/runtime/frame/evaluate.h"
#include "sinew/runtime/multires/level.h"
#include "sinew/runtime/skin/skin.h"

namespace sinew::runtime {

struct LevelPass {
  const BundleLevel* level = nullptr;
  const LevelOutput* output = nullptr;
  LevelDisplacements correctives = {};
  const BasisTable* own_basis = nullptr;  // what is added to what is shown, and not kept; null: nothing
  bool displaced = true;                  // false: plain skinning, no correctives
  // Where displacements stay for the next finer level, as KeepTile has them; null: they are not kept.
  float* kept = nullptr;
  float* kept_positions = nullptr;  // positions in internal order, for the next finer level's mix; null: none
  // The coarser level's positions for toward_coarser > 0, in its internal order.
  StridedSpan<const Float3> coarse_positions = {};
  std::span<const Affine> matrices = {};
  NormalMatrix normal_matrix = NormalMatrix::kLinear;
  TaskRunner* runner = nullptr;
  // Tasks of any other kind, run beside this level's.
  struct Others {
    TaskRunner::Task task = nullptr;
    void* context = nullptr;
    int count = 0;
  };
  Others others = {};

  void Run() const noexcept;

 private:
  void Tile(int t, Bounds& box) const noexcept;
  // Skinning of the level at rest, without outputs.
  LinearBlendJob SkinJob() const noexcept;
  // Adds the tile's displacements of this level alone.
  void AddOwn(int t, float* points) const noexcept;
  // Whether anything is made of the displacements but what is kept.
  bool shown() const { return output->wanted() || kept_positions != nullptr; }
  void StoreDisplacements(int t, const float* points) const noexcept;
  void SkinDirectly(int t, const float* points, Bounds& box) const noexcept;
  void SkinThroughTheStack(int t, const float* points, Bounds& box) const noexcept;
  void KeepPositions(int t, const float* points) const noexcept;
  void MixWithCoarser(int t, Float3* positions) const noexcept;
  void CloseSeams() const noexcept;
  void Normals() const noexcept;
  // The tile's vertices in internal order, and which vertex of the file vertex i of the tile is.
  int vertices(int t) const;
  size_t FileVertex(int t, int i) const;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_FRAME_LEVEL_PASS_H_
