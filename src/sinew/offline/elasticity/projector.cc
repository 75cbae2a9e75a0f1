#include "sinew/offline/elasticity/projector.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include "sinew/offline/core/error.h"

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
  for (const int node : nodes_) v.segment(dimension_ * node, dimension_).setZero();
}

NullSpace::NullSpace(const Eigen::SparseMatrix<double>& B, int dimension, const std::vector<int>& pinned)
    : pinned_(pinned, dimension), dimension_(dimension), B_(B) {
  if (dimension != 2 && dimension != 3)
    throw UsageError(fmt::format("{} coordinates per node; give 2 or 3", dimension));
  std::vector<bool> is_pinned(B_.rows());
  for (const int node : pinned) is_pinned[node] = true;
  B_.prune([&](Eigen::Index node, Eigen::Index, double) { return !is_pinned[node]; });
  inverse_ = PseudoInverse(Eigen::MatrixXd(B_.transpose() * B_));
}

void NullSpace::Apply(Eigen::VectorXd& v) const {
  pinned_.Apply(v);
  dimension_ == 2 ? Project<2>(v) : Project<3>(v);
}

template <int kDimension>
void NullSpace::Project(Eigen::VectorXd& v) const {
  using Coordinates = Eigen::Matrix<double, kDimension, Eigen::Dynamic>;
  Eigen::Map<Coordinates> nodes(v.data(), kDimension, B_.rows());
  const int* offsets = B_.outerIndexPtr();
  const int* columns = B_.innerIndexPtr();
  const double* values = B_.valuePtr();
  // Neighbours have the same columns. Two sums, of even and of odd nodes, so that one need not wait for the other.
  Coordinates sums[2] = {Coordinates::Zero(kDimension, B_.cols()), Coordinates::Zero(kDimension, B_.cols())};
  for (Eigen::Index n = 0; n < B_.rows(); ++n) {
    const Eigen::Vector<double, kDimension> node = nodes.col(n);
    Coordinates& sum = sums[n % 2];
    for (int e = offsets[n]; e < offsets[n + 1]; ++e) sum.col(columns[e]) += values[e] * node;
  }
  const Coordinates along = (sums[0] + sums[1]) * inverse_;
  for (Eigen::Index n = 0; n < B_.rows(); ++n) {
    Eigen::Vector<double, kDimension> node = nodes.col(n);
    for (int e = offsets[n]; e < offsets[n + 1]; ++e) node -= values[e] * along.col(columns[e]);
    nodes.col(n) = node;
  }
}

void RangeSpace::Apply(Eigen::VectorXd& v) const {
  Eigen::VectorXd outside = v;
  null_space_.Apply(outside);
  v -= outside;
}

}  // namespace sinew::elasticity
