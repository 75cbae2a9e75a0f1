#include "sinew/dynamics/dents.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "tests/support/gradient_check.h"
#include "tests/support/small_dents.h"
#include "tests/support/soft_objects.h"

namespace sinew::dynamics {
namespace {

using Eigen::VectorXd;
using runtime::Status;
using sinew::testing::SmallDent;
using sinew::testing::SmallSoftObject;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A worm that is bent a little, with a cube with a field in its back and a floor without one.
struct Pressed {
  explicit Pressed(int layers) : object(SmallSoftObject("worm").table), dent(SmallDent(layers)) {
    Random random(5);
    start.resize(object.state_size());
    object.RestState(start.data());
    state = start;
    for (double& number : state) number += 0.01 * random.Normal();
    cube.shape = ColliderShape::kPolygon;
    cube.corners = dent.table.corners();
    cube.corner_count = dent.table.corner_count();
    cube.rounding = dent.table.header().rounding;
    cube.field = &dent.table;
    cube.pose = {.cosine = std::cos(0.4), .sine = std::sin(0.4), .position = {0.1, 0.14}};
    colliders[0] = cube;
    colliders[1].pose.position[1] = -0.09;

    Parts count(nullptr);
    dents.Take(object, dent.table.width(), count);
    scratch = Block(count.bytes());
    Parts parts(scratch.bytes().data());
    dents.Take(object, dent.table.width(), parts);
    EXPECT_TRUE(dents.Open());
    dents_start.resize(2 * dents.corner_count());
    for (double& number : dents_start) number = 1e-3 * random.Normal();
  }
  IncrementalPotential Potential() {
    return {.object = &object,
            .seconds = 1.0 / 60,
            .start = start.data(),
            .colliders = colliders,
            .slip = 0.01,
            .dents = &dents,
            .dents_start = dents_start.data()};
  }
  const ObjectTable& object;
  contact::LoadedDent dent;
  VectorXd start, state, dents_start;
  Collider cube, colliders[2];
  Block scratch;
  Dents dents;
};

class Fields : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Layers, Fields, ::testing::Values(1, 2));

// The field that ships is the one that was trained.
TEST_P(Fields, DisplaceAsTheTrainedFieldPredicts) {
  const contact::PlaneObject& worm = sinew::testing::DentedWorm();
  const contact::ContactField field = sinew::testing::SmallField(GetParam());
  Pressed pressed(GetParam());
  Random random(9);
  contact::ContactShard shard;
  const VectorXd state = contact::DrawWormState(worm, random), positions = worm.subspace.Positions(state);
  shard.state.assign(state.data(), state.data() + state.size());
  shard.positions.assign(positions.data(), positions.data() + positions.size());
  shard.size = worm.collider.size();
  shard.samples.push_back({.turn = {.angle = 0.4}, .position = {0.1, 0.14, 0}});
  const learn::RowMatrix r = field.Predict({&shard, &shard.samples[0]});

  // A frame's matrix goes row by row there and column by column here.
  std::vector<double> numbers;
  for (int h = 0; h < 3; ++h) {
    for (const int i : {0, 2, 1, 3, 4, 5}) numbers.push_back(state[6 * h + i]);
  }
  std::vector<double> scratch(PosedField::ScratchNumbers(pressed.object, pressed.dent.table.width()));
  PosedField posed;
  posed.Pose(pressed.dent.table, pressed.object, pressed.cube.pose, numbers.data(), scratch.data());
  const Eigen::Matrix2d R = elasticity::PlanePose{.angle = 0.4}.Rotation();
  for (int n = 0; n < worm.mesh.node_count(); ++n) {
    double u[2];
    const FieldPoint point{.row = n, .x = positions[2 * n], .y = positions[2 * n + 1]};
    posed.Displace(pressed.object.nodes(), &point, 1, u);
    const Eigen::Vector2d wanted = shard.size * R * r.row(n).transpose().cast<double>();
    EXPECT_NEAR(u[0], wanted[0], 1e-6);
    EXPECT_NEAR(u[1], wanted[1], 1e-6);
  }
}

// r of a point by loops over the table's numbers.
Eigen::Vector2d ByLoops(const FieldTable& field, const ObjectTable& object, const PlanePose& pose, const double* state,
                        const FieldPoint& point) {
  const auto local = [&](double x, double y) -> Eigen::Vector2d {
    return {pose.cosine * x + pose.sine * y, pose.cosine * y - pose.sine * x};
  };
  const SparseRows rows = object.nodes();
  const Eigen::Vector2d place = local(point.x - pose.position[0], point.y - pose.position[1]);
  VectorXd units(field.width()), next(field.width());
  for (int i = 0; i < field.width(); ++i) {
    units[i] = field.bias()[i] + field.place(0)[i] * place[0] + field.place(1)[i] * place[1];
    for (int h = 0; h < object.handle_count(); ++h) {
      const int position = object.PositionBasis(h);
      double weight = 0;
      for (uint32_t e = rows.starts[point.row]; e < rows.starts[point.row + 1]; ++e) {
        if (static_cast<int>(rows.basis[e]) == position) weight = rows.values[e];
      }
      for (int k = static_cast<int>(object.handle(h).first); k <= position; ++k) {
        const double shift = k == position ? 1 : 0;
        const Eigen::Vector2d own =
            local(state[2 * k] - shift * pose.position[0], state[2 * k + 1] - shift * pose.position[1]);
        units[i] += weight * (own[0] * field.state(k, 0)[i] + own[1] * field.state(k, 1)[i]);
      }
    }
  }
  units = units.array().tanh();
  if (field.layers() == 2) {
    for (int k = 0; k < field.width(); ++k) {
      next[k] = field.second_bias()[k];
      for (int i = 0; i < field.width(); ++i) next[k] += units[i] * field.second(i)[k];
    }
    units = next.array().tanh();
  }
  Eigen::Vector2d r(field.output_bias()[0], field.output_bias()[1]);
  for (int i = 0; i < field.width(); ++i) r += units[i] * Eigen::Vector2d(field.output(0)[i], field.output(1)[i]);
  return r;
}

// A batch gives each point what it has by itself, to rounding that of plain loops, and wherever it is in the batch the
// same bits.
TEST_P(Fields, BatchesAreTheirPoints) {
  Pressed pressed(GetParam());
  const ObjectTable& object = pressed.object;
  const SparseRows rows = object.nodes();
  std::vector<double> scratch(PosedField::ScratchNumbers(object, pressed.dent.table.width()));
  PosedField posed;
  posed.Pose(pressed.dent.table, object, pressed.cube.pose, pressed.state.data(), scratch.data());
  std::vector<FieldPoint> points(PosedField::kBatch);
  for (int p = 0; p < PosedField::kBatch; ++p) {
    points[p].row = (7 * p) % object.node_count();
    PositionOf(rows, points[p].row, pressed.state.data(), &points[p].x, &points[p].y);
  }
  const size_t numbers = 2 * static_cast<size_t>(object.state_size());
  std::vector<double> u(2 * points.size()), alone(2), jacobian(numbers), own(numbers);
  for (int p = 0; p < PosedField::kBatch; ++p) {
    posed.DisplaceAndDerive(rows, points.data(), PosedField::kBatch, u.data());
    posed.Jacobian(rows, points.data(), p, jacobian.data());
    posed.DisplaceAndDerive(rows, &points[p], 1, alone.data());
    posed.Jacobian(rows, &points[p], 0, own.data());
    EXPECT_EQ(alone[0], u[2 * p]);
    EXPECT_EQ(alone[1], u[2 * p + 1]);
    EXPECT_EQ(jacobian, own);
    const Eigen::Vector2d r = ByLoops(pressed.dent.table, object, pressed.cube.pose, pressed.state.data(), points[p]);
    const Eigen::Vector2d wanted = elasticity::PlanePose{.angle = 0.4}.Rotation() * r;
    EXPECT_NEAR(alone[0], wanted[0], 1e-13);
    EXPECT_NEAR(alone[1], wanted[1], 1e-13);
  }
}

TEST_P(Fields, JacobiansAreThoseOfTheDisplacements) {
  Pressed pressed(GetParam());
  Dents& dents = pressed.dents;
  ASSERT_TRUE(dents.Evaluate(pressed.colliders, pressed.state.data(), true));
  const int n = pressed.object.state_size();
  int moved = 0;
  for (int site = 0; site < dents.site_count(); site += 3) {
    ASSERT_TRUE(dents.Evaluate(pressed.colliders, pressed.state.data(), true));
    if (!dents.moves(site)) continue;
    ++moved;
    for (int r = 0; r < 2; ++r) {
      const VectorXd row = Eigen::Map<const VectorXd>(dents.jacobian(site) + r * n, n);
      const auto u = [&](const VectorXd& state) {
        dents.Evaluate(pressed.colliders, state.data(), false);
        return dents.u(site)[r];
      };
      EXPECT_LT(GradientError(u, pressed.state, row, 1e-6), 1e-6) << site;
      dents.Evaluate(pressed.colliders, pressed.state.data(), true);
    }
  }
  EXPECT_GT(moved, 10);
  EXPECT_LT(moved, dents.site_count() / 3);
}

// A contact point at an end of its edge has the displacement of that node.
TEST_P(Fields, PointsMoveWithTheEdgesThatTheyAreOn) {
  Pressed pressed(GetParam());
  const ObjectTable& object = pressed.object;
  ASSERT_TRUE(pressed.dents.Evaluate(pressed.colliders, pressed.state.data(), true));
  std::vector<double> nodes(2 * static_cast<size_t>(object.node_count()), 0.0);
  pressed.dents.AddToNodes(pressed.colliders, pressed.state.data(), nodes.data());
  int moved = 0;
  for (int p = 0; p < object.point_count(); ++p) {
    double u[2] = {0, 0};
    pressed.dents.AddToPoint(p, &u[0], &u[1]);
    moved += pressed.dents.moves_point(p);
    const uint32_t* ends = object.boundary() + 2 * object.edges()[p];
    for (size_t r = 0; r < 2; ++r) {
      const double share = object.shares()[p];
      EXPECT_NEAR(u[r], (1 - share) * nodes[2 * ends[0] + r] + share * nodes[2 * ends[1] + r], 1e-12);
      double rest = 0, between = 0;
      PositionOf(object.points(), p, pressed.start.data(), r == 0 ? &rest : &between, r == 0 ? &between : &rest);
      EXPECT_NEAR(rest, (1 - share) * object.rest()[2 * ends[0] + r] + share * object.rest()[2 * ends[1] + r], 1e-9);
    }
  }
  EXPECT_GT(moved, 0);
}

TEST_P(Fields, GradientIsThatOfTheEnergy) {
  Pressed pressed(GetParam());
  const IncrementalPotential potential = pressed.Potential();
  VectorXd gradient(pressed.state.size());
  potential.Gradient(pressed.state.data(), gradient.data());
  ASSERT_TRUE(pressed.dents.acts());
  const auto energy = [&](const VectorXd& x) { return potential.Energy(x.data()); };
  EXPECT_LT(GradientError(energy, pressed.state, gradient, 1e-6), 1e-6);
}

// Gauss-Newton: U + J on both sides of the Hessians of what x~ + u is put into.
TEST_P(Fields, HessianIsThatOfTheDentedShape) {
  Pressed pressed(GetParam());
  IncrementalPotential potential = pressed.Potential();
  const Eigen::Index n = pressed.state.size();
  VectorXd gradient(n), other(n);
  RowMajor hessian(n, n), linear(n, n);
  potential.convex = true;
  potential.GradientAndHessian(pressed.state.data(), gradient.data(), hessian.data());
  potential.Gradient(pressed.state.data(), other.data());
  EXPECT_EQ(gradient, other);
  const Eigen::MatrixXd whole = hessian.selfadjointView<Eigen::Lower>();
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(whole).eigenvalues().minCoeff(), 0);

