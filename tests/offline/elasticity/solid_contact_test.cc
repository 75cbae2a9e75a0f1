#include "sinew/offline/elasticity/solid_contact.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/elasticity/biharmonic.h"
#include "sinew/offline/elasticity/plane_contact.h"
#include "sinew/offline/mesh/tet_block.h"
#include "tests/support/gradient_check.h"

namespace sinew::elasticity {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

Vector3d DrawVector(Random& random, double scale) {
  Vector3d drawn;
  for (double& coordinate : drawn) coordinate = scale * random.Uniform(-1, 1);
  return drawn;
}

// Distances are exact: no point is nearer to a point of the surface than the distance says, and one is as near.
TEST(SolidCollider, DistancesAreExact) {
  for (const char* name : {"cube", "cone", "star", "shell"}) {
    const SolidCollider collider = MakeSolidCollider(name, 1);
    EXPECT_NEAR(collider.radius(), 1, 1e-12) << name;
    EXPECT_LT(collider.size(), 2);
    Random random(1);
    int inside = 0;
    for (int i = 0; i < 2000; ++i) {
      const Vector3d x = DrawVector(random, 1.3), y = x + DrawVector(random, 0.3);
      const SolidDistance a = collider.Distance(x), b = collider.Distance(y);
      EXPECT_NEAR(a.gradient.norm(), 1, 1e-9);
      // A distance changes by at most the way.
      EXPECT_LE(std::abs(a.distance - b.distance), (x - y).norm() + 1e-12) << name;
      if (x.norm() > collider.radius()) {
        EXPECT_GT(a.distance, 0);
      }
      inside += a.distance < 0 ? 1 : 0;
      if (a.distance < 0) continue;
      // The way along the gradient ends at the surface: the distance is reached.
      EXPECT_NEAR(collider.Distance(x - a.distance * a.gradient).distance, 0, 1e-9) << name;
    }
    EXPECT_GT(inside, 50) << name;
  }
  const SolidCollider cube = MakeSolidCollider("cube", 1);
  const double half = cube.size() / 2;
  EXPECT_NEAR(cube.Distance({half + 0.2, 0.05, -0.1}).distance, 0.2, 1e-12);
  EXPECT_NEAR(cube.Distance({0, 0.05, half - 0.1}).distance, -0.1, 1e-12);
  EXPECT_THROW(MakeSolidCollider("ball", 1), UsageError);
  EXPECT_THROW(MakeSolidCollider("cube", 0), UsageError);
  const PlaneCollider crooked({{-1, 0}, {2, 0}, {0, 1}}, 0);
  EXPECT_THROW(SolidCollider::Turned(crooked, 0.1), UsageError);
  EXPECT_THROW(SolidCollider::Extruded(crooked, 0, 0.1), UsageError);
}

// A shell is hollow and open below, and says how far it may go at once.
TEST(SolidCollider, ShellsAreHollowAndOpenBelow) {
  const SolidCollider shell = SolidCollider::Shell(1, 0.1);
  EXPECT_NEAR(shell.Distance({0, 0.3, 0.4}).distance, 0.4, 1e-12);
  EXPECT_NEAR(shell.Distance({0, 1.2, 0}).distance, 0.1, 1e-12);
  EXPECT_NEAR(shell.Distance({0, 1, 0}).distance, -0.1, 1e-12);
  EXPECT_NEAR(shell.Distance({0.7, -0.4, 0}).distance, 0.4, 1e-12) << "from the rim";
  EXPECT_NEAR(shell.Distance({0, -3, 0}).distance, std::sqrt(10.0) - 0.1, 1e-12);
  EXPECT_EQ(shell.max_step(), 0.1);
  EXPECT_EQ(MakeSolidCollider("cube", 1).max_step(), std::numeric_limits<double>::infinity());
  EXPECT_THROW(SolidCollider::Shell(0, 0.1), UsageError);
  EXPECT_THROW(SolidCollider::Shell(1, 0), UsageError);
}

struct Pressed {
  TetMesh mesh = MakeTetBlock({3, 2, 3}, 0.5);
  Triangles surface = SurfaceOf(mesh);
  ElasticBody body{mesh, {.young = 1e3, .poisson = 0.4, .tet_poisson = 0.4}};
  SolidCollider collider = MakeSolidCollider("cube", 0.6);
  SolidContact contact{mesh, surface, collider, ContactStiffness(1e3, 0.01)};

