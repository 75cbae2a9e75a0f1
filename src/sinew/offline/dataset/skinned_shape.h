// Posed characters as one matrix: all parts in order, as a dataset has them.
#ifndef SINEW_OFFLINE_DATASET_SKINNED_SHAPE_H_
#define SINEW_OFFLINE_DATASET_SKINNED_SHAPE_H_

#include "sinew/offline/character/posing.h"

namespace sinew::dataset {

Points JoinParts(const PosedCharacter& posed);
Points JoinParts(const std::vector<Points>& parts);

// What linear blend skinning makes of a pose.
Points SkinnedShape(const Character& character, const Pose& pose);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_SKINNED_SHAPE_H_
