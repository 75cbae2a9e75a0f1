// Bitwise comparison of parts of a character with what they were when they were read, so that a write can leave
// unchanged parts alone.
#ifndef SINEW_OFFLINE_IO_GLTF_SAME_H_
#define SINEW_OFFLINE_IO_GLTF_SAME_H_

#include <cstring>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::gltf {

template <typename Matrix>
bool SameMatrix(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  return a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof(*a.data())) == 0;
}

template <typename Value>
bool SameValues(const std::vector<Value>& a, const std::vector<Value>& b) {
  if (a.size() != b.size()) return false;
  return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0;
}

bool Same(const Transform& a, const Transform& b);
bool Same(const SkinWeights& a, const SkinWeights& b);
bool Same(const VertexAttribute& a, const VertexAttribute& b);
bool Same(const MorphTarget& a, const MorphTarget& b);
// Compares all but the place in the document.
bool Same(const AnimationCurve& a, const AnimationCurve& b);
bool Same(const Animation& a, const Animation& b);
bool Same(const Skin& a, const Skin& b);

template <typename Item>
bool SameList(const std::vector<Item>& a, const std::vector<Item>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!Same(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_SAME_H_
