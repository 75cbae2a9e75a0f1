// Positions of a posed character as one matrix, all parts in order: the layout of shapes in a dataset.
#ifndef SINEW_OFFLINE_DATASET_SKINNED_SHAPE_H_
#define SINEW_OFFLINE_DATASET_SKINNED_SHAPE_H_

#include "sinew/offline/character/posing.h"

namespace sinew::dataset {

// Stacks the vertices of all parts, one row per vertex, in the order of the parts.
Points JoinParts(const PosedCharacter& posed);
Points JoinParts(const std::vector<Points>& parts);

// Returns the character in this pose by linear blend skinning, in model space, parts joined.
Points SkinnedShape(const Character& character, const Pose& pose);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_SKINNED_SHAPE_H_
