// Layout of an evaluation's scratch memory: the arrays that it keeps between its steps.
#ifndef SINEW_RUNTIME_FRAME_SCRATCH_H_
#define SINEW_RUNTIME_FRAME_SCRATCH_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/runtime/asset/bundle.h"
#include "sinew/runtime/base/tiles.h"
#include "sinew/runtime/contact/touch.h"

namespace sinew::runtime {

// Contact of one tile of a level.
struct TileContact {
  Bounds box = kEmptyBounds;          // around its positions
  bool near = false;                  // whether some collider's window may reach into it
  Touch touches[kMaxColliders] = {};  // what its vertices add to the touch of each collider
};

// Places the arrays one after another in the given memory, each at a multiple of 64 bytes. With memory whose data() is
// null it only counts bytes().
class Scratch {
 public:
  Scratch(const Bundle& bundle, int finest, std::span<std::byte> memory) {
    const auto address = reinterpret_cast<uintptr_t>(memory.data());
    next_ = memory.data() == nullptr ? nullptr : memory.data() + (64 - address % 64) % 64;
    Take(bundle.joint_count(), &models);
    Take(bundle.slot_joints().size(), &matrices);
    Take(static_cast<size_t>(bundle.joint_count()) * FeatureCount(bundle.features()), &features);
    Take(bundle.ranges().test_count(), &out_of_range);
    Take(bundle.coefficient_count(finest), &coefficients);
    // The finest level's displacements exist for one tile at a time, on the stack.
    for (int i = 1; i < finest; ++i) Take(4 * PaddedVertices(bundle, i), &displacements[i - 1]);
    for (int side = 0; side < 2; ++side) {
      size_t most = 0;
      for (int i = 1; i < finest; ++i) {
        if (i % 2 == side && PaddedVertices(bundle, i) > most) most = PaddedVertices(bundle, i);
      }
      Take(3 * most, &positions_[side]);
    }
    if (bundle.contact().field_count() == 0) return;
    for (float*& field : contact) Take(PosedFieldFloats(bundle.contact(), bundle.slot_joints().size()), &field);
    int most = 0;
    for (int i = 1; i <= finest; ++i) most = bundle.level(i).vertex_count > most ? bundle.level(i).vertex_count : most;
    Take(static_cast<size_t>((most + kTileVertices - 1) / kTileVertices), &tiles);
  }

  // Positions of level i, which is not the finest: internal order, three floats per vertex. Two arrays alternate, since
  // level i + 1 reads those of level i while it writes its own; level i + 2 overwrites them.
  float* positions(int i) const { return positions_[i % 2]; }

  // Bytes needed, counted from the first address that is a multiple of 64.
  size_t bytes() const { return bytes_; }

  Affine* models = nullptr;       // one per joint
  Affine* matrices = nullptr;     // skinning matrices, one per slot
  float* features = nullptr;      // FeatureCount() per joint
  float* out_of_range = nullptr;  // one per range test
  float* coefficients = nullptr;  // of all levels, one level after another
  // Displacements of every level but the finest, four floats per vertex as KeepTile writes them.
  float* displacements[format::kMaxLevels] = {};
  float* contact[kMaxColliders] = {};  // memory of PoseField(); null in bundles without contact
  TileContact* tiles = nullptr;        // one per tile of the level that has most; null in bundles without contact

 private:
  // Vertices rounded up to whole blocks, including at least one more vertex that may be read.
  static size_t PaddedVertices(const Bundle& bundle, int level) {
    return (static_cast<size_t>(bundle.level(level).vertex_count) + BasisTable::kBlockVertices) /
               BasisTable::kBlockVertices * BasisTable::kBlockVertices +
           BasisTable::kBlockVertices;
  }

  template <typename T>
  void Take(size_t count, T** array) {
    const size_t bytes = (count * sizeof(T) + 63) / 64 * 64;
    bytes_ += bytes;
    if (next_ == nullptr) return;
    *array = reinterpret_cast<T*>(next_);
    next_ += bytes;
  }

  float* positions_[2] = {};
  std::byte* next_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_FRAME_SCRATCH_H_
