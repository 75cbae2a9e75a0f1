// A level of a hierarchy as one mesh: all parts of its file one after another.
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

// What moves vertices: joint j of skin s. All levels of a character share them.
struct SkinSlots {
  std::vector<int16_t> joints;                      // -1: moved by no joint
  std::vector<runtime::Affine> inverse_binds;       // one each
  std::map<std::pair<int, int>, uint16_t> numbers;  // of (skin, joint); (-1, -1) is the slot without a joint

  static SkinSlots Of(const lod::Hierarchy& hierarchy);
};

struct LevelData {
  std::vector<runtime::Float3> positions, normals;
  std::vector<runtime::Float4> tangents;  // empty unless every part has some
  std::vector<float> texcoords;           // two a vertex; empty if no part has any
  std::vector<uint32_t> triangles;
  int influences = 0;
  std::vector<uint16_t> slots;
  std::vector<float> weights;
  std::vector<uint32_t> first_vertex;  // of each point of the level

  int vertex_count() const { return static_cast<int>(positions.size()); }
  runtime::PlainWeights plain_weights() const { return {influences, slots, weights}; }
};
LevelData FlattenLevel(const lod::Level& level, const SkinSlots& slots);

// `values` with `width` entries a vertex, in the order that `order` says; empty: as they are.
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
