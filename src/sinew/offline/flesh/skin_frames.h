// Rigid motions blended by dual quaternions (L. Kavan, S. Collins, J. Zara, C. O'Sullivan, "Skinning with Dual
// Quaternions", 2007), in double precision: the frames that flesh is solved in.
#ifndef SINEW_OFFLINE_FLESH_SKIN_FRAMES_H_
#define SINEW_OFFLINE_FLESH_SKIN_FRAMES_H_

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "sinew/offline/character/influences.h"

namespace sinew::flesh {

// The strongest of one weight per joint, scaled to sum 1; negative ones count as 0. At least one must be positive.
Influences StrongestOf(const Eigen::VectorXd& weights);

struct Rigid {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d t = Eigen::Vector3d::Zero();

  Eigen::Vector3d operator*(const Eigen::Vector3d& x) const { return R * x + t; }
  Eigen::Vector3d Undo(const Eigen::Vector3d& y) const { return R.transpose() * (y - t); }
};

struct DualQuaternion {
  Eigen::Quaterniond real = Eigen::Quaterniond::Identity();
  Eigen::Quaterniond dual = Eigen::Quaterniond(0, 0, 0, 0);

  // Need not be of unit length; real must not be 0.
  Rigid ToRigid() const;
};

// The rotation nearest to the map's linear part, and where the map takes `centre`.
DualQuaternion NearestRigid(const Eigen::Affine3d& map, const Eigen::Vector3d& centre);

// Not normalised. Of q and -q, the one nearer to that of the strongest influence.
DualQuaternion Blend(const Influences& influences, const std::vector<DualQuaternion>& joints);
// Linear blend skinning.
Eigen::Vector3d BlendLinear(const Influences& influences, const std::vector<Eigen::Affine3d>& joints,
                            const Eigen::Vector3d& x);

// How a frame that is blended linearly over a tetrahedron changes at a point of it, seen from the frame itself: for
// y(X) = R(X) z + t(X), R^T dy/dX_j = omega_j x z + tau_j. Columns are j.
struct FrameChange {
  Eigen::Matrix3d omega = Eigen::Matrix3d::Zero();
  Eigen::Matrix3d tau = Eigen::Matrix3d::Zero();
};
// gradients: of the corners' shape functions, one a column.
FrameChange ChangeOf(const std::array<DualQuaternion, 4>& corners, const Eigen::Matrix<double, 3, 4>& gradients,
                     const Eigen::Vector4d& barycentric);
// The frame somewhere in the tetrahedron.
DualQuaternion Interpolate(const std::array<DualQuaternion, 4>& corners, const Eigen::Vector4d& barycentric);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_SKIN_FRAMES_H_
