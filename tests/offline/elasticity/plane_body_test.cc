#include "sinew/offline/elasticity/plane_body.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/elasticity/handle_subspace.h"
#include "sinew/offline/elasticity/newton.h"
#include "sinew/offline/elasticity/plane_contact.h"
#include "tests/support/gradient_check.h"

namespace sinew::elasticity {
namespace {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

VectorXd Flat(const PlaneNodes& nodes) { return nodes.reshaped<Eigen::RowMajor>(); }

VectorXd Shaken(const PlaneMesh& mesh, double size, uint64_t seed) {
  Random random(seed);
  VectorXd x = Flat(mesh.positions);
  for (double& c : x) c += size * random.Normal();
  return x;
}

MatrixXd Dense(const LinearSystem& system, Eigen::Index size) {
  MatrixXd matrix(size, size);
  VectorXd column;
  for (Eigen::Index i = 0; i < size; ++i) {
    system.Multiply(VectorXd::Unit(size, i), column);
    matrix.col(i) = column;
  }
  return matrix;
}

TEST(PlaneMesh, CapsulesAreSoundAtEverySize) {
  for (const int triangles : {50, 200, 1000, 5000}) {
    for (const double length : {1.05, 2.0, 5.0}) {
      const PlaneMesh mesh = MakePlaneCapsule(length, 1, triangles);
      const PlaneBody body(mesh, 1e4, 0.4);
      EXPECT_NEAR(body.area(), length - 1 + std::numbers::pi / 4, 0.04 * length) << triangles << " " << length;
      EXPECT_NEAR(mesh.triangle_count(), triangles, 0.35 * triangles + 20);
      const std::vector<int> loop = BoundaryLoop(mesh);
      // Euler: one piece without holes.
      EXPECT_EQ(mesh.triangle_count(), 2 * mesh.node_count() - 2 - static_cast<int>(loop.size()));
      for (const int node : loop) {
        const double beyond = std::max(std::abs(mesh.positions(node, 0)) - (length - 1) / 2, 0.0);
        EXPECT_NEAR(std::hypot(beyond, mesh.positions(node, 1)), 0.5, 1e-9);
      }
    }
  }
  EXPECT_THROW(MakePlaneCapsule(1, 1, 100), UsageError);
  EXPECT_THROW(MakePlaneCapsule(2, 1, 10), UsageError);
}

TEST(PlaneMesh, BlocksAndRingsAreSound) {
  for (const int triangles : {50, 200, 3000}) {
    // The body refuses triangles that are flat or clockwise.
    EXPECT_NEAR(PlaneBody(MakePlaneBlock(2, 1, triangles), 1e4, 0.4).area(), 2, 1e-12);
    const PlaneMesh ring = MakePlaneRing(1, 0.5, triangles);
    EXPECT_NEAR(PlaneBody(ring, 1e4, 0.4).area(), 0.75 * 3.14159, 0.1);
    EXPECT_NEAR(ring.triangle_count(), triangles, 0.4 * triangles);
  }
  EXPECT_THROW(MakePlaneBlock(0, 1, 100), UsageError);
  EXPECT_THROW(MakePlaneBlock(1, 1, 10), UsageError);
  EXPECT_THROW(MakePlaneRing(1, 1, 100), UsageError);
}

TEST(PlaneBody, GradientIsThatOfTheEnergy) {
  const PlaneMesh mesh = MakePlaneCapsule(2, 1, 50);
  const PlaneBody body(mesh, 3, 0.4);
  for (const double shake : {0.0, 0.02, 0.3}) {
    const VectorXd x = Shaken(mesh, shake, 3);
    VectorXd gradient;
    body.Gradient(x, gradient);
    EXPECT_LT(GradientError([&](const VectorXd& y) { return body.Energy(y); }, x, gradient), 1e-7) << shake;
  }
  EXPECT_NEAR(body.Energy(Flat(mesh.positions)), 0, 1e-14);
}

// Where the exact Hessian is positive definite the projected one is the same.
TEST(PlaneBody, HessianIsThatOfTheGradientAndNeverNegative) {
  const PlaneMesh mesh = MakePlaneCapsule(2, 1, 50);
  const PlaneBody body(mesh, 3, 0.4);
  PlaneHessian hessian;
  for (const double shake : {0.0, 0.4}) {
    const VectorXd x = shake > 0 ? Shaken(mesh, shake, 4) : VectorXd(1.05 * Flat(mesh.positions));
    body.Hessian(x, hessian);
    hessian.Finish();
    const MatrixXd H = Dense(hessian, x.size());
    EXPECT_LT((H - H.transpose()).norm(), 1e-12 * H.norm());
    const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(H).eigenvalues();
    EXPECT_GT(values[0], -1e-9 * values[values.size() - 1]);
    if (shake > 0) {
      EXPECT_GT(body.InvertedCount(x), 0);
      continue;
    }
    for (const int i : {0, 7, 20}) {
      VectorXd up = x, down = x, g_up, g_down;
      up[i] += 1e-5;
      down[i] -= 1e-5;
      body.Gradient(up, g_up);
      body.Gradient(down, g_down);
      EXPECT_LT(((g_up - g_down) / 2e-5 - H.col(i)).norm(), 1e-6 * H.norm());
    }
  }
}

TEST(PlaneBody, RefusesBadMeshes) {
  PlaneMesh mesh = MakePlaneCapsule(2, 1, 50);
  EXPECT_THROW(PlaneBody(mesh, -1, 0.3), UsageError);
  std::swap(mesh.triangles(0, 0), mesh.triangles(0, 1));
  EXPECT_THROW(PlaneBody(mesh, 1, 0.3), UsageError);
}

// Brute force: the distance to many points of the outline, and the sign by the sum of angles.
TEST(PlaneCollider, DistanceIsThatOfBruteForce) {
  Random random(5);
  for (const char* name : {"cube", "cone", "star"}) {
    const PlaneCollider collider = MakePlaneCollider(name, 1);
    EXPECT_LE(collider.size(), 2 * collider.radius());
    const auto& corners = collider.corners();
    for (int i = 0; i < 200; ++i) {
      const Vector2d x{random.Uniform(-1.5, 1.5), random.Uniform(-1.5, 1.5)};
      double nearest = 1e9, turn = 0;
      for (size_t c = 0; c < corners.size(); ++c) {
        const Vector2d a = corners[c] - x, b = corners[(c + 1) % corners.size()] - x;
        turn += std::atan2(a[0] * b[1] - a[1] * b[0], a.dot(b));
        for (int k = 0; k <= 400; ++k) nearest = std::min(nearest, (a + (b - a) * k / 400.0).norm());
      }
      const double expected = (turn > 1 ? -nearest : nearest) - collider.rounding();
      const PlaneDistance found = collider.Distance(x);
      EXPECT_NEAR(found.distance, expected, 5e-3) << name;
      EXPECT_NEAR(found.gradient.norm(), 1, 1e-9);
      // Going along the gradient by a little, the distance grows by as much, but across a line of equal distances.
      const double grown = collider.Distance(x + 1e-6 * found.gradient).distance - found.distance;
      EXPECT_GT(grown, -1e-6);
      EXPECT_LT(grown, 1.01e-6);
    }
  }
  EXPECT_THROW(MakePlaneCollider("ball", 1), UsageError);
  EXPECT_THROW(MakePlaneCollider("cube", 0), UsageError);
  EXPECT_THROW(PlaneCollider({{0, 0}, {0, 1}, {1, 0}}, 0), UsageError);
}

struct Pressed {
  PlaneMesh mesh = MakePlaneCapsule(2, 1, 300);
  PlaneBody body{mesh, 1e3, 0.4};
  PlaneCollider collider = MakePlaneCollider("cube", 0.4);
  PlaneContact contact{mesh, BoundaryLoop(mesh), collider, ContactStiffness(1e3, 0.005)};

