#include "sinew/offline/multires/region_basis.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>

#include "sinew/offline/core/random.h"

namespace sinew::multires {
namespace {

// Returns an orthonormal basis of the span of the columns.
learn::RowMatrix Orthonormal(const learn::RowMatrix& columns) {
  const Eigen::HouseholderQR<Eigen::MatrixXf> qr{Eigen::MatrixXf(columns)};
  return learn::RowMatrix(qr.householderQ() * Eigen::MatrixXf::Identity(columns.rows(), columns.cols()));
}

learn::RowMatrix Noise(Eigen::Index rows, Eigen::Index columns, uint64_t seed) {
  Random random(seed);
  learn::RowMatrix noise(rows, columns);
  for (Eigen::Index i = 0; i < noise.size(); ++i) noise.data()[i] = static_cast<float>(random.Normal());
  return noise;
}

learn::RowMatrix Multiply(const learn::RowMatrix& A, const learn::RowMatrix& B) {
  learn::RowMatrix C(A.rows(), B.cols());
  learn::Product(A, B, C);
  return C;
}

// Leading `count` right singular vectors of A, as rows, and their singular values.
struct LeadingVectors {
  learn::RowMatrix V;
  Eigen::VectorXd values;
};
LeadingVectors FindLeading(const learn::RowMatrix& A, Eigen::Index count, uint64_t seed) {
  // Random projection, then one power iteration.
  learn::RowMatrix Q = Orthonormal(Multiply(A, Noise(A.cols(), count, seed)));
  learn::RowMatrix B = Multiply(learn::RowMatrix(Q.transpose()), A);
  Q = Orthonormal(Multiply(A, learn::RowMatrix(B.transpose())));
  B = Multiply(learn::RowMatrix(Q.transpose()), A);
  // B has few rows: its singular vectors follow from the small matrix B B'.
  const Eigen::MatrixXd gram = B.cast<double>() * B.cast<double>().transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(gram);
  LeadingVectors leading;
  leading.values = eigen.eigenvalues().reverse().cwiseMax(0).cwiseSqrt();
  const Eigen::MatrixXd vectors = eigen.eigenvectors().rowwise().reverse();
  leading.V = Multiply(learn::RowMatrix(vectors.transpose().cast<float>()), B);
  for (Eigen::Index i = 0; i < count; ++i) {
    const float length = leading.V.row(i).norm();
    if (length > 0) leading.V.row(i) /= length;
  }
  return leading;
}

}  // namespace

RegionBasis FindRegionBasis(const learn::RowMatrix& residuals, double epsilon, int most, uint64_t seed) {
  constexpr int kExtra = 6;  // oversampling: vectors beyond those that are kept, which make the kept ones accurate
  const auto frames = static_cast<double>(residuals.rows());
  const double vertices = static_cast<double>(residuals.cols()) / 3;
  const double all = residuals.cast<double>().squaredNorm();
  const double allowed = epsilon * epsilon * frames * vertices;
  RegionBasis basis;
  basis.left = all / (frames * vertices);
  if (!(all > allowed)) return basis;

  // Double the number of vectors until the error is small enough or no more are allowed.
  const Eigen::Index limit = std::min(residuals.rows(), residuals.cols());
  for (Eigen::Index count = 8;; count *= 2) {
    const Eigen::Index tried = std::min<Eigen::Index>({count + kExtra, most + kExtra, limit});
    const LeadingVectors leading = FindLeading(residuals, tried, seed);
    const Eigen::Index usable = std::min<Eigen::Index>({count, most, limit, leading.values.size()});
    double left = all;
    Eigen::Index kept = 0;
    while (kept < usable && left > allowed && leading.values[kept] > 0) {
      left -= leading.values[kept] * leading.values[kept];
      ++kept;
    }
    if (left > allowed && usable == count && count < most && tried < limit) continue;
    basis.V = leading.V.topRows(kept);
    basis.z.resize(residuals.rows(), kept);
    learn::ProductTransposed(residuals, basis.V, basis.z);
    basis.left = std::max(0.0, left) / (frames * vertices);
    return basis;
  }
}

}  // namespace sinew::multires
