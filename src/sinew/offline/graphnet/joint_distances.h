// Distances of the points of a surface to a joint, along the surface.
#ifndef SINEW_OFFLINE_GRAPHNET_JOINT_DISTANCES_H_
#define SINEW_OFFLINE_GRAPHNET_JOINT_DISTANCES_H_

#include <vector>

#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::graphnet {

// Returns per point the length of the shortest way from `joint` straight to a start, and from there along edges. Points
// that no way leads to get the straight distance to the nearest point that has one plus its value. starts: at least
// one point.
std::vector<float> JointDistances(const Points& positions, const Csr& neighbours, const Eigen::Vector3f& joint,
                                  const std::vector<int>& starts);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_JOINT_DISTANCES_H_
