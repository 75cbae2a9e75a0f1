// Exact predicates for the side on which a point lies: signs of determinants of float coordinates, always right. A fast
// evaluation whose rounding error is bounded comes first; where the bound does not decide, exact arithmetic with
// expansions (J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
// 1997). Needs one rounding per operation: the build sets -ffp-contract=off.
#ifndef SINEW_OFFLINE_MESH_PREDICATES_H_
#define SINEW_OFFLINE_MESH_PREDICATES_H_

#include <Eigen/Core>

namespace sinew {

// Returns 1 if a, b, c run counter-clockwise, -1 if clockwise, 0 if they are on one line.
int Orient2d(const Eigen::Vector2f& a, const Eigen::Vector2f& b, const Eigen::Vector2f& c);

// Returns the sign of the volume of the tetrahedron abcd: 1 if d sees a, b, c run clockwise (it lies behind the
// triangle, where the normal (b - a) x (c - a) does not point), -1 on the other side, 0 if the four are in one plane.
int Orient3d(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c, const Eigen::Vector3f& d);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_PREDICATES_H_
