// Singular values of a 3x3 matrix, with rotations on both sides.
#ifndef SINEW_OFFLINE_ELASTICITY_ROTATION_SVD_H_
#define SINEW_OFFLINE_ELASTICITY_ROTATION_SVD_H_

#include <Eigen/Core>

namespace sinew::elasticity {

// F = U diag(sigma) V^T. U and V are rotations (determinant +1), so a reflection is in the sign of the last value.
struct RotationSvd {
  Eigen::Matrix3d U;
  Eigen::Vector3d sigma;  // falling, up to rounding; the last one is negative where F is inverted
  Eigen::Matrix3d V;
};

// By one-sided Jacobi rotations: exact to rounding for every finite F, also without rank or with equal values.
RotationSvd ComputeRotationSvd(const Eigen::Matrix3d& F);

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_ROTATION_SVD_H_
