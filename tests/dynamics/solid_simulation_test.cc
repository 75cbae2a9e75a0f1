// Dynamics in space: what simulation_test.cc and incremental_potential_test.cc ask of the plane, and that turning a
// scene turns its result.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/dynamics/simulation.h"
#include "sinew/offline/core/random.h"
#include "tests/support/gradient_check.h"
#include "tests/support/soft_objects.h"

namespace sinew::dynamics {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using runtime::Status;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Opened = sinew::testing::OpenedSimulationOf<3>;

const ObjectTable& Jelly() { return sinew::testing::SmallSoftObject("jelly3d").table; }

double EnergyOf(const SolidSimulation& simulation) { return simulation.KineticEnergy() + simulation.StoredEnergy(); }

// Sets a state that is shaken about rest, and a velocity that spins, drifts and shakes.
void Shake(SolidSimulation& simulation, const ObjectTable& object, uint64_t seed) {
  Random random(seed);
  std::vector<double> state(simulation.state().begin(), simulation.state().end()), velocity(state.size());
  for (size_t k = 0; k < state.size(); k += 3) {
    velocity[k] = -4 * state[k + 1] + 0.2 * random.Normal();
    velocity[k + 1] = 4 * state[k] + 0.2 * random.Normal();
    velocity[k + 2] = 0.2 * random.Normal();
  }
  for (double& number : state) number += 0.03 * random.Normal();
  for (int h = 0; h < object.handle_count(); ++h) velocity[3 * static_cast<size_t>(object.PositionBasis(h)) + 2] += 0.7;
  ASSERT_EQ(simulation.SetState(state, velocity), Status::kOk);
}

SolidCollider Floor(double height, double friction = 0) {
  SolidCollider floor;
  floor.friction = friction;
  floor.pose.position[1] = height;
  return floor;
}

TEST(SolidSimulation, FreeDynamicsNeverGainEnergyAndKeepMomentum) {
  Opened opened(Jelly());
  SolidSimulation& simulation = opened.simulation;
  Shake(simulation, Jelly(), 5);
  double momentum[3], now[3], energy = EnergyOf(simulation);
  simulation.Momentum(momentum);
  const double begin = energy, size = Vector3d(momentum).norm();
  for (int i = 0; i < 1000; ++i) {
    const StepReport report = simulation.Step({.gravity = {0, 0, 0}});
    ASSERT_EQ(report.flags, 0u) << i;
    const double after = EnergyOf(simulation);
    ASSERT_LE(after, energy + 1e-9 * begin) << i;
    energy = after;
    simulation.Momentum(now);
    for (int r = 0; r < 3; ++r) ASSERT_NEAR(now[r], momentum[r], 1e-9 * size) << i;
  }
  // What drifts cannot come to rest.
  EXPECT_GT(energy, 0.9 * size * size / (2 * simulation.Mass()));
}

TEST(SolidSimulation, FallsAsBackwardEulerDoes) {
  Opened opened(Jelly());
  double before[3], after[3];
  opened.simulation.Centre(before);
  constexpr int kSteps = 30;
  for (int i = 0; i < kSteps; ++i) EXPECT_EQ(opened.simulation.Step({}).flags, 0u);
  opened.simulation.Centre(after);
  const double h = 1.0 / 60;
  EXPECT_NEAR(after[1] - before[1], -9.81 * h * h * kSteps * (kSteps + 1) / 2, 1e-9);
  EXPECT_NEAR(after[2], before[2], 1e-9);
  EXPECT_NEAR(opened.simulation.StoredEnergy(), 0, 1e-6);
}

// The same scene turned: state, velocity, gravity and colliders.
TEST(SolidSimulation, ATurnedSceneGivesTheTurnedResult) {
  const Matrix3d R = Eigen::AngleAxisd(1.1, Vector3d(1, -2, 0.5).normalized()).toRotationMatrix();
  Opened straight(Jelly()), turned(Jelly());
  Shake(straight.simulation, Jelly(), 7);
  const auto turn = [&](std::span<const double> numbers) {
    std::vector<double> out(numbers.begin(), numbers.end());
    for (size_t k = 0; k < out.size(); k += 3) {
      const Vector3d place = R * Vector3d(&numbers[k]);
      std::copy_n(place.data(), 3, &out[k]);
    }
    return out;
  };
  ASSERT_EQ(turned.simulation.SetState(turn(straight.simulation.state()), turn(straight.simulation.velocity())),
            Status::kOk);
  SolidCollider floor = Floor(-0.4, 0.5), tilted = floor;
  const Vector3d down = R * Vector3d(0, -9.81, 0), height = R * Vector3d(0, -0.4, 0);
  for (int r = 0; r < 3; ++r) {
    tilted.pose.position[r] = height[r];
    for (int c = 0; c < 3; ++c) tilted.pose.rotation[3 * r + c] = R(r, c);
  }
  for (int i = 0; i < 20; ++i) {
    straight.simulation.Step({.colliders = {&floor, 1}});
    turned.simulation.Step({.gravity = {down[0], down[1], down[2]}, .colliders = {&tilted, 1}});
  }
  EXPECT_GT(straight.simulation.Step({.colliders = {&floor, 1}}).touching, 0);
  turned.simulation.Step({.gravity = {down[0], down[1], down[2]}, .colliders = {&tilted, 1}});
  const std::vector<double> expected = turn(straight.simulation.state());
  for (size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(turned.simulation.state()[k], expected[k], 1e-4) << k;
}

TEST(SolidSimulation, SameInputsGiveSameBits) {
  Opened one(Jelly()), other(Jelly());
  const SolidCollider floor = Floor(-0.35, 0.5);
  for (SolidSimulation* simulation : {&one.simulation, &other.simulation}) {
    Shake(*simulation, Jelly(), 8);
    for (int i = 0; i < 30; ++i) simulation->Step({.colliders = {&floor, 1}});
  }
  EXPECT_TRUE(
      std::equal(one.simulation.state().begin(), one.simulation.state().end(), other.simulation.state().begin()));
}

TEST(SolidSimulation, SettlesOnAFloor) {
  Opened opened(Jelly());
  SolidSimulation& simulation = opened.simulation;
  const SolidCollider floor = Floor(-0.35, 0.5);
  StepReport report;
  for (int i = 0; i < 400; ++i) report = simulation.Step({.colliders = {&floor, 1}});
  EXPECT_GT(report.touching, 0);
  EXPECT_LT(simulation.KineticEnergy(), 1e-6 * simulation.Mass() * 9.81 * Jelly().header().size);
  std::vector<double> positions(3 * static_cast<size_t>(Jelly().node_count()));
  ASSERT_EQ(simulation.Positions(positions), Status::kOk);
  double lowest = 0;
  for (size_t i = 1; i < positions.size(); i += 3) lowest = std::min(lowest, positions[i]);
  EXPECT_LT(lowest, -0.35);
  EXPECT_GT(lowest, -0.35 - 0.02 * Jelly().header().size);
}

TEST(SolidSimulation, BadInputsAreFlaggedAndIgnored) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Opened opened(Jelly()), other(Jelly());
  const SolidCollider floor = Floor(-0.35), both[] = {floor, Floor(nan)};
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(opened.simulation.Step({.colliders = both}).flags & ~kNotConverged, uint32_t{kBadCollider});
    other.simulation.Step({.colliders = {&floor, 1}});
  }
  EXPECT_TRUE(
      std::equal(opened.simulation.state().begin(), opened.simulation.state().end(), other.simulation.state().begin()));
  std::vector<SolidTarget> targets(static_cast<size_t>(Jelly().handle_count()));
  targets[0].stiffness = 10;
  targets[0].numbers[11] = nan;
  EXPECT_EQ(opened.simulation.Step({.targets = targets}).flags, uint32_t{kBadTarget});
  EXPECT_EQ(opened.simulation.Step({.gravity = {0, 0, nan}}).flags, uint32_t{kBadStep});
}

