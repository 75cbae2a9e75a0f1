#include "sinew/offline/elasticity/stable_neo_hookean.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/elasticity/rotation_svd.h"
#include "sinew/runtime/kernels/plane_neo_hookean.h"
#include "tests/support/gradient_check.h"

namespace sinew::elasticity {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

Matrix3d RandomMatrix(Random& random, double scale = 1) {
  Matrix3d F;
  for (double& f : F.reshaped()) f = scale * random.Normal();
  return F;
}

Matrix3d RandomRotation(Random& random) {
  Eigen::Vector4d q;
  for (double& c : q) c = random.Normal();
  return Eigen::Quaterniond(q).normalized().toRotationMatrix();
}

struct Deformation {
  std::string name;
  Matrix3d F;
};

// Near rest, far from it, inverted, flat, collapsed to a line and to a point, with equal singular values.
std::vector<Deformation> Deformations() {
  Random random(3);
  std::vector<Deformation> all = {{"rest", Matrix3d::Identity()}, {"point", Matrix3d::Zero()}};
  const auto add = [&](const std::string& name, const Vector3d& sigma) {
    all.push_back({name, RandomRotation(random) * sigma.asDiagonal() * RandomRotation(random)});
  };
  for (int i = 0; i < 20; ++i) {
    all.push_back({"near rest", Matrix3d::Identity() + RandomMatrix(random, 0.1)});
    all.push_back({"random", RandomMatrix(random)});
    add("inverted", {random.Uniform(0.2, 2), random.Uniform(0.2, 2), -random.Uniform(0.2, 2)});
    add("flat", {random.Uniform(0.2, 2), random.Uniform(0.2, 2), 0});
    add("nearly flat", {1, 0.7, 1e-9 * random.Normal()});
  }
  add("rotation", {1, 1, 1});
  add("reflection", {1, 1, -1});
  add("doubled", {2, 2, 2});
  add("two equal", {1.3, 1.3, 0.4});
  add("line", {1.5, 0, 0});
  add("squeezed", {0.1, 0.1, 0.1});
  return all;
}

std::vector<StableNeoHookean> Materials() {
  std::vector<StableNeoHookean> all;
  for (const double poisson : {0.0, 0.3, 0.47, 0.495}) all.push_back(StableNeoHookean::FromYoungPoisson(1, poisson));
  return all;
}

// What must hold for every material in every deformation.
template <typename Check>
void ForAll(const Check& check) {
  for (const StableNeoHookean& material : Materials()) {
    for (const Deformation& deformation : Deformations()) {
      SCOPED_TRACE(deformation.name);
      SCOPED_TRACE(material.lambda());
      check(material, deformation.F);
    }
  }
}

TEST(RotationSvd, IsADecompositionWithRotations) {
  for (const Deformation& deformation : Deformations()) {
    for (const double scale : {1e-12, 1.0, 1e9}) {
      SCOPED_TRACE(deformation.name);
      const Matrix3d F = scale * deformation.F;
      const RotationSvd svd = ComputeRotationSvd(F);
      EXPECT_LE((svd.U * svd.sigma.asDiagonal() * svd.V.transpose() - F).norm(), 1e-14 * F.norm());
      for (const Matrix3d& R : {svd.U, svd.V}) {
        EXPECT_LE((R * R.transpose() - Matrix3d::Identity()).norm(), 1e-14);
        EXPECT_NEAR(R.determinant(), 1, 1e-14);
      }
      EXPECT_GE(svd.sigma[0], svd.sigma[1] - 1e-14 * F.norm());
      EXPECT_GE(svd.sigma[1], std::abs(svd.sigma[2]) - 1e-14 * F.norm());
    }
  }
}

TEST(StableNeoHookean, StressIsTheGradientOfEnergy) {
  ForAll([](const StableNeoHookean& material, const Matrix3d& F) {
    const auto energy = [&](const VectorXd& f) { return material.Energy(f.reshaped(3, 3)); };
    EXPECT_LE(GradientError(energy, F.reshaped(), material.Stress(F).reshaped()), 1e-5);
  });
}

TEST(StableNeoHookean, HessianIsTheGradientOfStress) {
  ForAll([](const StableNeoHookean& material, const Matrix3d& F) {
    const Matrix9d H = material.Hessian(F);
    for (int i = 0; i < 9; ++i) {
      const auto stress = [&](const VectorXd& f) { return material.Stress(f.reshaped(3, 3)).reshaped()[i]; };
      EXPECT_LE(GradientError(stress, F.reshaped(), H.col(i)), 1e-5);
    }
  });
}

TEST(StableNeoHookean, RestHasNoEnergyAndNoStress) {
  for (const StableNeoHookean& material : Materials()) {
    EXPECT_EQ(material.Energy(Matrix3d::Identity()), 0);
    EXPECT_EQ(material.Stress(Matrix3d::Identity()), Matrix3d::Zero());
  }
}

TEST(StableNeoHookean, IsLinearElasticityNearRest) {
  const double young = 3, poisson = 0.4;
  const double mu = young / (2 * (1 + poisson)), lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  const StableNeoHookean material = StableNeoHookean::FromYoungPoisson(young, poisson);
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    const Matrix3d dF = RandomMatrix(random);
    const Matrix3d expected = mu * (dF + dF.transpose()) + lambda * dF.trace() * Matrix3d::Identity();
    const VectorXd dP = material.Hessian(Matrix3d::Identity()) * dF.reshaped();
    EXPECT_LE((dP - expected.reshaped()).norm(), 1e-13 * expected.norm());
  }
}

