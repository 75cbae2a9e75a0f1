// Where an evaluation keeps what it needs between its steps.
#ifndef SINEW_RUNTIME_FRAME_SCRATCH_H_
#define SINEW_RUNTIME_FRAME_SCRATCH_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/runtime/asset/bundle.h"

namespace sinew::runtime {

// Arrays behind each other in the memory that was given, each at a multiple of 64. Without memory it only counts.
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
    // The finest level's displacements live a tile long.
    for (int i = 1; i < finest; ++i) Take(4 * PaddedVertices(bundle, i), &displacements[i - 1]);
    for (int side = 0; side < 2; ++side) {
      size_t most = 0;
      for (int i = 1; i < finest; ++i) {
        if (i % 2 == side && PaddedVertices(bundle, i) > most) most = PaddedVertices(bundle, i);
      }
      Take(3 * most, &positions_[side]);
    }
  }

  // Of level i but the finest, internal order, three a vertex; until level i + 2 puts its own there: level i + 1 reads
  // them while it writes its own.
  float* positions(int i) const { return positions_[i % 2]; }

  // From the first multiple of 64 on.
  size_t bytes() const { return bytes_; }

  Affine* models = nullptr;
  Affine* matrices = nullptr;  // one a slot
  float* features = nullptr;
  float* out_of_range = nullptr;
  float* coefficients = nullptr;                  // of all levels
  float* displacements[format::kMaxLevels] = {};  // of the levels but the finest, four a vertex as KeepTile has them

 private:
  // Whole blocks, and one more vertex that may be read.
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
