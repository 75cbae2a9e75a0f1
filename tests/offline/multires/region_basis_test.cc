#include "sinew/offline/multires/region_basis.h"

#include <gtest/gtest.h>
#include <Eigen/SVD>

#include <cmath>

#include "sinew/offline/core/random.h"

namespace sinew::multires {
namespace {

// Rows of rank `rank` with singular values that fall by `ratio`.
learn::RowMatrix Decaying(int rows, int columns, int rank, double ratio, uint64_t seed) {
  Random random(seed);
  learn::RowMatrix sum = learn::RowMatrix::Zero(rows, columns);
  for (int k = 0; k < rank; ++k) {
    Eigen::VectorXf a(rows), b(columns);
    for (int i = 0; i < rows; ++i) a[i] = static_cast<float>(random.Normal());
    for (int i = 0; i < columns; ++i) b[i] = static_cast<float>(random.Normal());
    sum += static_cast<float>(std::pow(ratio, k)) * a * b.transpose();
  }
  return sum;
}

TEST(RegionBasis, KeepsAsManyModesAsTheExactDecompositionWould) {
  for (const double ratio : {0.3, 0.6, 0.9}) {
    for (const double epsilon : {1.0, 0.3, 0.1, 0.01}) {
      const learn::RowMatrix A = Decaying(80, 150, 40, ratio, 3);
      const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(A.cast<double>()).singularValues();
      const double allowed = epsilon * epsilon * 80 * 50;
      int exact = 0;
      double left = A.cast<double>().squaredNorm();
      while (left > allowed && exact < values.size()) left -= values[exact] * values[exact], ++exact;
      const RegionBasis basis = FindRegionBasis(A, epsilon, 64, 1);
      // One power iteration: where values fall slowly, one more may be needed.
      EXPECT_GE(basis.V.rows(), exact);
      EXPECT_LE(basis.V.rows(), exact + 1);
      const learn::RowMatrix rest = basis.V.rows() == 0 ? A : learn::RowMatrix(A - basis.z * basis.V);
      EXPECT_LE(rest.squaredNorm(), allowed * 1.001);
      EXPECT_NEAR(rest.squaredNorm() / (80 * 50), basis.left, 1e-4 * A.squaredNorm() / (80 * 50));
      if (basis.V.rows() == 0) continue;
      const learn::RowMatrix gram = basis.V * basis.V.transpose();
      EXPECT_LT((gram - learn::RowMatrix::Identity(gram.rows(), gram.rows())).cwiseAbs().maxCoeff(), 1e-4);
    }
  }
}

TEST(RegionBasis, CullsWhatIsSmallEnough) {
  const learn::RowMatrix A = Decaying(20, 30, 3, 0.5, 1);
  EXPECT_EQ(FindRegionBasis(A, 100, 64, 1).V.rows(), 0);
  EXPECT_EQ(FindRegionBasis(learn::RowMatrix::Zero(20, 30), 1e-9, 64, 1).V.rows(), 0);
}

TEST(RegionBasis, NeverExceedsTheMost) {
  EXPECT_EQ(FindRegionBasis(Decaying(60, 90, 50, 0.99, 1), 1e-6, 12, 1).V.rows(), 12);
  EXPECT_LE(FindRegionBasis(Decaying(5, 90, 5, 0.99, 1), 1e-9, 64, 1).V.rows(), 5);
}

}  // namespace
}  // namespace sinew::multires
