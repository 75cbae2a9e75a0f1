#include "sinew/offline/io/gltf/same.h"

#include <array>
#include <bit>
#include <cstdint>

namespace sinew::gltf {

bool Same(const Transform& a, const Transform& b) {
  using Bits = std::array<uint32_t, 10>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

bool Same(const SkinWeights& a, const SkinWeights& b) {
  return a.influences == b.influences && SameValues(a.joints, b.joints) && SameValues(a.weights, b.weights);
}

bool Same(const VertexAttribute& a, const VertexAttribute& b) {
  return a.name == b.name && a.components == b.components && a.component_type == b.component_type &&
         a.normalized == b.normalized && SameValues(a.values, b.values);
}

bool Same(const MorphTarget& a, const MorphTarget& b) {
  return a.name == b.name && SameMatrix(a.positions, b.positions) && SameMatrix(a.normals, b.normals) &&
         SameMatrix(a.tangents, b.tangents);
}

bool Same(const AnimationCurve& a, const AnimationCurve& b) {
  return a.joint == b.joint && a.path == b.path && a.interpolation == b.interpolation && SameValues(a.times, b.times) &&
         SameValues(a.values, b.values);
}

bool Same(const Animation& a, const Animation& b) { return a.name == b.name && SameList(a.curves, b.curves); }

bool Same(const Skin& a, const Skin& b) {
  if (a.name != b.name || a.has_joint != b.has_joint || a.attached != b.attached) return false;
  if (a.inverse_bind.size() != b.inverse_bind.size()) return false;
  for (size_t j = 0; j < a.inverse_bind.size(); ++j) {
    if (!SameMatrix(a.inverse_bind[j].matrix(), b.inverse_bind[j].matrix())) return false;
  }
  return true;
}

}  // namespace sinew::gltf
