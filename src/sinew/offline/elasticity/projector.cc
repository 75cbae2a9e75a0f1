#include "sinew/offline/elasticity/projector.h"

#include <Eigen/Eigenvalues>

namespace sinew::elasticity {
namespace {

// Share of the largest eigenvalue below which a direction counts as linearly dependent on others.
constexpr double kDependent = 1e-12;

Eigen::MatrixXd PseudoInverse(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return A;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(A);
  const double floor = kDependent * eigen.eigenvalues().cwiseAbs().maxCoeff();
  const Eigen::VectorXd inverse = eigen.eigenvalues().unaryExpr([&](double e) { return e > floor ? 1 / e : 0; });
  return eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace

void PinnedNodes::Apply(Eigen::VectorXd& v) const {
  for (const int node : nodes_) v.segment<3>(3 * node).setZero();
}

NullSpace::NullSpace(const Eigen::SparseMatrix<double>& U, std::vector<int> pinned)
    : pinned_(std::move(pinned)), U_(U) {
  Eigen::VectorXd free = Eigen::VectorXd::Ones(U_.rows());
  pinned_.Apply(free);
  U_.prune([&](Eigen::Index row, Eigen::Index, double) { return free[row] != 0; });
  inverse_ = PseudoInverse(Eigen::MatrixXd(U_.transpose() * U_));
}

void NullSpace::Apply(Eigen::VectorXd& v) const {
  pinned_.Apply(v);
  const Eigen::VectorXd along = inverse_ * (U_.transpose() * v);
  v -= U_ * along;
}

}  // namespace sinew::elasticity
