// Skinning frames that flesh is solved in: rigid motions blended by dual quaternions (L. Kavan, S. Collins, J. Zara,
// C. O'Sullivan, "Skinning with Dual Quaternions", 2007), in double precision.
#ifndef SINEW_OFFLINE_FLESH_SKIN_FRAMES_H_
#define SINEW_OFFLINE_FLESH_SKIN_FRAMES_H_

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "sinew/offline/character/influences.h"

namespace sinew::flesh {

// Selects the strongest weights and scales them to sum 1. weights: one per joint; negative ones count as 0, at least
// one must be positive.
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

  // Converts to a rigid motion. Need not be of unit length, but real must not be 0.
  Rigid ToRigid() const;
};

// Rigid motion with the rotation nearest to the map's linear part that takes `centre` where the map takes it.
DualQuaternion NearestRigid(const Eigen::Affine3d& map, const Eigen::Vector3d& centre);

// Blends the joints' motions; the result is not normalised. Of q and -q, the one nearer to the strongest influence's
// quaternion is used. joints: one per joint of the skeleton.
DualQuaternion Blend(const Influences& influences, const std::vector<DualQuaternion>& joints);
// Moves x by linear blend skinning.
Eigen::Vector3d BlendLinear(const Influences& influences, const std::vector<Eigen::Affine3d>& joints,
                            const Eigen::Vector3d& x);

// Derivatives of a skinning frame at a point of a tetrahedron over which it is blended linearly, expressed in the frame
// itself: for y(X) = R(X) z + t(X), R^T dy/dX_j = omega_j x z + tau_j. Column j of each matrix belongs to X_j.
struct FrameChange {
  Eigen::Matrix3d omega = Eigen::Matrix3d::Zero();
  Eigen::Matrix3d tau = Eigen::Matrix3d::Zero();
};
// Computes the derivatives at a point. corners: frames at the tetrahedron's corners. gradients: of the corners' shape
// functions, one per column. barycentric: the point.
FrameChange ChangeOf(const std::array<DualQuaternion, 4>& corners, const Eigen::Matrix<double, 3, 4>& gradients,
                     const Eigen::Vector4d& barycentric);
// Frame at a point of the tetrahedron.
DualQuaternion Interpolate(const std::array<DualQuaternion, 4>& corners, const Eigen::Vector4d& barycentric);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_SKIN_FRAMES_H_
