#include "sinew/offline/elasticity/conjugate_gradients.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>

#include "sinew/offline/core/random.h"

namespace sinew::elasticity {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd RandomDense(int rows, int columns, Random& random) {
  MatrixXd m(rows, columns);
  for (double& value : m.reshaped()) value = random.Normal();
  return m;
}

class Dense : public LinearSystem {
 public:
  explicit Dense(MatrixXd A) : A_(std::move(A)) {}
  void Multiply(const VectorXd& v, VectorXd& out) const override { out = A_ * v; }
  void Precondition(const VectorXd& v, VectorXd& out) const override { out = v.cwiseQuotient(A_.diagonal()); }
  const MatrixXd& matrix() const { return A_; }

 private:
  MatrixXd A_;
};

Dense RandomSystem(int size, Random& random) {
  const MatrixXd B = RandomDense(size, size, random);
  return Dense(B * B.transpose() + 0.1 * MatrixXd::Identity(size, size));
}

// With Z a basis of the allowed directions: x = Z (Z^T A Z)^-1 Z^T b.
VectorXd ByDefinition(const MatrixXd& A, const Projector& projector, const VectorXd& b) {
  MatrixXd P(b.size(), b.size());
  for (int i = 0; i < b.size(); ++i) {
    VectorXd e = VectorXd::Unit(b.size(), i);
    projector.Apply(e);
    P.col(i) = e;
  }
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(P);
  const MatrixXd Z = MatrixXd(qr.householderQ()).leftCols(qr.rank());
  return Z * (Z.transpose() * A * Z).ldlt().solve(Z.transpose() * b);
}

void ExpectSolves(const Dense& system, const Projector& projector, const VectorXd& b) {
  VectorXd x;
  const CgResult result = SolveProjected(system, projector, b, {.tolerance = 1e-13}, x);
  EXPECT_TRUE(result.converged);
  EXPECT_LE((x - ByDefinition(system.matrix(), projector, b)).norm(), 1e-8 * x.norm());
  VectorXd projected = x;
  projector.Apply(projected);
  EXPECT_LE((projected - x).norm(), 1e-12 * x.norm());
}

TEST(ConjugateGradients, SolvesWithPinnedNodes) {
  Random random(1);
  for (const std::vector<int>& pins : std::vector<std::vector<int>>{{}, {3}, {0, 1, 7, 9}}) {
    const Dense system = RandomSystem(30, random);
    ExpectSolves(system, PinnedNodes(pins), RandomDense(30, 1, random));
  }
}

TEST(ConjugateGradients, SolvesInTheNullSpaceOfASubspace) {
  Random random(2);
  for (int columns = 1; columns < 7; columns += 2) {
    const Dense system = RandomSystem(30, random);
    MatrixXd B = RandomDense(10, columns + 1, random);
    B.col(columns) = B.col(0) * 3;  // depends on another
    const NullSpace projector(B.sparseView(), 3, {2, 5});
    ExpectSolves(system, projector, RandomDense(30, 1, random));
    VectorXd v = RandomDense(30, 1, random);
    projector.Apply(v);
    EXPECT_LE((v.reshaped(3, 10) * B).norm(), 1e-11);
    EXPECT_EQ(v.segment<3>(6).norm(), 0);
    EXPECT_EQ(v.segment<3>(15).norm(), 0);
  }
}

TEST(ConjugateGradients, EveryIterateIsADirectionOfDescent) {
  Random random(3);
  const Dense system = RandomSystem(60, random);
  const VectorXd b = RandomDense(60, 1, random);
  double last = 0;
  for (int iterations = 1; iterations < 60; ++iterations) {
    VectorXd x;
    SolveProjected(system, PinnedNodes({4}), b, {.tolerance = 1e-14, .max_iterations = iterations}, x);
    const double value = 0.5 * x.dot(system.matrix() * x) - b.dot(x);
    EXPECT_LE(value, last + 1e-12 * std::abs(last));
    EXPECT_GT(b.dot(x), 0);
    last = value;
  }
}

TEST(ConjugateGradients, NothingToDoIsDone) {
  Random random(4);
  VectorXd x;
  const CgResult result = SolveProjected(RandomSystem(9, random), PinnedNodes({0}), VectorXd::Zero(9), {}, x);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(x, VectorXd::Zero(9));
}

}  // namespace
}  // namespace sinew::elasticity
