// A skeleton whose joints are rows of a value.
#ifndef SINEW_OFFLINE_LEARN_TORCH_SKELETON_H_
#define SINEW_OFFLINE_LEARN_TORCH_SKELETON_H_

#include "rows.h"

namespace sinew_torch {

struct Skeleton {
  RowMap seeing, seen;  // pairs of joints near each other, as maps to the one and to the other; sorted by both
  Tensor chains;        // joints x joints: 1 in row j for j and every joint above it
};

// Whether there are joints, at most 1,024, and each comes after its parent.
bool IsSkeleton(const int* parents, int joints);
// distance: number of bones up to which joints are near each other.
Skeleton MakeSkeleton(const int* parents, int joints, int distance, torch::Device device);

}  // namespace sinew_torch

#endif  // SINEW_OFFLINE_LEARN_TORCH_SKELETON_H_
