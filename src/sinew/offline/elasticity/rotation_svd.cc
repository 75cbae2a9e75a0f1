#include "sinew/offline/elasticity/rotation_svd.h"

#include <Eigen/Geometry>
#include <cmath>
#include <utility>

namespace sinew::elasticity {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Limit on the number of sweeps. Convergence is quadratic: four sweeps are usual, this many are never needed.
constexpr int kSweeps = 16;
constexpr double kEpsilon = 1e-16;

// Rotates columns p and q of B, and of V with them, so that those of B become orthogonal. Returns false if they were
// already. The columns are template parameters so that both matrices stay in registers: this function takes a third of
// the assembly time of a simulated frame.
template <int p, int q>
bool Rotate(Matrix3d& B, Matrix3d& V) {
  const double a = B.col(p).squaredNorm(), b = B.col(q).squaredNorm(), c = B.col(p).dot(B.col(q));
  if (c * c <= kEpsilon * kEpsilon * a * b) return false;
  const double between = b - a;
  // Tangent of the angle: of the two solutions, the one below 45 degrees.
  const double t = 2 * c / (between + std::copysign(std::sqrt(between * between + 4 * c * c), between));
  const double cosine = 1 / std::sqrt(1 + t * t), sine = cosine * t;
  const Vector3d old_b = B.col(p), old_v = V.col(p);
  B.col(p) = cosine * old_b - sine * B.col(q);
  B.col(q) = sine * old_b + cosine * B.col(q);
  V.col(p) = cosine * old_v - sine * V.col(q);
  V.col(q) = sine * old_v + cosine * V.col(q);
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

// Unit vector along the part of `column` that is orthogonal to u, or any unit vector orthogonal to u if that part is
// zero.
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
    turned = Rotate<0, 1>(B, svd.V);
    turned |= Rotate<0, 2>(B, svd.V);
    turned |= Rotate<1, 2>(B, svd.V);
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

}  // namespace sinew::elasticity
