#include "sinew/offline/elasticity/elastic_body.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "tests/support/gradient_check.h"
#include "tests/support/tet_families.h"

namespace sinew::elasticity {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

VectorXd RandomVector(Eigen::Index size, Random& random) {
  VectorXd v(size);
  for (double& value : v) value = random.Normal();
  return v;
}

// Every node moved by about `size` edges.
Nodes Shaken(const TetMesh& mesh, double size, Random& random) {
  const double edge = (mesh.positions.row(mesh.tets(0, 0)) - mesh.positions.row(mesh.tets(0, 1))).norm();
  const VectorXd v = size * edge * RandomVector(3 * mesh.node_count(), random);
  return mesh.positions + v.reshaped<Eigen::RowMajor>(mesh.node_count(), 3);
}

struct Case {
  std::string name;
  TetMesh mesh;
  Elasticity elasticity;
};

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const testing::TetFamily& family : testing::TetFamilies()) {
    cases.push_back({family.name + "_locking", family.mesh, {.young = 2, .poisson = 0.47, .tet_poisson = 0.5}});
    cases.push_back({family.name + "_by_nodes", family.mesh, {.young = 2, .poisson = 0.47, .tet_poisson = 0.3}});
  }
  return cases;
}
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class ElasticBodyOf : public ::testing::TestWithParam<Case> {
 protected:
  const TetMesh& mesh() const { return GetParam().mesh; }
  ElasticBody body_{GetParam().mesh, GetParam().elasticity};
  Random random_{11};
};
INSTANTIATE_TEST_SUITE_P(Families, ElasticBodyOf, ::testing::ValuesIn(Cases()),
                         [](const auto& c) { return c.param.name; });

TEST_P(ElasticBodyOf, RestIsAtRest) {
  VectorXd gradient;
  body_.Gradient(mesh().positions, gradient);
  EXPECT_LE(gradient.cwiseAbs().maxCoeff(), 1e-13 * body_.ForceScale());
  EXPECT_NEAR(body_.Energy(mesh().positions), 0, 1e-14 * SignedVolume(mesh()));
}

TEST_P(ElasticBodyOf, GradientIsThatOfTheEnergy) {
  for (const double shake : {0.02, 0.2, 1.0}) {
    const Nodes x = Shaken(mesh(), shake, random_);
    VectorXd gradient;
    body_.Gradient(x, gradient);
    // Along random directions: a body has hundreds of coordinates.
    MatrixXd directions(gradient.size(), 6);
    for (int d = 0; d < 6; ++d) directions.col(d) = RandomVector(gradient.size(), random_);
    const auto energy = [&](const VectorXd& s) {
      const VectorXd move = directions * s;
      return body_.Energy(x + move.reshaped<Eigen::RowMajor>(x.rows(), 3));
    };
    const VectorXd slopes = directions.transpose() * gradient;
    EXPECT_LE(GradientError(energy, VectorXd::Zero(6), slopes, 1e-4 * mesh().positions.cwiseAbs().maxCoeff()), 1e-5);
  }
}

// At rest nothing is projected.
TEST_P(ElasticBodyOf, HessianIsTheGradientsAtRest) {
  ElasticHessian hessian;
  body_.Hessian(mesh().positions, hessian);
  const VectorXd direction = RandomVector(3 * mesh().node_count(), random_),
                 other = RandomVector(direction.size(), random_);
  VectorXd product;
  hessian.Multiply(direction, product);
  const auto slope = [&](const VectorXd& s) {
    const VectorXd move = s[0] * direction + s[1] * other;
    VectorXd gradient;
    body_.Gradient(mesh().positions + move.reshaped<Eigen::RowMajor>(mesh().node_count(), 3), gradient);
    return gradient.dot(direction);
  };
  const Eigen::Vector2d expected(product.dot(direction), product.dot(other));
  EXPECT_LE(GradientError(slope, VectorXd::Zero(2), expected, 1e-4 * mesh().positions.cwiseAbs().maxCoeff()), 1e-5);
}

TEST_P(ElasticBodyOf, HessianIsSymmetricAndNeverNegative) {
  for (const double shake : {0.02, 0.5, 2.0}) {
    ElasticHessian hessian;
    body_.Hessian(Shaken(mesh(), shake, random_), hessian);
    for (int i = 0; i < 10; ++i) {
      const VectorXd a = RandomVector(3 * mesh().node_count(), random_), b = RandomVector(a.size(), random_);
      VectorXd Ha, Hb;
      hessian.Multiply(a, Ha);
      hessian.Multiply(b, Hb);
      EXPECT_NEAR(a.dot(Hb), b.dot(Ha), 1e-11 * Ha.norm() * b.norm());
      EXPECT_GE(a.dot(Ha), 0);
      hessian.Precondition(a, Ha);
      EXPECT_GT(a.dot(Ha), 0);
    }
  }
}

// Block by block from the 9x9 matrices of the material.
TEST_P(ElasticBodyOf, HessianIsTheSumOverTetrahedra) {
  if (GetParam().elasticity.tet_poisson < 0.5) return;
  const StableNeoHookean material = StableNeoHookean::FromYoungPoisson(2, 0.47);
  const Nodes x = Shaken(mesh(), 0.5, random_);
  const VectorXd v = RandomVector(x.size(), random_);
  VectorXd expected = VectorXd::Zero(v.size());
  for (int t = 0; t < mesh().tet_count(); ++t) {
    const Matrix3d shape = EdgeMatrix(CornersOf(mesh(), t)).inverse();
    const Matrix3d F = EdgeMatrix(CornersOf({x, mesh().tets}, t)) * shape;
    // vec(F) = B (corners)
    Eigen::Matrix<double, 9, 12> B;
    for (int column = 0; column < 3; ++column) {
      for (int k = 0; k < 3; ++k) {
        B.block<3, 3>(3 * column, 3 * k + 3) = shape(k, column) * Matrix3d::Identity();
      }
      B.block<3, 3>(3 * column, 0) = -shape.col(column).sum() * Matrix3d::Identity();
    }
    Eigen::Matrix<double, 12, 1> local;
    for (int k = 0; k < 4; ++k) local.segment<3>(3 * k) = v.segment<3>(3 * mesh().tets(t, k));
    local = SignedVolume(CornersOf(mesh(), t)) * B.transpose() * (material.ProjectedHessian(F) * (B * local));
    for (int k = 0; k < 4; ++k) expected.segment<3>(3 * mesh().tets(t, k)) += local.segment<3>(3 * k);
  }
  ElasticHessian hessian;
  body_.Hessian(x, hessian);
  VectorXd product;
  hessian.Multiply(v, product);
  EXPECT_LE((product - expected).norm(), 1e-12 * expected.norm());
}

TEST_P(ElasticBodyOf, IsTheSameWhateverTheThreads) {
  const Nodes x = Shaken(mesh(), 0.3, random_);
  const VectorXd v = RandomVector(x.size(), random_);
  const auto all = [&](int threads) {
    SetThreads(threads);
    ElasticHessian hessian;
    body_.Hessian(x, hessian);
    VectorXd product, gradient;
    hessian.Multiply(v, product);
    body_.Gradient(x, gradient);
    SetThreads(0);
    return std::tuple(body_.Energy(x), product, gradient);
  };
  EXPECT_EQ(all(1), all(3));
}

TEST(ElasticBody, RefusesAFlatRestShape) {
  TetMesh flat = testing::TetFamilies()[0].mesh;
  flat.positions(3, 2) = 0;
  EXPECT_THROW(ElasticBody(flat, {}), UsageError);
}

}  // namespace
}  // namespace sinew::elasticity
