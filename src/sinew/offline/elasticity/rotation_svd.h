// Singular value decomposition of a 3x3 matrix with rotations on both sides.
#ifndef SINEW_OFFLINE_ELASTICITY_ROTATION_SVD_H_
#define SINEW_OFFLINE_ELASTICITY_ROTATION_SVD_H_

#include <Eigen/Core>

namespace sinew::elasticity {

// Decomposition F = U diag(sigma) V^T. U and V are rotations (determinant +1), so a reflection shows in the sign of the
// last singular value.
struct RotationSvd {
  Eigen::Matrix3d U;
  Eigen::Vector3d sigma;  // in descending order, up to rounding; the last one is negative if F is inverted
  Eigen::Matrix3d V;
};

// Computes the decomposition by one-sided Jacobi rotations. It is exact to rounding for every finite F, including
// rank-deficient ones and those with equal singular values.
RotationSvd ComputeRotationSvd(const Eigen::Matrix3d& F);

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_ROTATION_SVD_H_