  // What is left out by `convex`: mass / h^2 (U' J + J' U), by brute force.
  potential.convex = false;
  potential.GradientAndHessian(pressed.state.data(), gradient.data(), hessian.data());
  const Eigen::MatrixXd exact = hessian.selfadjointView<Eigen::Lower>();
  Eigen::MatrixXd cross = Eigen::MatrixXd::Zero(n, n);
  const SparseRows nodes = pressed.object.nodes();
  for (int s = 0; s < pressed.dents.corner_count(); ++s) {
    if (!pressed.dents.moves(s)) continue;
    RowMajor U = RowMajor::Zero(2, n);
    const int node = pressed.dents.node(s);
    for (uint32_t i = nodes.starts[node]; i < nodes.starts[node + 1]; ++i) {
      U(0, 2 * nodes.basis[i]) = U(1, 2 * nodes.basis[i] + 1) = nodes.values[i];
    }
    const Eigen::MatrixXd product = U.transpose() * Eigen::Map<const RowMajor>(pressed.dents.jacobian(s), 2, n);
    cross += 3600 * pressed.dents.corner_mass(s) * (product + product.transpose());
  }
  EXPECT_LT((exact - whole - cross).norm(), 1e-9 * whole.norm());
}

// One run with a field and one without; returns the state after some steps.
std::vector<double> StateAfter(const Pressed& pressed, bool field, double height, int steps) {
  const int width = field ? pressed.dent.table.width() : 0;
  Block scratch(Simulation::ScratchBytes(pressed.object, width));
  Simulation simulation;
  EXPECT_EQ(simulation.Open(pressed.object, scratch.bytes(), width), Status::kOk);
  Collider colliders[2] = {pressed.cube, pressed.colliders[1]};
  colliders[0].pose.position[1] = height;
  if (!field) colliders[0].field = nullptr;
  for (int i = 0; i < steps; ++i) {
    const StepReport report = simulation.Step({.colliders = colliders});
    EXPECT_EQ(report.flags & ~kNotConverged, 0u);
  }
  return {simulation.state().begin(), simulation.state().end()};
}

