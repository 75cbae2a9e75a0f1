#include "sinew/offline/elasticity/biharmonic.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"

namespace sinew::elasticity {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

std::vector<HeldNodes> Handles(const PlaneMesh& mesh) {
  const std::vector<int> loop = BoundaryLoop(mesh);
  std::vector<HeldNodes> handles = {{HandleKind::kFrame, {0, 1, loop[0]}}};
  for (const size_t at : {loop.size() / 4, loop.size() / 2, 3 * loop.size() / 4}) {
    handles.push_back({HandleKind::kPoint, {loop[at]}});
  }
  return handles;
}

TEST(Biharmonic, ReproducesAffineMapsAndHolds) {
  const PlaneMesh mesh = MakePlaneCapsule(2, 1, 400);
  const std::vector<HeldNodes> handles = Handles(mesh);
  const Eigen::MatrixXd rows = BiharmonicCoordinates(mesh, handles);
  ASSERT_EQ(rows.cols(), 6);
  const Matrix2d A = (Matrix2d() << 1.2, 0.3, -0.4, 0.9).finished();
  const Vector2d b(0.5, -2);
  Eigen::MatrixXd state(6, 2);
  state.topRows<2>() = A.transpose();
  state.row(2) = (A * CentreOf(mesh, handles[0]) + b).transpose();
  for (int p = 0; p < 3; ++p) state.row(3 + p) = (A * CentreOf(mesh, handles[1 + p]) + b).transpose();
  const Eigen::MatrixXd wanted = (mesh.positions * A.transpose()).rowwise() + b.transpose();
  EXPECT_LT((rows * state - wanted).cwiseAbs().maxCoeff(), 1e-9);
  for (int p = 0; p < 3; ++p) {
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(6);
    unit[3 + p] = 1;
    EXPECT_EQ(rows.row(handles[1 + p].nodes[0]).transpose(), unit);
  }
}

// The jumps of the slope must not grow at the boundary or as the mesh is refined: the same handle on two meshes.
TEST(Biharmonic, DependsLittleOnTheMesh) {
  const auto middle = [](int triangles) {
    const PlaneMesh mesh = MakePlaneCapsule(2, 1, triangles);
    const auto nearest = [&](const Vector2d& at) {
      Eigen::Index node = 0;
      (mesh.positions.rowwise() - at.transpose()).rowwise().norm().minCoeff(&node);
      return static_cast<int>(node);
    };
    std::vector<HeldNodes> handles;
    for (const Vector2d& at : {Vector2d(-1, 0), Vector2d(1, 0), Vector2d(0, -0.5), Vector2d(0, 0.5)}) {
      handles.push_back({HandleKind::kPoint, {nearest(at)}});
    }
    const Eigen::MatrixXd rows = BiharmonicCoordinates(mesh, handles);
    return Eigen::VectorXd(rows.row(nearest({0, 0})).transpose());
  };
  EXPECT_LT((middle(400) - middle(3000)).cwiseAbs().maxCoeff(), 0.05);
}

TEST(Biharmonic, RefusesHandlesThatHoldTooLittle) {
  const PlaneMesh mesh = MakePlaneCapsule(2, 1, 100);
  EXPECT_THROW(BiharmonicCoordinates(mesh, {{HandleKind::kPoint, {0}}, {HandleKind::kPoint, {9}}}), UsageError);
  EXPECT_THROW(BiharmonicCoordinates(mesh, {{HandleKind::kFrame, {0, 1}}}), UsageError);
  EXPECT_THROW(BiharmonicCoordinates(mesh, {{HandleKind::kFrame, {0, 1, -2}}}), UsageError);
  EXPECT_THROW(BiharmonicCoordinates(mesh, {{HandleKind::kFrame, {0, 1, 0}}}), UsageError);
}

}  // namespace
}  // namespace sinew::elasticity
