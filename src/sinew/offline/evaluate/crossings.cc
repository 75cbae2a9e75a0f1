#include "sinew/offline/evaluate/crossings.h"

#include <algorithm>
#include <utility>

namespace sinew::evaluate {

CrossingCounter::CrossingCounter(Triangles triangles, const Points& rest)
    : triangles_(std::move(triangles)), at_rest_(SelfIntersections({rest, triangles_}, kMaxPairs)) {}

size_t CrossingCounter::Count(const Points& shape) const {
  const TrianglePairs pairs = SelfIntersections({shape, triangles_}, kMaxPairs);
  return static_cast<size_t>(std::count_if(pairs.begin(), pairs.end(), [&](const auto& pair) {
    return !std::binary_search(at_rest_.begin(), at_rest_.end(), pair);
  }));
}

}  // namespace sinew::evaluate