TEST(SolidSimulation, DrivenHandlesReachTheirTargets) {
  Opened opened(Jelly());
  std::vector<SolidTarget> targets(static_cast<size_t>(Jelly().handle_count()));
  std::vector<double> rest(static_cast<size_t>(Jelly().state_size()));
  Jelly().RestState(rest.data());
  for (int h = 0; h < Jelly().handle_count(); ++h) {
    const auto first = 3 * static_cast<size_t>(Jelly().handle(h).first);
    const size_t count = Jelly().handle(h).kind == HandleKind::kFrame ? 12 : 3;
    SolidTarget& target = targets[static_cast<size_t>(h)];
    target.stiffness = 1e8;
    std::copy_n(rest.begin() + static_cast<std::ptrdiff_t>(first), count, target.numbers);
    target.numbers[count - 1] += 0.3;
  }
  for (int i = 0; i < 60; ++i) opened.simulation.Step({.gravity = {0, 0, 0}, .targets = targets});
  double centre[3];
  opened.simulation.Centre(centre);
  EXPECT_NEAR(centre[2], 0.3, 1e-3);
}

// How far the jelly slides along x and z on a slope that falls towards both.
Vector3d SlideOn(double slope, double friction) {
  Opened opened(Jelly());
  const SolidCollider floor = Floor(-0.31, friction);
  // The floor stays level, and gravity is turned.
  const double along = 9.81 * std::sin(slope) / std::sqrt(2.0), down = -9.81 * std::cos(slope);
  double begin[3], end[3];
  for (int i = 0; i < 120; ++i) {
    // Comes to rest on the level first.
    const double tilt = i < 60 ? 0 : along;
    opened.simulation.Step({.gravity = {tilt, down, tilt}, .colliders = {&floor, 1}});
    if (i == 60) opened.simulation.Centre(begin);
  }
  opened.simulation.Centre(end);
  return Vector3d(end) - Vector3d(begin);
}

