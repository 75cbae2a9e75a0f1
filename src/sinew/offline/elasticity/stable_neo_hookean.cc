#include "sinew/offline/elasticity/stable_neo_hookean.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/elasticity/rotation_svd.h"

namespace sinew::elasticity {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d CrossMatrix(const Vector3d& a) {
  Matrix3d result;
  result << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return result;
}

// Whether A is positive definite, by the pivots of Gaussian elimination; false if rounding leaves it in doubt.
bool IsPositiveDefinite(const Matrix3d& A) {
  const double floor = 1e-12 * A.cwiseAbs().maxCoeff();
  if (!(A(0, 0) > floor)) return false;
  const double l1 = A(1, 0) / A(0, 0), l2 = A(2, 0) / A(0, 0);
  const double d1 = A(1, 1) - l1 * A(1, 0), s = A(2, 1) - l1 * A(2, 0);
  return d1 > floor && A(2, 2) - l2 * A(2, 0) - s * s / d1 > floor;
}

// Sets negative eigenvalues of A to 0. Needs the eigensystem only if A is not positive definite already.
Matrix3d ProjectSymmetric(const Matrix3d& A) {
  if (IsPositiveDefinite(A)) return A;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(A);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace

Matrix3d Cofactors(const Matrix3d& F) {
  Matrix3d result;
  result << F.col(1).cross(F.col(2)), F.col(2).cross(F.col(0)), F.col(0).cross(F.col(1));
  return result;
}

// Applies the paper's Lamé re-parameterisation: the constants for which the material's linearisation at rest has the
// Lamé constants of linear elasticity. At F = I, dP = 3/4 mu (dF + dF^T) + (lambda - 5/8 mu) tr(dF) I.
StableNeoHookean StableNeoHookean::FromYoungPoisson(double young, double poisson) {
  if (!(young > 0) || !std::isfinite(young)) {
    throw UsageError(fmt::format("Young's modulus is {}; give a positive number of pascal", young));
  }
  if (!(poisson >= 0 && poisson < 0.5)) {
    throw UsageError(fmt::format("Poisson's ratio is {}; give one from 0 to below 0.5", poisson));
  }
  const double mu_lame = young / (2 * (1 + poisson));
  const double lambda_lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  return StableNeoHookean(4.0 / 3 * mu_lame, lambda_lame + 5.0 / 6 * mu_lame);
}

// Evaluates equation 14 minus its value at rest, with
//   lambda/2 (J - alpha)^2 = lambda/2 (J - 1)^2 - 3/4 mu (J - 1) + constant,
// so that no large constants cancel.
double StableNeoHookean::Energy(const Matrix3d& F) const {
  const double above = F.squaredNorm() - 3, j = F.determinant() - 1;
  return 0.5 * mu_ * (above - std::log1p(above / 4)) + j * (0.5 * lambda_ * j - 0.75 * mu_);
}

// Differentiates equation 14 with dI_C/dF = 2 F and dJ/dF = Cofactors(F).
Matrix3d StableNeoHookean::Stress(const Matrix3d& F) const {
  const double I_C = F.squaredNorm();
  return mu_ * (I_C / (I_C + 1)) * F + Pressure(F.determinant()) * Cofactors(F);
}

// Hessian: mu_T I + mu_F f f^T + lambda g g^T + lambda (J - alpha) d2J/dF2.
Matrix9d StableNeoHookean::Hessian(const Matrix3d& F) const {
  const double I_C = F.squaredNorm();
  const Matrix3d cofactors = Cofactors(F);
  const auto f = F.reshaped();
  const auto g = cofactors.reshaped();
  Matrix9d H = Matrix9d::Identity() * (mu_ * I_C / (I_C + 1));
  H += 2 * mu_ / ((I_C + 1) * (I_C + 1)) * f * f.transpose() + lambda_ * g * g.transpose();
  const double pressure = Pressure(F.determinant());
  for (int k = 0; k < 3; ++k) {
    const Matrix3d block = pressure * CrossMatrix(F.col(k));
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    H.block<3, 3>(3 * i, 3 * j) -= block;
    H.block<3, 3>(3 * j, 3 * i) += block;
  }
  return H;
}

// Follows the paper's eigenanalysis (section 4): in the frame of the singular vectors the Hessian decomposes into a 3x3
// matrix of the scalings and, per pair of axes, a twist (antisymmetric) and a flip (symmetric), whose eigenvalues are
//   mu_T + lambda (J - alpha) sigma_k  and  mu_T - lambda (J - alpha) sigma_k,   mu_T = mu I_C / (I_C + 1).
ProjectedSpectrum StableNeoHookean::Project(const Matrix3d& F, double added_pressure) const {
  const RotationSvd svd = ComputeRotationSvd(F);
  const Vector3d& sigma = svd.sigma;
  const double I_C = sigma.squaredNorm(), J = sigma.prod(), pressure = Pressure(J) + added_pressure;
  const double mu_T = mu_ * I_C / (I_C + 1), mu_F = 2 * mu_ / ((I_C + 1) * (I_C + 1));
  const Vector3d g(sigma[1] * sigma[2], sigma[2] * sigma[0], sigma[0] * sigma[1]);

  ProjectedSpectrum spectrum{.U = svd.U, .V = svd.V, .scaling = {}, .same = {}, .swapped = {}};
  Matrix3d A = mu_F * sigma * sigma.transpose() + lambda_ * g * g.transpose();
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    A(k, k) += mu_T;
    A(i, j) += pressure * sigma[k];
    A(j, i) += pressure * sigma[k];
    const double twist = std::max(0.0, mu_T + pressure * sigma[k]), flip = std::max(0.0, mu_T - pressure * sigma[k]);
    spectrum.same[k] = 0.5 * (twist + flip);
    spectrum.swapped[k] = 0.5 * (flip - twist);
  }
  spectrum.scaling = ProjectSymmetric(A);
  return spectrum;
}

Matrix9d StableNeoHookean::ProjectedHessian(const Matrix3d& F) const {
  const ProjectedSpectrum s = Project(F);
  Matrix9d diagonal = Matrix9d::Zero();
  const auto at = [](int row, int column) { return row + 3 * column; };
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    for (int l = 0; l < 3; ++l) diagonal(at(k, k), at(l, l)) = s.scaling(k, l);
    diagonal(at(i, j), at(i, j)) = diagonal(at(j, i), at(j, i)) = s.same[k];
    diagonal(at(i, j), at(j, i)) = diagonal(at(j, i), at(i, j)) = s.swapped[k];
  }
  // vec(U D V^T) = (V kron U) vec(D).
  Matrix9d Q;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) Q.block<3, 3>(3 * row, 3 * column) = s.V(row, column) * s.U;
  }
  return Q * diagonal * Q.transpose();
}

}  // namespace sinew::elasticity
