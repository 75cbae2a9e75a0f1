#include "sinew/offline/flesh/flesh_body.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "sinew/offline/core/random.h"
#include "tests/support/gradient_check.h"
#include "tests/support/tet_families.h"

namespace sinew::flesh {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

VectorXd RandomVector(Eigen::Index size, double scale, Random& random) {
  VectorXd v(size);
  for (double& value : v) value = scale * random.Normal();
  return v;
}

DualQuaternion RandomMotion(double size, Random& random) {
  const VectorXd v = RandomVector(6, size, random);
  Eigen::Affine3d map = Eigen::Affine3d::Identity();
  map.linear() = Eigen::AngleAxisd(v.head<3>().norm(), v.head<3>().normalized()).toRotationMatrix();
  map.translation() = v.tail<3>();
  return NearestRigid(map, Vector3d::Zero());
}

class FleshBodyOf : public ::testing::TestWithParam<testing::TetFamily> {
 protected:
  const TetMesh& mesh() const { return GetParam().mesh; }
  // Two points a tetrahedron, one of them not its centre.
  std::vector<FleshPoint> Frames(double size) {
    std::vector<DualQuaternion> nodes;
    for (int n = 0; n < mesh().node_count(); ++n) nodes.push_back(RandomMotion(size, random_));
    std::vector<FleshPoint> frames;
    for (int t = 0; t < mesh().tet_count(); ++t) {
      std::array<DualQuaternion, 4> corners;
      for (int k = 0; k < 4; ++k) corners[k] = nodes[mesh().tets(t, k)];
      for (const Eigen::Vector4d& at : {Eigen::Vector4d(0.25, 0.25, 0.25, 0.25), Eigen::Vector4d(0.6, 0.1, 0.1, 0.2)}) {
        frames.push_back({t, at, 0.4 * body_.Volume(t), ChangeOf(corners, body_.Gradients(t), at)});
      }
    }
    return frames;
  }
  double Edge() const {
    return (mesh().positions.row(mesh().tets(0, 0)) - mesh().positions.row(mesh().tets(0, 1))).norm();
  }
  Nodes Shaken(double size) {
    const VectorXd v = RandomVector(3 * mesh().node_count(), size * Edge(), random_);
    return mesh().positions + v.reshaped<Eigen::RowMajor>(mesh().node_count(), 3);
  }
  FleshBody body_{GetParam().mesh, elasticity::StableNeoHookean::FromYoungPoisson(2, 0.47)};
  Random random_{5};
};
INSTANTIATE_TEST_SUITE_P(Families, FleshBodyOf, ::testing::ValuesIn(testing::TetFamilies()),
                         [](const auto& c) { return c.param.name; });

TEST_P(FleshBodyOf, RestWithoutMotionHasNoEnergy) {
  const std::vector<FleshPoint> frames = Frames(0);
  EXPECT_NEAR(body_.Energy(frames, mesh().positions), 0, 1e-15);
}

TEST_P(FleshBodyOf, GradientIsThatOfTheEnergy) {
  const std::vector<FleshPoint> frames = Frames(0.3 * Edge());
  const Nodes z = Shaken(0.2);
  VectorXd gradient = VectorXd::Zero(3 * mesh().node_count());
  body_.AddGradient(frames, z, gradient);
  const auto energy = [&](const VectorXd& v) {
    return body_.Energy(frames, v.reshaped<Eigen::RowMajor>(mesh().node_count(), 3));
  };
  EXPECT_LT(GradientError(energy, z.reshaped<Eigen::RowMajor>(), gradient, 1e-4 * Edge(), 1e-9), 1e-6);
}

TEST_P(FleshBodyOf, HessianIsThatOfTheEnergyWhereItIsConvex) {
  const std::vector<FleshPoint> frames = Frames(0.001 * Edge());
  // Stretched evenly and a little, nothing of the Hessian is negative.
  const Nodes z = 1.01 * mesh().positions + 0.01 * (Shaken(0.1) - mesh().positions);
  BlockMatrix matrix = body_.EmptyMatrix();
  body_.AddHessian(frames, z, matrix);
  const VectorXd v = RandomVector(3 * mesh().node_count(), 1, random_);
  VectorXd product, ahead = VectorXd::Zero(v.size()), behind = ahead;
  matrix.Multiply(v, product);
  const double step = 1e-5 * Edge();
  const auto move = v.reshaped<Eigen::RowMajor>(mesh().node_count(), 3);
  body_.AddGradient(frames, z + step * move, ahead);
  body_.AddGradient(frames, z - step * move, behind);
  EXPECT_LT((product - (ahead - behind) / (2 * step)).norm(), 1e-6 * product.norm());
}

TEST_P(FleshBodyOf, HessianIsNeverNegative) {
  const std::vector<FleshPoint> frames = Frames(Edge());
  BlockMatrix matrix = body_.EmptyMatrix();
  body_.AddHessian(frames, Shaken(1), matrix);
  for (int i = 0; i < 20; ++i) {
    const VectorXd v = RandomVector(3 * mesh().node_count(), 1, random_);
    VectorXd product;
    matrix.Multiply(v, product);
    EXPECT_GE(v.dot(product), -1e-12 * v.norm() * product.norm());
  }
}

// The change of a frame, against differences of the interpolated frame.
TEST(SkinFrames, ChangeIsTheDerivative) {
  Random random(3);
  for (int run = 0; run < 20; ++run) {
    TetCorners corners;
    std::array<DualQuaternion, 4> frames;
    for (int k = 0; k < 4; ++k) {
      corners[k] = RandomVector(3, 1, random);
      frames[k] = RandomMotion(0.4, random);
    }
    const Matrix3d edges = EdgeMatrix(corners);
    Eigen::Matrix<double, 3, 4> gradients;
    gradients.rightCols<3>() = edges.inverse().transpose();
    gradients.col(0) = -gradients.rightCols<3>().rowwise().sum();
    const FrameChange change = ChangeOf(frames, gradients, Eigen::Vector4d(0.4, 0.3, 0.1, 0.2));
    const Vector3d z = RandomVector(3, 1, random);
    const auto at = [&](const Vector3d& offset) {
      const Eigen::Vector4d barycentric = Eigen::Vector4d(0.4, 0.3, 0.1, 0.2) + gradients.transpose() * offset;
      return Vector3d(Interpolate(frames, barycentric).ToRigid() * z);
    };
    const Matrix3d R = Interpolate(frames, Eigen::Vector4d(0.4, 0.3, 0.1, 0.2)).ToRigid().R;
    for (int j = 0; j < 3; ++j) {
      const double step = 1e-5 * std::cbrt(std::abs(edges.determinant()));
      const Vector3d numeric =
          R.transpose() * (at(step * Vector3d::Unit(j)) - at(-step * Vector3d::Unit(j))) / (2 * step);
      const Vector3d exact = change.tau.col(j) + change.omega.col(j).cross(z);
      EXPECT_LT((numeric - exact).norm(), 1e-6 * (1 + exact.norm()));
    }
  }
}

}  // namespace
}  // namespace sinew::flesh
