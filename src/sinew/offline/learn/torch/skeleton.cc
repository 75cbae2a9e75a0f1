#include "skeleton.h"

#include <algorithm>

namespace sinew_torch {
namespace {

// Number of bones between two joints; as many as there are joints if they have no common root.
int BonesBetween(const int* parents, int joints, int a, int b) {
  int bones = 0;
  // Parents come before their children, so that the later of two joints is never above the other.
  for (; a != b; ++bones) {
    int& later = a > b ? a : b;
    later = parents[later];
    if (later < 0) return joints;
  }
  return bones;
}

Tensor MakeChains(const int* parents, int64_t joints) {
  Tensor chains = torch::zeros({joints, joints});
  float* const values = chains.data_ptr<float>();
  for (int64_t j = 0; j < joints; ++j) {
    for (int64_t above = j; above >= 0; above = parents[above]) values[j * joints + above] = 1;
  }
  return chains;
}

}  // namespace

bool IsSkeleton(const int* parents, int joints) {
  constexpr int kMaxJoints = 1024;
  if (parents == nullptr || joints < 1 || joints > kMaxJoints) return false;
  for (int j = 0; j < joints; ++j) {
    if (parents[j] < -1 || parents[j] >= j) return false;
  }
  return true;
}

Skeleton MakeSkeleton(const int* parents, int joints, int distance, torch::Device device) {
  std::vector<int64_t> seeing, seen;
  for (int i = 0; i < joints; ++i) {
    for (int j = 0; j < joints; ++j) {
      if (i != j && BonesBetween(parents, joints, i, j) > std::min(distance, joints - 1)) continue;
      seeing.push_back(i);
      seen.push_back(j);
    }
  }
  return {MakeRowMap(seeing, joints, device), MakeRowMap(seen, joints, device), MakeChains(parents, joints).to(device)};
}

}  // namespace sinew_torch
