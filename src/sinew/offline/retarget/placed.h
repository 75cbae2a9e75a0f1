// Joints of a pose in model space, in double precision.
#ifndef SINEW_OFFLINE_RETARGET_PLACED_H_
#define SINEW_OFFLINE_RETARGET_PLACED_H_

#include <vector>

#include "sinew/offline/character/skeleton.h"

namespace sinew::retarget {

// Positions and rotations of all joints in model space.
struct Placed {
  std::vector<Eigen::Vector3d> positions;
  std::vector<Eigen::Quaterniond> rotations;
};

Placed Place(const Skeleton& skeleton, const Pose& pose);

}  // namespace sinew::retarget

#endif  // SINEW_OFFLINE_RETARGET_PLACED_H_
