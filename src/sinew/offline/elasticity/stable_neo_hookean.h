// Stable Neo-Hookean material, the model of flesh: B. Smith, F. de Goes, T. Kim, "Stable Neo-Hookean Flesh Simulation",
// 2018. It is defined for every deformation gradient F, including inverted and flat ones, and is at rest at F = I.
//
//   Psi = mu/2 (I_C - 3) + lambda/2 (J - alpha)^2 - mu/2 log(I_C + 1)             (equation 14)
//   alpha = 1 + mu/lambda - mu/(4 lambda),  I_C = |F|^2,  J = det F
//
// Hessians are taken with respect to vec(F), the columns of F stacked one below the other.
#ifndef SINEW_OFFLINE_ELASTICITY_STABLE_NEO_HOOKEAN_H_
#define SINEW_OFFLINE_ELASTICITY_STABLE_NEO_HOOKEAN_H_

#include <Eigen/Core>

namespace sinew::elasticity {

// Matrix of cofactors of F, which is dJ/dF.
Eigen::Matrix3d Cofactors(const Eigen::Matrix3d& F);

using Matrix9d = Eigen::Matrix<double, 9, 9>;

// Hessian projected to positive semi-definite, in the frame of F's singular vectors, where it is nearly diagonal: with
// dF = U D V^T,
//   dF : H : dF = sum_ij scaling_ij D_ii D_jj
//               + sum_k same_k (D_ij^2 + D_ji^2) + 2 swapped_k D_ij D_ji,   i < j the two indices other than k.
// Elements contract it with their shape functions at a tenth of the cost of the 9x9 matrix.
struct ProjectedSpectrum {
  Eigen::Matrix3d U, V;
  Eigen::Matrix3d scaling;
  Eigen::Vector3d same, swapped;
};

class StableNeoHookean {
 public:
  // Makes the material that behaves, for small deformations, like linear elasticity with these constants. young:
  // Young's modulus in pascal, above 0. poisson: Poisson's ratio, in [0, 0.5). Throws UsageError for others.
  static StableNeoHookean FromYoungPoisson(double young, double poisson);

  // Constants of equation 14, not those of linear elasticity.
  double mu() const { return mu_; }
  double lambda() const { return lambda_; }

  // Energy density Psi, in joule per cubic metre of rest volume; exactly 0 at rest.
  double Energy(const Eigen::Matrix3d& F) const;
  // First Piola-Kirchhoff stress P = dPsi/dF.
  Eigen::Matrix3d Stress(const Eigen::Matrix3d& F) const;
  Matrix9d Hessian(const Eigen::Matrix3d& F) const;
  // Positive semi-definite matrix nearest to the Hessian: its negative eigenvalues are set to 0.
  Matrix9d ProjectedHessian(const Eigen::Matrix3d& F) const;
  // Projects the Hessian of Psi + added_pressure J, without forming the 9x9 matrix. `added_pressure` is added to
  // lambda (J - alpha), for a part of the volume term that is integrated elsewhere (elastic_body.h).
  ProjectedSpectrum Project(const Eigen::Matrix3d& F, double added_pressure = 0) const;

 private:
  StableNeoHookean(double mu, double lambda) : mu_(mu), lambda_(lambda) {}
  // Pressure lambda (J - alpha), written without the cancellation of a large lambda times a small difference.
  double Pressure(double J) const { return lambda_ * (J - 1) - 0.75 * mu_; }

  double mu_, lambda_;
};

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_STABLE_NEO_HOOKEAN_H_