  explicit Pressed(double depth) {
    contact.SetPose(Matrix3d(Eigen::AngleAxisd(0.3, Vector3d(1, 2, 3).normalized())),
                    Vector3d(0.75, 1 + collider.size() / 2 - depth, 0.75));
  }
  VectorXd Rest() const { return mesh.positions.reshaped<Eigen::RowMajor>(); }
};

TEST(SolidContact, GradientAndHessianAreThoseOfTheEnergy) {
  const Pressed pressed(0.2);
  Random random(2);
  VectorXd x = pressed.Rest();
  for (double& coordinate : x) coordinate += 0.02 * random.Normal();
  EXPECT_GT(pressed.contact.Energy(x), 0);
  EXPECT_NEAR(pressed.contact.SmallestGap(x), -pressed.contact.DeepestDepth(x), 1e-12);
  SolidEquilibrium objective(pressed.body, &pressed.contact, 1);
  VectorXd gradient;
  objective.Gradient(x, gradient);
  EXPECT_LT(GradientError([&](const VectorXd& at) { return objective.Energy(at); }, x, gradient, 1e-6), 1e-5);
  // Contact alone: what the full Hessian has more than that of the body is the sum of rank-one terms, which is
  // symmetric and positive, and the preconditioner sees it on the diagonal.
  SolidEquilibrium alone(pressed.body, nullptr, 1);
  const LinearSystem& with = objective.Hessian(x);
  const LinearSystem& without = alone.Hessian(x);
  const auto multiply = [](const LinearSystem& system, const VectorXd& v) {
    VectorXd out;
    system.Multiply(v, out);
    return out;
  };
  for (int i = 0; i < 20; ++i) {
    VectorXd v(x.size()), w(x.size());
    for (double& coordinate : v) coordinate = random.Normal();
    for (double& coordinate : w) coordinate = random.Normal();
    EXPECT_GE(v.dot(multiply(with, v) - multiply(without, v)), -1e-9);
    EXPECT_NEAR(v.dot(multiply(with, w)), w.dot(multiply(with, v)), 1e-6);
  }
}

TEST(SolidContact, FarCollidersDoNothing) {
  Pressed pressed(-0.5);
  const VectorXd x = pressed.Rest();
  VectorXd gradient = VectorXd::Zero(x.size());
  pressed.contact.AddGradient(x, gradient);
  EXPECT_EQ(pressed.contact.Energy(x), 0);
  EXPECT_EQ(gradient.norm(), 0);
  EXPECT_GT(pressed.contact.SmallestGap(x), 0);
}

TEST(SolidEquilibrium, ADentLeavesTheSubspaceAlone) {
  const Pressed pressed(0.2);
  // One frame at the base and four points on top span the subspace.
  std::vector<HeldNodes> held = {{HandleKind::kFrame, {}}};
  for (int n = 0; n < pressed.mesh.node_count(); ++n) {
    const Vector3d at = pressed.mesh.positions.row(n).transpose();
    if (at[1] < 0.3) held[0].nodes.push_back(n);
    if (at[1] == 1 && (at[0] == 0 || at[0] == 1.5) && (at[2] == 0 || at[2] == 1.5)) {
      held.push_back({HandleKind::kPoint, {n}});
    }
  }
  ASSERT_EQ(held.size(), 5u);
  std::vector<Handle> handles;
  for (const HeldNodes& handle : held) handles.push_back({handle.kind, CentreOf(pressed.mesh, handle)});
  const Eigen::MatrixXd functions = BiharmonicCoordinates(pressed.mesh, held);
  const HandleSubspace subspace = HandleSubspace::OfFunctions(pressed.mesh.positions, handles, functions);
  EXPECT_EQ(subspace.state_size(), 12 + 4 * 3);
  // Affine maps are reproduced.
  Matrix3d A;
  A << 1.2, 0.3, 0, -0.4, 0.9, 0.1, 0.2, 0, 1.1;
  const Eigen::MatrixXd moved = pressed.mesh.positions * A.transpose();
  const VectorXd flat = Nodes(moved).reshaped<Eigen::RowMajor>();
  const VectorXd state = subspace.Project(flat);
  EXPECT_LT((subspace.Positions(state) - flat).norm(), 1e-8);
  EXPECT_LT((state.head<9>().reshaped<Eigen::RowMajor>(3, 3) - A).norm(), 1e-8);
  // A dent in the null space, and what of it the two projectors leave.
  SolidEquilibrium objective(pressed.body, &pressed.contact, 2);
  const NullSpace null_space(subspace.B(), 3);
  VectorXd x = pressed.Rest();
  const NewtonReport report = Minimise(objective, null_space, {}, x);
  EXPECT_EQ(report.status, SolveStatus::kConverged);
  const VectorXd u = x - pressed.Rest();
  EXPECT_GT(u.lpNorm<Eigen::Infinity>(), 0.05);
  EXPECT_LT((subspace.U().transpose() * u).norm(), 1e-9 * u.norm());
  VectorXd within = u, beyond = u;
  RangeSpace(subspace.B(), 3).Apply(within);
  null_space.Apply(beyond);
  EXPECT_LT(within.norm(), 1e-9 * u.norm());
  EXPECT_LT((beyond - u).norm(), 1e-9 * u.norm());
}

TEST(TetBlock, SurfacesAreClosedAndFaceOutwards) {
  const TetMesh mesh = MakeTetBlock({3, 2, 1}, 0.5);
  const Triangles surface = SurfaceOf(mesh);
  double area = 0, volume = 0;
  Vector3d sum = Vector3d::Zero();
  for (Eigen::Index t = 0; t < surface.rows(); ++t) {
    const auto corner = [&](int k) { return Vector3d(mesh.positions.row(surface(t, k)).transpose()); };
    const Vector3d twice = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    area += twice.norm() / 2;
    sum += twice;
    volume += corner(0).dot(twice) / 6;
  }
  EXPECT_NEAR(area, 2 * (1.5 * 1 + 1.5 * 0.5 + 1 * 0.5), 1e-12);
  EXPECT_NEAR(volume, 1.5 * 1 * 0.5, 1e-12);
  EXPECT_LT(sum.norm(), 1e-12);
}

}  // namespace
}  // namespace sinew::elasticity
