// Sets that can only be joined: union by lowest member, so that the result does not depend on the order of joins.
#ifndef SINEW_OFFLINE_MESH_DISJOINT_SETS_H_
#define SINEW_OFFLINE_MESH_DISJOINT_SETS_H_

#include <algorithm>
#include <numeric>
#include <vector>

namespace sinew {

class DisjointSets {
 public:
  explicit DisjointSets(int count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

  // The lowest member of i's set.
  int Find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void Join(int i, int k) {
    const auto [low, high] = std::minmax({Find(i), Find(k)});
    parent_[high] = low;
  }

 private:
  std::vector<int> parent_;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_DISJOINT_SETS_H_
