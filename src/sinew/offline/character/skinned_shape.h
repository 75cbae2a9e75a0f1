// Positions of a character as one matrix, all parts in order: the layout of shapes in a dataset.
#ifndef SINEW_OFFLINE_CHARACTER_SKINNED_SHAPE_H_
#define SINEW_OFFLINE_CHARACTER_SKINNED_SHAPE_H_

#include "sinew/offline/character/posing.h"

namespace sinew {

// Stacks the vertices of all parts, one row per vertex, in the order of the parts.
Points JoinParts(const PosedCharacter& posed);
Points JoinParts(const std::vector<Points>& parts);

// Returns the character in this pose by linear blend skinning, in model space, parts joined.
Points SkinnedShape(const Character& character, const Pose& pose);

// Returns all parts as one mesh, with the given positions.
TriMesh JoinMesh(const Character& character, const Points& shape);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_SKINNED_SHAPE_H_