  explicit Pressed(double depth, double angle = 0.4) {
    contact.SetPose({angle, {0.1, 10}});
    const double height = contact.SmallestGap(Flat(mesh.positions));
    EXPECT_GT(height, 5);
    // The cube comes from above until it is `depth` deep.
    double y = 10;
    for (int i = 0; i < 100; ++i) {
      contact.SetPose({angle, {0.1, y}});
      y -= contact.SmallestGap(Flat(mesh.positions));
    }
    contact.SetPose({angle, {0.1, y - depth}});
  }
};

TEST(PlaneContact, DerivativesAreThoseOfTheEnergy) {
  const Pressed pressed(0.1);
  const VectorXd x = Shaken(pressed.mesh, 0.003, 8);
  EXPECT_GT(pressed.contact.Energy(x), 0);
  VectorXd gradient = VectorXd::Zero(x.size());
  pressed.contact.AddGradient(x, gradient);
  const auto energy = [&](const VectorXd& y) { return pressed.contact.Energy(y); };
  EXPECT_LT(GradientError(energy, x, gradient, 1e-6), 1e-5);
  // With a flat side the depths are linear, and the Hessian is exact; all of it is positive semi-definite.
  PlaneHessian with, without;
  pressed.body.Hessian(x, with);
  pressed.body.Hessian(x, without);
  pressed.contact.AddHessian(x, with);
  const MatrixXd H = Dense(with, x.size()) - Dense(without, x.size());
  EXPECT_LT((H - H.transpose()).norm(), 1e-9 * H.norm());
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixXd>(H).eigenvalues()[0], -1e-6 * H.norm());
}

TEST(PlaneContact, FarCollidersDoNothing) {
  Pressed pressed(0.1);
  pressed.contact.SetPose({1, {0, 3}});
  const VectorXd x = Flat(pressed.mesh.positions);
  VectorXd gradient = VectorXd::Zero(x.size());
  pressed.contact.AddGradient(x, gradient);
  EXPECT_EQ(pressed.contact.Energy(x), 0);
  EXPECT_EQ(gradient.norm(), 0);
  EXPECT_EQ(pressed.contact.DeepestDepth(x), 0);
}

// Two frames skin the capsule. A corner that comes down between two nodes is seen, too.
TEST(PlaneEquilibrium, ADentLeavesTheSubspaceAlone) {
  for (const double angle : {0.0, 0.785}) {
    const Pressed pressed(0.15, angle);
    MatrixXd weights(pressed.mesh.node_count(), 2);
    weights.col(0) = (0.5 - 0.4 * pressed.mesh.positions.col(0).array()).cwiseMax(0).cwiseMin(1);
    weights.col(1) = 1 - weights.col(0).array();
    const HandleSubspace subspace(pressed.mesh.positions,
                                  {{HandleKind::kFrame, Vector2d(-0.5, 0)}, {HandleKind::kFrame, Vector2d(0.5, 0)}},
                                  weights);
    PlaneEquilibrium objective(pressed.body, &pressed.contact, 2);
    const VectorXd start = subspace.Positions(subspace.RestState());
    EXPECT_LT((start - Flat(pressed.mesh.positions)).norm(), 1e-12);
    VectorXd x = start;
    const NewtonReport report = Minimise(objective, NullSpace(subspace.B(), 2), {}, x);
    EXPECT_EQ(report.status, SolveStatus::kConverged);
    for (size_t i = 1; i < report.energies.size(); ++i) EXPECT_LT(report.energies[i], report.energies[i - 1]);
    EXPECT_EQ(pressed.body.InvertedCount(x), 0);
    EXPECT_LT(pressed.contact.DeepestDepth(x), 0.02);
    const VectorXd u = x - start;
    EXPECT_GT(u.lpNorm<Eigen::Infinity>(), 0.08);
    EXPECT_LT((subspace.U().transpose() * u).norm(), 1e-9 * u.norm());
  }
}

TEST(HandleSubspace, StatesAreCarriedWithTheirPositions) {
  const PlaneMesh mesh = MakePlaneCapsule(2, 1, 100);
  MatrixXd weights(mesh.node_count(), 3);
  weights.col(0) = (0.5 + 0.3 * mesh.positions.col(0).array());
  weights.col(1).setConstant(0.2);
  weights.col(2) = 1 - weights.col(0).array() - weights.col(1).array();
  const std::vector<Handle> handles = {{HandleKind::kFrame, Vector2d(0.4, 0)},
                                       {HandleKind::kPoint, Vector2d(0, 0.3)},
                                       {HandleKind::kFrame, Vector2d(-0.4, 0)}};
  const HandleSubspace subspace(mesh.positions, handles, weights);
  EXPECT_EQ(subspace.state_size(), 14);
  Random random(2);
  VectorXd state = subspace.RestState();
  for (double& number : state) number += 0.3 * random.Normal();
  const PlanePose pose{.angle = 0.7, .position = {0.3, -0.2}};
  const VectorXd x = subspace.Positions(state);
  const VectorXd carried = subspace.Positions(CarryState(subspace, state, pose.Rotation(), pose.position));
  for (int n = 0; n < mesh.node_count(); ++n) {
    EXPECT_LT((carried.segment<2>(2 * n) - pose.ToCollider(x.segment<2>(2 * n))).norm(), 1e-12);
    EXPECT_LT((pose.ToWorld(carried.segment<2>(2 * n)) - x.segment<2>(2 * n)).norm(), 1e-12);
  }
  weights(0, 0) += 0.1;
  EXPECT_THROW(HandleSubspace(mesh.positions, handles, weights), UsageError);
}

}  // namespace
}  // namespace sinew::elasticity