TEST(Dents, ColliderThatTouchesNothingChangesNoBit) {
  const Pressed pressed(1);
  EXPECT_EQ(StateAfter(pressed, true, 5, 20), StateAfter(pressed, false, 5, 20));
  // Within the window, but above the surface.
  EXPECT_EQ(StateAfter(pressed, true, 0.2, 20), StateAfter(pressed, false, 0.2, 20));
  EXPECT_NE(StateAfter(pressed, true, 0.12, 5), StateAfter(pressed, false, 0.12, 5));
  EXPECT_EQ(StateAfter(pressed, true, 0.12, 5), StateAfter(pressed, true, 0.12, 5));
}

TEST(Dents, PositionsShowThem) {
  const Pressed pressed(2);
  const int width = pressed.dent.table.width();
  Block scratch(Simulation::ScratchBytes(pressed.object, width));
  Simulation simulation;
  ASSERT_EQ(simulation.Open(pressed.object, scratch.bytes(), width), Status::kOk);
  simulation.Step({.colliders = pressed.colliders});
  const int nodes = pressed.object.node_count();
  std::vector<double> positions(2 * static_cast<size_t>(nodes));
  ASSERT_EQ(simulation.Positions(positions), Status::kOk);
  Dents dents = pressed.dents;
  dents.Evaluate(pressed.colliders, simulation.state().data(), false);
  ASSERT_TRUE(dents.acts());
  int moved = 0;
  for (int s = 0; s < dents.corner_count(); ++s) {
    double x = 0, y = 0;
    PositionOf(pressed.object.nodes(), dents.node(s), simulation.state().data(), &x, &y);
    moved += dents.moves(s);
    EXPECT_DOUBLE_EQ(positions[2 * static_cast<size_t>(dents.node(s))], x + (dents.moves(s) ? dents.u(s)[0] : 0));
  }
  EXPECT_GT(moved, 0);
}

