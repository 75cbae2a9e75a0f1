// Finds the point of a triangle that is nearest to a given point.
#ifndef SINEW_OFFLINE_MESH_CLOSEST_POINT_H_
#define SINEW_OFFLINE_MESH_CLOSEST_POINT_H_

#include <Eigen/Core>
#include <array>

namespace sinew {

struct TrianglePoint {
  Eigen::Vector3d point;
  Eigen::Vector3d barycentric;  // of the three corners; none negative, sum 1
};

// Works for triangles without area, too: it then returns the nearest point of the longest edge or of the corner.
TrianglePoint ClosestPointOnTriangle(const Eigen::Vector3d& p, const std::array<Eigen::Vector3d, 3>& triangle);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_CLOSEST_POINT_H_
