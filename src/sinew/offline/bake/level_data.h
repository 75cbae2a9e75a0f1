// A level of a hierarchy as one mesh: all parts of its file one after another, with skinning weights over slots.
#ifndef SINEW_OFFLINE_BAKE_LEVEL_DATA_H_
#define SINEW_OFFLINE_BAKE_LEVEL_DATA_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sinew/offline/lod/hierarchy.h"
#include "sinew/runtime/asset/format.h"
#include "sinew/runtime/base/math.h"
#include "sinew/runtime/skin/reference.h"

namespace sinew::bake {

// Slots, the indices that skinning weights refer to: one per joint j of each skin s. All levels of a character share
// them.
struct SkinSlots {
  std::vector<int16_t> joints;                      // joint of each slot; -1: moved by no joint
  std::vector<runtime::Affine> inverse_binds;       // one per slot
  std::map<std::pair<int, int>, uint16_t> numbers;  // slot of each (skin, joint); (-1, -1) is the slot without a joint

  static SkinSlots Of(const lod::Hierarchy& hierarchy);
};

struct LevelData {
  std::vector<runtime::Float3> positions, normals;
  std::vector<runtime::Float4> tangents;  // empty unless every part has some
  std::vector<float> texcoords;           // two per vertex; empty if no part has any
  std::vector<uint32_t> triangles;        // three vertices each
  int influences = 0;
  std::vector<uint16_t> slots;         // `influences` per vertex
  std::vector<float> weights;          // `influences` per vertex
  std::vector<uint32_t> first_vertex;  // the first vertex of each point of the level

  int vertex_count() const { return static_cast<int>(positions.size()); }
  runtime::PlainWeights plain_weights() const { return {influences, slots, weights}; }
};
// Joins all parts of a level. Throws InputError for weights of joints that a skin does not have, and for points without
// vertices.
LevelData FlattenLevel(const lod::Level& level, const SkinSlots& slots);

// Returns `values`, which have `width` entries per vertex, rearranged so that entry i is that of vertex order[i]; if
// `order` is empty, unchanged.
template <typename T>
std::vector<T> InOrder(const std::vector<T>& values, const std::vector<uint32_t>& order, int width = 1) {
  if (order.empty() || values.empty()) return values;
  std::vector<T> moved;
  moved.reserve(values.size());
  for (const uint32_t v : order) {
    moved.insert(moved.end(), values.begin() + static_cast<std::ptrdiff_t>(v) * width,
                 values.begin() + (static_cast<std::ptrdiff_t>(v) + 1) * width);
  }
  return moved;
}

}  // namespace sinew::bake

#endif  // SINEW_OFFLINE_BAKE_LEVEL_DATA_H_
