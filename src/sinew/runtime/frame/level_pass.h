// One level of a frame, over all its tiles: displacements, skinning, the closing of seams, and recomputed normals.
#ifndef SINEW_RUNTIME_FRAME_LEVEL_PASS_H_
#define SINEW_RUNTIME_FRAME_LEVEL_PASS_H_

#include <atomic>
#include <span>

#include "sinew/runtime/base/task_runner.h"
#include "sinew/runtime/contact/contact_tile.h"
#include "sinew/runtime/frame/cutoff.h"
#include "sinew/runtime/frame/evaluate.h"
#include "sinew/runtime/frame/scratch.h"
#include "sinew/runtime/multires/level.h"
#include "sinew/runtime/skin/normals.h"
#include "sinew/runtime/skin/skin.h"

namespace sinew::runtime {

struct LevelPass {
  const BundleLevel* level = nullptr;
  const LevelOutput* output = nullptr;
  LevelDisplacements correctives = {};
  const BasisTable* own_basis = nullptr;  // modes added to this level's outputs but not to `kept`; null: none
  bool displaced = true;                  // false: plain skinning without correctives
  bool dynamic_normals = false;           // recompute normals from the deformed triangles
  // Output: displacements for the next finer level, 4 floats per vertex in internal order as KeepTile writes them;
  // null: they are not kept.
  float* kept = nullptr;
  // Output: packed positions in internal order, for the next finer level's toward_coarser; null: they are not kept.
  float* kept_positions = nullptr;
  // Positions of the coarser level in its internal order; used if toward_coarser > 0.
  StridedSpan<const Float3> coarse_positions = {};
  std::span<const Affine> matrices = {};
  NormalMatrix normal_matrix = NormalMatrix::kLinear;
  Facing facing = Facing::kWinding;     // of recomputed normals
  std::span<PosedField> contacts = {};  // their touch is set by this level's vertices
  TileContact* tiles = nullptr;         // memory, one per tile; null only without contacts
  bool pressing = false;                // second round: the contacts have their touch, and move vertices
  // Output, null only without contacts: set to true if a vertex in contact is outside of what was trained.
  std::atomic<bool>* beyond = nullptr;
  TaskRunner* runner = nullptr;
  // Further tasks, of any kind, that run in the same batch as this level's.
  struct Others {
    TaskRunner::Task task = nullptr;
    void* context = nullptr;
    int count = 0;
  };
  Others others = {};
  Cutoff* cutoff = nullptr;

  // Returns whether the level is complete: false if `cutoff` came first.
  bool Run() const noexcept;

 private:
  // Evaluates tile t and extends `box` by its positions.
  void Tile(int t, Bounds& box) const noexcept;
  // Returns a skinning job with the level's rest streams, without displacements or outputs.
  LinearBlendJob SkinJob() const noexcept;
  // Adds own_basis to the tile's displacements.
  void AddOwn(int t, float* points) const noexcept;
  // Whether the tile's displacements are used for anything besides `kept`.
  bool shown() const { return output->wanted() || kept_positions != nullptr; }
  void StoreDisplacements(int t, const float* points) const noexcept;
  // Skins tile t straight into the output streams: for levels in the file's order that are not blended.
  void SkinDirectly(int t, const float* points, Bounds& box) const noexcept;
  // Skins tile t into memory on the stack, blends it, and then stores it in the file's order.
  void SkinThroughTheStack(int t, const float* points, Bounds& box) const noexcept;
  void KeepPositions(int t, const float* points) const noexcept;
  void MixWithCoarser(int t, Float3* positions) const noexcept;
  // Adds up the touch of the contacts over all tiles, and evaluates the tiles near them once more to press them in.
  // Returns false if `cutoff` came first.
  bool PressAll(int tile_count) const noexcept;
  // In the first round, adds the vertices of tile t, which are in the box `skinned`, to its touches. In the second,
  // presses the contacts into them. Returns whether a vertex may have moved.
  bool Press(int t, const Bounds& skinned, const ContactStreams& streams) const noexcept;
  // Returns the streams of tile t that begin at these elements; normals only where contact is to turn them.
  ContactStreams TileStreams(int t, const StridedSpan<Float3>& positions, const StridedSpan<Float3>& normals,
                             const StridedSpan<Float4>& tangents, size_t first) const noexcept;
  void CloseSeams() const noexcept;
  void Normals() const noexcept;
  // Number of vertices of tile t, and the file's index of its vertex i.
  int vertices(int t) const;
  size_t FileVertex(int t, int i) const;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_FRAME_LEVEL_PASS_H_
