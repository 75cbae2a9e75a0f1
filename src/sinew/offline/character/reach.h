// Refuses positions that are not finite or out of reach (mesh/reach.h), naming the place.
#ifndef SINEW_OFFLINE_CHARACTER_REACH_H_
#define SINEW_OFFLINE_CHARACTER_REACH_H_

#include <string>

#include "sinew/offline/character/posing.h"

namespace sinew {

// Throws InputError, naming `file` and `place` ("joint 'hips'"), if a position is not finite or out of reach.
void RefuseUnlessInReach(const Eigen::Vector3f& position, const std::string& file, const std::string& place);

// Throws InputError, naming the frame and the joint, if a joint is not in reach in a frame of the skeleton's motion.
void RefuseUnlessInReach(const Skeleton& skeleton, const Motion& motion, const std::string& file);

// Throws InputError, naming the part and the vertex, if a vertex of a posed character is not in reach.
void RefuseUnlessInReach(const Character& character, const PosedCharacter& posed, const std::string& file);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_REACH_H_
