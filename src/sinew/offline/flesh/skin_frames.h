// Skinning frames, the local frames in which the flesh simulation solves: rigid motions blended as dual quaternions (L.
// Kavan, S. Collins, J. Zara, C. O'Sullivan, "Skinning with Dual Quaternions", 2007), in double precision.
#ifndef SINEW_OFFLINE_FLESH_SKIN_FRAMES_H_
#define SINEW_OFFLINE_FLESH_SKIN_FRAMES_H_

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "sinew/offline/character/influences.h"

namespace sinew::flesh {

// Selects the kMaxInfluences largest weights and scales them to sum 1. weights: one per joint; negative ones count as
// 0, at least one must be positive.
Influences StrongestOf(const Eigen::VectorXd& weights);

// Rigid motion y = R x + t.
struct Rigid {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d t = Eigen::Vector3d::Zero();

  Eigen::Vector3d operator*(const Eigen::Vector3d& x) const { return R * x + t; }
  // Applies the inverse motion.
  Eigen::Vector3d Undo(const Eigen::Vector3d& y) const { return R.transpose() * (y - t); }
};

struct DualQuaternion {
  Eigen::Quaterniond real = Eigen::Quaterniond::Identity();
  Eigen::Quaterniond dual = Eigen::Quaterniond(0, 0, 0, 0);

  // Converts to a rigid motion. The dual quaternion need not be of unit length, but real must not be 0.
  Rigid ToRigid() const;
};

// Returns the rigid motion whose rotation is the one nearest to the map's linear part, and which moves `centre` to the
// same place as the map does.
DualQuaternion NearestRigid(const Eigen::Affine3d& map, const Eigen::Vector3d& centre);

// Blends the joints' motions linearly, without normalising the result. Each joint's dual quaternion q is negated if -q
// is nearer to that of the strongest influence (both are the same motion). joints: one per joint of the skeleton.
DualQuaternion Blend(const Influences& influences, const std::vector<DualQuaternion>& joints);
// Moves x by linear blend skinning. joints: one per joint of the skeleton.
Eigen::Vector3d BlendLinear(const Influences& influences, const std::vector<Eigen::Affine3d>& joints,
                            const Eigen::Vector3d& x);

// Derivatives of the skinning frame (R, t) by the rest position X in a tetrahedron, over which Interpolate() blends it.
// They are expressed in the frame itself: for y(X) = R(X) z + t(X) with z constant, R^T dy/dX_j = omega_j x z + tau_j.
// Column j of each matrix belongs to X_j.
struct FrameChange {
  Eigen::Matrix3d omega = Eigen::Matrix3d::Zero();
  Eigen::Matrix3d tau = Eigen::Matrix3d::Zero();
};
// Computes the derivatives at a point. corners: frames at the tetrahedron's corners. gradients: column k is the
// gradient of corner k's barycentric coordinate by X. barycentric: the point.
FrameChange ChangeOf(const std::array<DualQuaternion, 4>& corners, const Eigen::Matrix<double, 3, 4>& gradients,
                     const Eigen::Vector4d& barycentric);
// Blends the corners' frames linearly at a point of the tetrahedron, without normalising the result. Corners are
// negated where that is nearer to the first.
DualQuaternion Interpolate(const std::array<DualQuaternion, 4>& corners, const Eigen::Vector4d& barycentric);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_SKIN_FRAMES_H_
