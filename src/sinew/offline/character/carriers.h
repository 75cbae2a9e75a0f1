// Joints that move with another joint than their parent.
//
// Rigs with inverse kinematics often hang feet and hands from the ground, or from nothing: their animations move the
// foot where it should stand, and turn the leg so that it reaches there. Posed by rotations alone, such a foot would
// stay behind when its leg bends, and tear away from it. So the joint that really carries it is looked for.
#ifndef SINEW_OFFLINE_CHARACTER_CARRIERS_H_
#define SINEW_OFFLINE_CHARACTER_CARRIERS_H_

#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew {

// Returns for each joint whether some vertex has a weight of it.
std::vector<bool> JointsThatMoveVertices(const Character& character);

// Finds the carrier of every joint, -1 where it is the parent or nothing tells. A joint has one if the animations move
// it relative to its parent, and it hardly moves relative to another joint, outside its own subtree, that moves
// vertices: the nearest of those. Carriers never form a cycle. Joints that move no vertices, by themselves or through
// joints below them, need none.
std::vector<int> FindCarriers(const Character& character);

// Whether the parents in `carriers`, where they are not -1, and those of the skeleton elsewhere, lead from every joint
// to one that has none.
bool CarriersLeadToRoots(const Skeleton& skeleton, const std::vector<int>& carriers);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_CARRIERS_H_