TEST(SolidFriction, HoldsBelowItsAngleAndSlidesAboveInTheDirectionOfTheSlope) {
  const double angle = std::atan(0.5);
  const Vector3d held = SlideOn(0.7 * angle, 0.5), slid = SlideOn(1.6 * angle, 0.5);
  // The jelly leans while its base is held.
  EXPECT_LT(held.norm(), 0.1);
  EXPECT_GT(slid.norm(), 3 * held.norm());
  EXPECT_NEAR(slid[0], slid[2], 0.2 * slid[0]);
}

// A shaken state in contact with two colliders, with friction and driven handles.
struct Shaken {
  Shaken() : object(Jelly()), start(object.state_size()) {
    Random random(3);
    object.RestState(start.data());
    state = start;
    for (double& number : state) number += 0.02 * random.Normal();
    colliders[0].shape = SolidShape::kSphere;
    colliders[0].radius = 0.2;
    colliders[0].pose.position[1] = 0.4;
    colliders[1].pose.position[1] = -0.25;
    for (int h = 0; h < object.handle_count(); ++h) {
      targets.push_back({.stiffness = h % 2 == 0 ? 50.0 : 0.0});
      for (double& number : targets.back().numbers) number = random.Normal();
    }
    friction.resize(static_cast<size_t>(object.point_count()));
    for (size_t i = 0; i < friction.size(); i += 2) {
      Vector3d normal{random.Normal(), random.Normal(), random.Normal()};
      normal.normalize();
      friction[i].force = random.Uniform(0, 5);
      std::copy_n(normal.data(), 3, friction[i].normal);
      PositionOf<3>(object.points(), static_cast<int>(i), state.data(), friction[i].from);
      for (double& coordinate : friction[i].from) coordinate += 0.01 * random.Normal();
    }
  }
  IncrementalPotentialOf<3> Potential() const {
    return {.object = &object,
            .seconds = 1.0 / 60,
            .start = start.data(),
            .colliders = colliders,
            .targets = targets,
            .friction = friction,
            .slip = 0.01};
  }
  const ObjectTable& object;
  VectorXd start, state;
  SolidCollider colliders[2];
  std::vector<SolidTarget> targets;
  std::vector<FrictionOf<3>> friction;
};

TEST(SolidPotential, GradientIsThatOfTheEnergy) {
  const Shaken shaken;
  const IncrementalPotentialOf<3> all = shaken.Potential();
  IncrementalPotentialOf<3> alone = all;
  alone.colliders = {};
  alone.targets = {};
  alone.friction = {};
  for (const IncrementalPotentialOf<3>& potential : {all, alone}) {
    VectorXd gradient(shaken.state.size());
    potential.Gradient(shaken.state.data(), gradient.data());
    const auto energy = [&](const VectorXd& x) { return potential.Energy(x.data()); };
    EXPECT_LT(GradientError(energy, shaken.state, gradient, 1e-6), 1e-6);
  }
}

TEST(SolidPotential, HessianIsThatOfTheGradientAndNeverNegative) {
  const Shaken shaken;
  IncrementalPotentialOf<3> potential = shaken.Potential();
  const Eigen::Index n = shaken.state.size();
  VectorXd gradient(n), other(n);
  RowMajor hessian(n, n);
  potential.GradientAndHessian(shaken.state.data(), gradient.data(), hessian.data());
  potential.Gradient(shaken.state.data(), other.data());
  EXPECT_EQ(gradient, other);
  const Eigen::MatrixXd whole = hessian.selfadjointView<Eigen::Lower>();
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(whole).eigenvalues().minCoeff(), 0);

  // The curvature of colliders is left out; friction with its two curvatures stays. Where the body is stretched a
  // little, nothing has to be projected.
  potential.colliders = {};
  const VectorXd state = 1.06 * shaken.start + 0.02 * (shaken.state - shaken.start);
  potential.GradientAndHessian(state.data(), gradient.data(), hessian.data());
  const Eigen::MatrixXd exact = hessian.selfadjointView<Eigen::Lower>();
  for (Eigen::Index k = 0; k < n; k += 7) {
    const auto slope = [&](const VectorXd& x) {
      potential.Gradient(x.data(), other.data());
      return other[k];
    };
    EXPECT_LT(GradientError(slope, state, exact.row(k).transpose(), 1e-5), 1e-5) << k;
  }
}

}  // namespace
}  // namespace sinew::dynamics
