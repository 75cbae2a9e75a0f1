// The shortest turn between two directions. Eigen's FromTwoVectors is the same with a singular value decomposition for
// opposite directions, whose template costs every file that calls it ten seconds of compiling.
#ifndef SINEW_OFFLINE_ANATOMY_TURN_H_
#define SINEW_OFFLINE_ANATOMY_TURN_H_

#include <Eigen/Geometry>

namespace sinew {

// Turns the direction of `from` into that of `to`, neither of them zero and of any length. Opposite directions have no
// shortest turn: one of the half turns is taken, always the same for the same `from`.
Eigen::Quaterniond TurnBetween(const Eigen::Vector3d& from, const Eigen::Vector3d& to);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_TURN_H_
