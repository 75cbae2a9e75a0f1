#include "sinew/offline/multires/image_misfit.h"

#include <Eigen/Cholesky>
#include <cmath>

namespace sinew::multires {
namespace {

// Features of every other frame from `first` on, `begin` being the first of all, as rows with a constant.
Eigen::MatrixXd EveryOther(const learn::RowMatrix& columns, int begin, int first, int frames) {
  const int count = (frames - first + 1) / 2;
  Eigen::MatrixXd rows(count, columns.rows() + 1);
  for (int i = 0; i < count; ++i) {
    rows.row(i) << columns.col(begin + first + 2 * i).transpose().cast<double>(), 1;
  }
  return rows;
}

}  // namespace

double ImageMisfit(const learn::RowMatrix& features, const learn::RowMatrix& displacements, int frames) {
  constexpr int kFewest = 8;
  if (frames < kFewest) return 1;
  const Eigen::MatrixXd A = EveryOther(features, 0, 0, frames);
  const auto row_of = [&](int begin, int first, Eigen::Index i) {
    return displacements.row(begin + first + 2 * i).cast<double>();
  };
  Eigen::MatrixXd Y(A.rows(), displacements.cols());
  for (Eigen::Index i = 0; i < A.rows(); ++i) Y.row(i) = row_of(0, 0, i);
  // Ridge regression. Features are entries of rotations, so one ridge suits them all.
  constexpr double kRidge = 1e-2;
  Eigen::MatrixXd normal = A.transpose() * A;
  normal.diagonal().array() += kRidge * static_cast<double>(A.rows());
  const Eigen::MatrixXd W = normal.ldlt().solve(A.transpose() * Y);
  const auto error = [&](int begin) {
    const Eigen::MatrixXd B = EveryOther(features, begin, 1, frames);
    double sum = 0;
    for (Eigen::Index i = 0; i < B.rows(); ++i) sum += (B.row(i) * W - row_of(begin, 1, i)).squaredNorm();
    return std::sqrt(sum);
  };
  const double of_frames = error(0), of_images = error(frames);
  return of_frames > 0 ? of_images / of_frames : 1;
}

}  // namespace sinew::multires
