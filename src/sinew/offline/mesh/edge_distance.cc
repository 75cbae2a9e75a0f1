#include "sinew/offline/mesh/edge_distance.h"

#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace sinew {

template <typename Real>
void WalkEdges(const Points& positions, const Csr& neighbours, std::vector<Real>& distances) {
  using Entry = std::pair<Real, int>;  // distance, point; equal distances by index
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting;
  for (int i = 0; i < static_cast<int>(distances.size()); ++i) {
    if (distances[i] < std::numeric_limits<Real>::infinity()) waiting.push({distances[i], i});
  }
  while (!waiting.empty()) {
    const auto [distance, i] = waiting.top();
    waiting.pop();
    if (distance > distances[i]) continue;
    for (const int j : neighbours[i]) {
      const Real further = distance + (positions.row(j) - positions.row(i)).norm();
      if (further >= distances[j]) continue;
      distances[j] = further;
      waiting.push({further, j});
    }
  }
}

template void WalkEdges<float>(const Points&, const Csr&, std::vector<float>&);
template void WalkEdges<double>(const Points&, const Csr&, std::vector<double>&);

}  // namespace sinew