TEST(StableNeoHookean, IgnoresRotationsAndIsIsotropic) {
  Random random(7);
  ForAll([&](const StableNeoHookean& material, const Matrix3d& F) {
    const Matrix3d Q = RandomRotation(random), R = RandomRotation(random);
    const double energy = material.Energy(F);
    EXPECT_NEAR(material.Energy(Q * F * R), energy, 1e-12 * (1 + std::abs(energy)));
    const Matrix3d stress = Q * material.Stress(F) * R;
    EXPECT_LE((material.Stress(Q * F * R) - stress).norm(), 1e-12 * (1 + stress.norm()));
  });
}

// By a general eigenvalue solver, which knows nothing of singular vectors.
Matrix9d ProjectedByDefinition(const Matrix9d& H) {
  const Eigen::SelfAdjointEigenSolver<Matrix9d> eigen(H);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
}

TEST(StableNeoHookean, ProjectedHessianIsTheNearestPositiveSemiDefiniteOne) {
  int projected = 0, untouched = 0;
  ForAll([&](const StableNeoHookean& material, const Matrix3d& F) {
    const Matrix9d exact = material.Hessian(F), ours = material.ProjectedHessian(F);
    const double size = std::max(exact.norm(), 1.0);
    EXPECT_LE((ours - ProjectedByDefinition(exact)).norm(), 1e-11 * size);
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<Matrix9d>(ours).eigenvalues()[0], -1e-13 * size);
    const bool is_psd = Eigen::SelfAdjointEigenSolver<Matrix9d>(exact).eigenvalues()[0] >= -1e-13 * size;
    if (is_psd) {
      EXPECT_LE((ours - exact).norm(), 1e-11 * size);
    }
    ++(is_psd ? untouched : projected);
  });
  EXPECT_GT(projected, 50);
  EXPECT_GT(untouched, 20);
}

TEST(StableNeoHookean, RefusesImpossibleConstants) {
  for (const double young : {0.0, -1.0, double(NAN), double(INFINITY)}) {
    EXPECT_THROW(StableNeoHookean::FromYoungPoisson(young, 0.3), UsageError);
  }
  for (const double poisson : {-0.1, 0.5, 0.7, double(NAN)}) {
    EXPECT_THROW(StableNeoHookean::FromYoungPoisson(1, poisson), UsageError);
  }
}

// The plane's kernel against the material of three dimensions with F_33 = 1, on all kinds of deformations.
TEST(PlaneNeoHookean, IsTheMaterialOfSpaceWithoutTheThirdAxis) {
  for (const StableNeoHookean& material : Materials()) {
    const runtime::NeoHookean constants{material.mu(), material.lambda()};
    for (const Deformation& deformation : Deformations()) {
      SCOPED_TRACE(deformation.name);
      Matrix3d F = Matrix3d::Identity();
      F.topLeftCorner<2, 2>() = deformation.F.topLeftCorner<2, 2>();
      const runtime::PlaneMatrix plain{F(0, 0), F(0, 1), F(1, 0), F(1, 1)};
      const double energy = material.Energy(F), scale = material.mu() + material.lambda();
      EXPECT_NEAR(runtime::PlaneEnergy(constants, plain), energy, 1e-12 * (scale + std::abs(energy)));
      const runtime::PlaneMatrix P = runtime::PlaneStress(constants, plain);
      const Matrix3d stress = material.Stress(F);
      const double size = 1e-12 * (scale + stress.norm());
      EXPECT_NEAR(P.xx, stress(0, 0), size);
      EXPECT_NEAR(P.xy, stress(0, 1), size);
      EXPECT_NEAR(P.yx, stress(1, 0), size);
      EXPECT_NEAR(P.yy, stress(1, 1), size);
      const runtime::PlaneSpectrum spectrum = runtime::PlaneProject(constants, plain);
      Eigen::Matrix4d H = Eigen::Matrix4d::Zero(), full = Eigen::Matrix4d::Zero();
      const Matrix9d whole = material.Hessian(F);
      for (int c = 0; c < 2; ++c) {
        for (int d = 0; d < 2; ++d) {
          const auto turned = [&](int axis) {
            const runtime::PlaneMatrix& V = spectrum.V;
            return axis == 0 ? Eigen::Vector2d(V.xx, V.xy) : Eigen::Vector2d(V.yx, V.yy);
          };
          const Eigen::Vector2d p = turned(c), q = turned(d);
          const runtime::PlaneMatrix block = runtime::PlaneBlock(spectrum, p[0], p[1], q[0], q[1]);
          H.block<2, 2>(2 * c, 2 * d) << block.xx, block.xy, block.yx, block.yy;
          full.block<2, 2>(2 * c, 2 * d) = whole.block<2, 2>(3 * c, 3 * d);
        }
      }
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(full);
      const Eigen::Matrix4d projected =
          eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
      EXPECT_LT((H - projected).norm(), 1e-10 * (full.norm() + scale));
    }
  }
}

}  // namespace
}  // namespace sinew::elasticity