TEST(Dents, FieldsThatDoNotFitAreFlaggedAndIgnored) {
  const Pressed pressed(1);
  sinew::testing::OpenedSimulation narrow(pressed.object), plain(pressed.object);
  Collider colliders[2] = {pressed.cube, pressed.colliders[1]};
  EXPECT_EQ(narrow.simulation.Step({.colliders = colliders}).flags & kBadField, kBadField);
  colliders[0].field = nullptr;
  plain.simulation.Step({.colliders = colliders});
  EXPECT_TRUE(std::ranges::equal(narrow.simulation.state(), plain.simulation.state()));

  const ObjectTable& jelly = SmallSoftObject("jelly").table;
  Block scratch(Simulation::ScratchBytes(jelly, 13));
  Simulation simulation;
  EXPECT_EQ(simulation.Open(jelly, scratch.bytes(), -1), Status::kInvalidArgument);
  EXPECT_EQ(simulation.Open(jelly, scratch.bytes(), 14), Status::kInsufficientSpace);
  ASSERT_EQ(simulation.Open(jelly, scratch.bytes(), 13), Status::kOk);
  EXPECT_EQ(simulation.Step({.colliders = pressed.colliders}).flags & kBadField, kBadField);
}

}  // namespace
}  // namespace sinew::dynamics
