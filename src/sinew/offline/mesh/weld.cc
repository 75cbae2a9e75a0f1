#include "sinew/offline/mesh/weld.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace sinew {
namespace {

uint64_t Mix(uint64_t h) {
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93u;
  h ^= h >> 32;
  return h;
}

using Key = std::array<uint64_t, 3>;

uint64_t Hash(const Key& key) { return Mix(key[0] + Mix(key[1] + Mix(key[2] + 0x9e3779b97f4a7c15u))); }

// Open addressing from a key to a small integer; never grows, so the number of keys must be known.
class KeyTable {
 public:
  explicit KeyTable(int capacity)
      : mask_(std::bit_ceil(2 * static_cast<size_t>(capacity) + 1) - 1), keys_(mask_ + 1), values_(mask_ + 1, -1) {}

  // Returns a reference to the value stored under the key, -1 if there is none yet; assigning to it stores a value.
  int& operator[](const Key& key) {
    size_t slot = Hash(key) & mask_;
    while (values_[slot] >= 0 && keys_[slot] != key) slot = (slot + 1) & mask_;
    keys_[slot] = key;
    return values_[slot];
  }
  int Find(const Key& key) const {
    size_t slot = Hash(key) & mask_;
    while (values_[slot] >= 0 && keys_[slot] != key) slot = (slot + 1) & mask_;
    return values_[slot];
  }

 private:
  size_t mask_;
  std::vector<Key> keys_;
  std::vector<int> values_;
};

// Adding 0 turns -0 into 0.
Key PositionKey(const Points& positions, int v) {
  Key key;
  for (int k = 0; k < 3; ++k) key[k] = std::bit_cast<uint32_t>(positions(v, k) + 0.0f);
  return key;
}

// Cells are kept as doubles: a tiny tolerance gives cell numbers that no integer holds.
using Cell = std::array<double, 3>;

Key CellKey(const Cell& cell) {
  Key key;
  for (int k = 0; k < 3; ++k) key[k] = std::bit_cast<uint64_t>(cell[k] + 0.0);
  return key;
}

// Welded vertices in a grid of cells as large as the tolerance; those of one cell are a linked list, newest first.
class WeldGrid {
 public:
  WeldGrid(const Points& positions, double tolerance)
      : positions_(positions), tolerance_(tolerance), cells_(static_cast<int>(positions.rows())) {}

  // The lowest welded vertex within the tolerance of a vertex, or -1.
  int Find(int v, const std::vector<int>& first_of) const {
    const Cell cell = CellOf(v);
    int best = -1;
    for (int i = 0; i < 27; ++i) {
      const int x = i % 3 - 1, y = i / 3 % 3 - 1, z = i / 9 - 1;
      const Cell near = {cell[0] + x, cell[1] + y, cell[2] + z};
      for (int w = cells_.Find(CellKey(near)); w >= 0; w = next_[w]) {
        if ((best < 0 || w < best) && Distance(v, first_of[w]) <= tolerance_) best = w;
      }
    }
    return best;
  }

  void Add(int v, int welded) {
    int& head = cells_[CellKey(CellOf(v))];
    next_.push_back(head);
    head = welded;
  }

 private:
  Cell CellOf(int v) const {
    Cell cell;
    for (int k = 0; k < 3; ++k) cell[k] = std::floor(positions_(v, k) / tolerance_);
    return cell;
  }
  double Distance(int a, int b) const {
    return (positions_.row(a).cast<double>() - positions_.row(b).cast<double>()).norm();
  }

  const Points& positions_;
  double tolerance_;
  KeyTable cells_;
  std::vector<int> next_;  // one per welded vertex
};

// find(v) gives the welded vertex that v joins or -1; add(v, welded) records a new one.
template <typename Find, typename Add>
Welding WeldInOrder(int count, const Find& find, const Add& add) {
  Welding welding;
  welding.welded_of.resize(count);
  for (int v = 0; v < count; ++v) {
    int welded = find(v, welding.first_of);
    if (welded < 0) {
      welded = welding.welded_count();
      welding.first_of.push_back(v);
      add(v, welded);
    }
    welding.welded_of[v] = welded;
  }
  return welding;
}

}  // namespace

Welding WeldEqual(const Points& positions) {
  KeyTable table(static_cast<int>(positions.rows()));
  return WeldInOrder(
      static_cast<int>(positions.rows()),
      [&](int v, const std::vector<int>&) { return table.Find(PositionKey(positions, v)); },
      [&](int v, int welded) { table[PositionKey(positions, v)] = welded; });
}

Welding WeldWithin(const Points& positions, float tolerance) {
  if (tolerance <= 0) return WeldEqual(positions);
  WeldGrid grid(positions, tolerance);
  return WeldInOrder(
      static_cast<int>(positions.rows()),
      [&](int v, const std::vector<int>& first_of) { return grid.Find(v, first_of); },
      [&](int v, int welded) { grid.Add(v, welded); });
}

Triangles Weld(const Triangles& triangles, const Welding& welding) {
  return triangles.unaryExpr([&](int v) { return welding.welded_of[v]; });
}

TriMesh Weld(const TriMesh& mesh, const Welding& welding) {
  TriMesh welded;
  welded.positions.resize(welding.welded_count(), 3);
  for (int w = 0; w < welding.welded_count(); ++w) welded.positions.row(w) = mesh.positions.row(welding.first_of[w]);
  welded.triangles = Weld(mesh.triangles, welding);
  return welded;
}

}  // namespace sinew
