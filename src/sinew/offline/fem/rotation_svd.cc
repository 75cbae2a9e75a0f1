#include "sinew/offline/fem/rotation_svd.h"

#include <Eigen/Geometry>
#include <cmath>
#include <utility>

namespace sinew::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Quadratic convergence: four sweeps are usual, this many never needed.
constexpr int kSweeps = 16;
constexpr double kEpsilon = 1e-16;

// Turns columns p and q of B, and of V with them, until they are orthogonal. False if they were.
bool Rotate(Matrix3d& B, Matrix3d& V, int p, int q) {
  const double a = B.col(p).squaredNorm(), b = B.col(q).squaredNorm(), c = B.col(p).dot(B.col(q));
  if (c * c <= kEpsilon * kEpsilon * a * b) return false;
  const double zeta = (b - a) / (2 * c);
  const double t = std::copysign(1 / (std::abs(zeta) + std::sqrt(1 + zeta * zeta)), zeta);
  const double cosine = 1 / std::sqrt(1 + t * t), sine = cosine * t;
  for (Matrix3d* M : {&B, &V}) {
    const Vector3d old = M->col(p);
    M->col(p) = cosine * old - sine * M->col(q);
    M->col(q) = sine * old + cosine * M->col(q);
  }
  return true;
}

// Exchanges two columns by a quarter turn, which keeps the determinant.
void Exchange(Matrix3d& B, Matrix3d& V, int p, int q) {
  for (Matrix3d* M : {&B, &V}) {
    const Vector3d old = M->col(p);
    M->col(p) = M->col(q);
    M->col(q) = -old;
  }
}

// The part of `column` that is orthogonal to u, or any direction that is, where nothing is left of it.
Vector3d OrthogonalUnit(const Vector3d& column, const Vector3d& u, double scale) {
  const Vector3d rest = column - u.dot(column) * u;
  const double length = rest.norm();
  return length > kEpsilon * scale ? Vector3d(rest / length) : u.unitOrthogonal();
}

}  // namespace

RotationSvd ComputeRotationSvd(const Matrix3d& F) {
  Matrix3d B = F;  // becomes U diag(sigma)
  RotationSvd svd;
  svd.V.setIdentity();
  bool turned = true;
  for (int sweep = 0; sweep < kSweeps && turned; ++sweep) {
    turned = false;
    for (const auto& [p, q] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)}) turned |= Rotate(B, svd.V, p, q);
  }
  for (const auto& [p, q] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)}) {
    if (B.col(p).squaredNorm() < B.col(q).squaredNorm()) Exchange(B, svd.V, p, q);
  }
  const double largest = B.col(0).norm();
  svd.U.col(0) = largest > 0 ? Vector3d(B.col(0) / largest) : Vector3d::UnitX();
  svd.U.col(1) = OrthogonalUnit(B.col(1), svd.U.col(0), largest);
  svd.U.col(2) = svd.U.col(0).cross(svd.U.col(1));
  svd.sigma << largest, svd.U.col(1).dot(B.col(1)), svd.U.col(2).dot(B.col(2));
  return svd;
}

}  // namespace sinew::fem
