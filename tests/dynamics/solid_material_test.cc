// The material in space (runtime/kernels/solid_neo_hookean.h) against the one with Eigen.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "sinew/dynamics/material.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/elasticity/stable_neo_hookean.h"

namespace sinew::dynamics {
namespace {

using Eigen::Matrix3d;
using runtime::SolidMatrix;

SolidMatrix ToSolid(const Matrix3d& F) {
  SolidMatrix out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out.at[i][j] = F(i, j);
  }
  return out;
}
Matrix3d ToEigen(const SolidMatrix& F) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(&F.at[0][0]);
}

// Deformation gradients near rest, far from it, inverted, flat, of rank one and with equal singular values.
std::vector<Matrix3d> Gradients() {
  Random random(11);
  const auto draw = [&](double size) {
    Matrix3d F;
    for (double& entry : F.reshaped()) entry = size * random.Normal();
    return F;
  };
  std::vector<Matrix3d> all = {Matrix3d::Identity(),
                               Matrix3d::Zero(),
                               -Matrix3d::Identity(),
                               Eigen::Vector3d(2, 1, 0).asDiagonal(),
                               Eigen::Vector3d(0, 0, 3).asDiagonal(),
                               Eigen::Vector3d(1, 1, -1).asDiagonal()};
  for (int i = 0; i < 40; ++i) {
    all.push_back(Matrix3d::Identity() + draw(0.1));
    all.push_back(draw(1));
    const Matrix3d column = draw(1);
    all.push_back(column.col(0) * column.row(1));
  }
  return all;
}

TEST(SolidMaterial, DecompositionIsOneOfRotations) {
  for (const Matrix3d& F : Gradients()) {
    const runtime::SolidSvd svd = runtime::ComputeSolidSvd(ToSolid(F));
    const Matrix3d U = ToEigen(svd.U), V = ToEigen(svd.V);
    EXPECT_LT((U * Eigen::Vector3d(svd.sigma).asDiagonal() * V.transpose() - F).norm(), 1e-12 * (1 + F.norm()));
    for (const Matrix3d& R : {U, V}) {
      EXPECT_LT((R * R.transpose() - Matrix3d::Identity()).norm(), 1e-12);
      EXPECT_NEAR(R.determinant(), 1, 1e-12);
    }
    EXPECT_GE(svd.sigma[0], svd.sigma[1] - 1e-12);
    EXPECT_GE(svd.sigma[1], std::abs(svd.sigma[2]) - 1e-12);
  }
}

TEST(SolidMaterial, EqualsTheOneOfTheSolver) {
  const auto oracle = elasticity::StableNeoHookean::FromYoungPoisson(1e4, 0.4);
  const runtime::NeoHookean material{oracle.mu(), oracle.lambda()};
  for (const Matrix3d& F : Gradients()) {
    const double scale = 1e4 * (1 + F.squaredNorm() * F.squaredNorm());
    EXPECT_NEAR(EnergyDensity(material, ToSolid(F)), oracle.Energy(F), 1e-10 * scale * (1 + F.squaredNorm()));
    EXPECT_LT((ToEigen(StressOf(material, ToSolid(F))) - oracle.Stress(F)).norm(), 1e-11 * scale);
    // Columns of F one after another, as in vec(F).
    const elasticity::Matrix9d H = oracle.ProjectedHessian(F);
    const ColumnBlocks<3> blocks = BlocksOf(material, ToSolid(F), 1);
    for (int c = 0; c < 3; ++c) {
      for (int d = 0; d < 3; ++d) {
        const Matrix3d expected = H.block<3, 3>(3 * c, 3 * d);
        EXPECT_LT((ToEigen(blocks.columns[c][d]) - expected).norm(), 1e-9 * scale);
      }
    }
  }
}

}  // namespace
}  // namespace sinew::dynamics
