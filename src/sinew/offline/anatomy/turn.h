// The shortest rotation between two directions. Replaces Eigen's FromTwoVectors, which uses a singular value
// decomposition for opposite directions, whose template costs every file that calls it ten seconds of compile time.
#ifndef SINEW_OFFLINE_ANATOMY_TURN_H_
#define SINEW_OFFLINE_ANATOMY_TURN_H_

#include <Eigen/Geometry>

namespace sinew {

// Returns the shortest rotation from the direction of `from` to that of `to`. Both have any length but 0. Opposite
// directions have no shortest rotation: one of the half turns is returned, always the same for the same `from`.
Eigen::Quaterniond TurnBetween(const Eigen::Vector3d& from, const Eigen::Vector3d& to);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_TURN_H_
