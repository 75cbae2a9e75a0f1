#include "sinew/offline/lod/upsampling.h"

#include <Eigen/SparseCholesky>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"

namespace sinew::lod {

using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

Rows ToMatrix(const Upsampling& U) {
  Rows matrix(U.fine_count(), U.coarse_count);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(3 * U.corners.size());
  for (int f = 0; f < U.fine_count(); ++f) {
    for (int k = 0; k < 3; ++k) {
      if (U.weights[f][k] != 0) entries.emplace_back(f, U.corners[f][k], U.weights[f][k]);
    }
  }
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Eigen::MatrixXd Upsample(const Upsampling& U, const Eigen::MatrixXd& fields) {
  Eigen::MatrixXd fine(U.fine_count(), fields.cols());
  for (int f = 0; f < U.fine_count(); ++f) {
    fine.row(f).setZero();
    for (int k = 0; k < 3; ++k) fine.row(f) += static_cast<double>(U.weights[f][k]) * fields.row(U.corners[f][k]);
  }
  return fine;
}

struct Coarsening::State {
  Rows U, normal_rows;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> normal;
};

Coarsening::Coarsening(const Upsampling& U) : state_(std::make_unique<State>()) {
  state_->U = ToMatrix(U);
  const Eigen::SparseMatrix<double> columns = state_->U;
  state_->normal_rows = columns.transpose() * columns;
  state_->normal.compute(state_->normal_rows);
  const bool regular =
      state_->normal.info() == Eigen::Success && (U.coarse_count == 0 || state_->normal.vectorD().minCoeff() > 1e-9);
  if (!regular) throw FailedError("the upsampling operator has not full column rank, so nothing coarsens it back");
}

Coarsening::~Coarsening() = default;
Coarsening::Coarsening(Coarsening&&) noexcept = default;
Coarsening& Coarsening::operator=(Coarsening&&) noexcept = default;

Eigen::MatrixXd Coarsening::Apply(const Eigen::MatrixXd& fields) const {
  Eigen::MatrixXd coarse(state_->U.cols(), fields.cols());
  ParallelFor(static_cast<int>(fields.cols()), 1, [&](int c) {
    coarse.col(c) = state_->normal.solve(Eigen::VectorXd(state_->U.transpose() * fields.col(c)));
  });
  return coarse;
}

Eigen::MatrixXd Coarsening::ApplyToShares(const Eigen::MatrixXd& shares) const {
  // Projected gradient steps on |U x - shares|^2, each scaled by the inverse sum of its row of U' U: no entry of U' U
  // is negative, so the step never overshoots.
  constexpr int kSteps = 30;
  using Shares = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Shares target = state_->U.transpose() * shares;
  const Eigen::VectorXd row_sums = state_->normal_rows * Eigen::VectorXd::Ones(state_->U.cols());
  Shares now = Apply(shares).cwiseMax(0);
  Shares next(now.rows(), now.cols());
  for (int step = 0; step < kSteps; ++step) {
    ParallelFor(static_cast<int>(now.rows()), 256, [&](int i) {
      Eigen::RowVectorXd gradient = -target.row(i);
      for (Rows::InnerIterator entry(state_->normal_rows, i); entry; ++entry) {
        gradient += entry.value() * now.row(entry.col());
      }
      next.row(i) = (now.row(i) - gradient / row_sums[i]).cwiseMax(0);
      const double sum = next.row(i).sum();
      if (sum > 0) next.row(i) /= sum;
    });
    now.swap(next);
  }
  return now;
}

}  // namespace sinew::lod
