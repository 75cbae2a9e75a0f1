#include "sinew/dynamics/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/offline/core/random.h"
#include "tests/support/soft_objects.h"

namespace sinew::dynamics {
namespace {

using runtime::Status;
using sinew::testing::OpenedSimulation;
using sinew::testing::SmallSoftObject;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double EnergyOf(const Simulation& simulation) { return simulation.KineticEnergy() + simulation.StoredEnergy(); }

// Sets a state that is shaken about rest, and a velocity that spins, drifts and shakes.
void Shake(Simulation& simulation, const ObjectTable& object, uint64_t seed) {
  Random random(seed);
  std::vector<double> state(simulation.state().begin(), simulation.state().end()), velocity(state.size());
  for (size_t k = 0; k < state.size(); k += 2) {
    velocity[k] = -4 * state[k + 1] + 0.2 * random.Normal();
    velocity[k + 1] = 4 * state[k] + 0.2 * random.Normal();
  }
  for (double& number : state) number += 0.03 * random.Normal();
  for (int h = 0; h < object.handle_count(); ++h) velocity[2 * static_cast<size_t>(object.PositionBasis(h))] += 0.7;
  ASSERT_EQ(simulation.SetState(state, velocity), Status::kOk);
}

Collider Floor(double height, double friction = 0) {
  Collider floor;
  floor.friction = friction;
  floor.pose.position[1] = height;
  return floor;
}

class Simulations : public ::testing::TestWithParam<const char*> {
 protected:
  const ObjectTable& object_ = SmallSoftObject(GetParam()).table;
  OpenedSimulation opened_{object_};
  Simulation& simulation_ = opened_.simulation;
};
INSTANTIATE_TEST_SUITE_P(Objects, Simulations, ::testing::Values("worm", "jelly", "ring"));

TEST_P(Simulations, FreeDynamicsNeverGainEnergyAndKeepMomentum) {
  for (const double seconds : {1.0 / 60, 1.0 / 240}) {
    Shake(simulation_, object_, 5);
    double momentum[2], now[2], energy = EnergyOf(simulation_);
    simulation_.Momentum(momentum);
    const double begin = energy, size = std::hypot(momentum[0], momentum[1]);
    for (int i = 0; i < 1000; ++i) {
      const StepReport report = simulation_.Step({.seconds = seconds, .gravity = {0, 0}});
      ASSERT_EQ(report.flags, 0u) << i;
      const double after = EnergyOf(simulation_);
      ASSERT_LE(after, energy + 1e-9 * begin) << i;
      energy = after;
      simulation_.Momentum(now);
      ASSERT_NEAR(now[0], momentum[0], 1e-9 * size) << i;
      ASSERT_NEAR(now[1], momentum[1], 1e-9 * size) << i;
    }
    // What drifts cannot come to rest.
    EXPECT_GT(energy, 0.9 * size * size / (2 * simulation_.Mass()));
  }
}

TEST_P(Simulations, FallsAsBackwardEulerDoes) {
  double before[2], after[2];
  simulation_.Centre(before);
  constexpr int kSteps = 30;
  for (int i = 0; i < kSteps; ++i) EXPECT_EQ(simulation_.Step({}).flags, 0u);
  simulation_.Centre(after);
  const double h = 1.0 / 60;
  EXPECT_NEAR(after[1] - before[1], -9.81 * h * h * kSteps * (kSteps + 1) / 2, 1e-9);
  EXPECT_NEAR(after[0], before[0], 1e-9);
  EXPECT_NEAR(simulation_.StoredEnergy(), 0, 1e-9);
}

TEST_P(Simulations, SameInputsGiveSameBits) {
  OpenedSimulation other(object_);
  const Collider floor = Floor(-0.25, 0.5);
  for (Simulation* simulation : {&simulation_, &other.simulation}) {
    Shake(*simulation, object_, 8);
    for (int i = 0; i < 60; ++i) simulation->Step({.colliders = {&floor, 1}});
  }
  EXPECT_TRUE(std::equal(simulation_.state().begin(), simulation_.state().end(), other.simulation.state().begin()));
}

TEST_P(Simulations, SettlesOnAFloor) {
  const Collider floor = Floor(-0.3, 0.5);
  StepReport report;
  for (int i = 0; i < 900; ++i) report = simulation_.Step({.colliders = {&floor, 1}});
  EXPECT_GT(report.touching, 0);
  const double weight = simulation_.Mass() * 9.81;
  EXPECT_LT(simulation_.KineticEnergy(), 1e-6 * weight * object_.header().size);
  std::vector<double> positions(2 * static_cast<size_t>(object_.node_count()));
  ASSERT_EQ(simulation_.Positions(positions), Status::kOk);
  double lowest = 0;
  for (size_t i = 1; i < positions.size(); i += 2) lowest = std::min(lowest, positions[i]);
  EXPECT_LT(lowest, -0.3);
  EXPECT_GT(lowest, -0.3 - 0.02 * object_.header().size);
}

TEST_P(Simulations, BadInputsAreFlaggedAndIgnored) {
  Collider floor = Floor(-0.3), bad = Floor(kNan);
  const Collider both[] = {floor, bad};
  OpenedSimulation other(object_);
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(simulation_.Step({.colliders = both}).flags & ~kNotConverged, uint32_t{kBadCollider});
    other.simulation.Step({.colliders = {&floor, 1}});
  }
  EXPECT_TRUE(std::equal(simulation_.state().begin(), simulation_.state().end(), other.simulation.state().begin()));

  std::vector<Target> targets(static_cast<size_t>(object_.handle_count()));
  targets[0] = {.stiffness = 10, .numbers = {kNan}};
  EXPECT_EQ(simulation_.Step({.targets = targets}).flags, uint32_t{kBadTarget});
  targets.resize(1);
  if (object_.handle_count() > 1) {
    EXPECT_EQ(simulation_.Step({.targets = targets}).flags, uint32_t{kBadTarget});
  }
  const std::vector<double> before(simulation_.state().begin(), simulation_.state().end());
  const std::vector<Collider> crowd(Simulation::kMaxColliders + 1, floor);
  EXPECT_EQ(simulation_.Step({.seconds = kNan}).flags, uint32_t{kBadStep});
  EXPECT_EQ(simulation_.Step({.seconds = 0}).flags, uint32_t{kBadStep});
  EXPECT_EQ(simulation_.Step({.gravity = {0, kNan}}).flags, uint32_t{kBadStep});
  EXPECT_EQ(simulation_.Step({.colliders = crowd}).flags, uint32_t{kBadStep});
  std::vector<double> strange = before;
  strange[0] = kNan;
  EXPECT_EQ(simulation_.SetState(strange, before), Status::kInvalidArgument);
  EXPECT_EQ(simulation_.SetState(before, {}), Status::kInvalidArgument);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), simulation_.state().begin()));
}

TEST_P(Simulations, StaysFiniteWhateverCollidersDo) {
  Random random(6);
  Collider cube;
  const double corners[] = {-0.1, -0.1, 0.1, -0.1, 0.1, 0.1, -0.1, 0.1};
  cube.shape = ColliderShape::kPolygon;
  cube.corners = corners;
  cube.corner_count = 4;
  cube.rounding = 0.01;
  cube.friction = 2;
  const Collider floor = Floor(-0.3, 1);
  for (int i = 0; i < 200; ++i) {
    // Jumps to a random place and angle in every step.
    const double angle = random.Uniform(0, 6.28);
    cube.pose = {std::cos(angle), std::sin(angle), {random.Uniform(-0.5, 0.5), random.Uniform(-0.4, 0.2)}};
    const Collider both[] = {floor, cube};
    simulation_.Step({.colliders = both});
    for (const double number : simulation_.state()) ASSERT_TRUE(std::isfinite(number));
  }
}

TEST_P(Simulations, DrivenHandlesReachTheirTargets) {
  std::vector<Target> targets(static_cast<size_t>(object_.handle_count()));
  std::vector<double> rest(static_cast<size_t>(object_.state_size()));
  object_.RestState(rest.data());
  for (int h = 0; h < object_.handle_count(); ++h) {
    const auto first = 2 * static_cast<size_t>(object_.handle(h).first);
    const size_t count = object_.handle(h).kind == HandleKind::kFrame ? 6 : 2;
    Target& target = targets[static_cast<size_t>(h)];
    target.stiffness = 1e7;
    std::copy_n(rest.begin() + static_cast<std::ptrdiff_t>(first), count, target.numbers);
    target.numbers[count - 2] += 0.3;
  }
  for (int i = 0; i < 60; ++i) simulation_.Step({.gravity = {0, 0}, .targets = targets});
  double centre[2];
  simulation_.Centre(centre);
  EXPECT_NEAR(centre[0], 0.3, 1e-3);
}

// How far a worm that lies on a slope slides in one and a half seconds.
double SlideOn(double slope, double friction) {
  OpenedSimulation opened(SmallSoftObject("worm").table);
  const Collider floor = Floor(-0.1, friction);
  // The floor stays level, and gravity is turned.
  const double gravity[2] = {9.81 * std::sin(slope), -9.81 * std::cos(slope)};
  double begin[2], end[2];
  for (int i = 0; i < 150; ++i) {
    // Comes to rest on the level first.
    const bool level = i < 30;
    opened.simulation.Step({.gravity = {level ? 0 : gravity[0], gravity[1]}, .colliders = {&floor, 1}});
    if (i == 60) opened.simulation.Centre(begin);
  }
  opened.simulation.Centre(end);
  return end[0] - begin[0];
}

TEST(FrictionOnASlope, HoldsBelowItsAngleAndSlidesAbove) {
  const double angle = std::atan(0.5);
  EXPECT_LT(SlideOn(0.8 * angle, 0.5), 0.005);
  const double slid = SlideOn(1.3 * angle, 0.5);
  // g (sin - mu cos), from the moment at which it begins to slide.
  const double acceleration = 9.81 * (std::sin(1.3 * angle) - 0.5 * std::cos(1.3 * angle));
  EXPECT_NEAR(slid, acceleration * (0.5 * 1.5 * 1.5 + 0.5 * 1.5), 0.25 * slid);
  EXPECT_GT(SlideOn(0.3, 0), slid);
}

TEST(Simulation, RefusesBadScratch) {
  const ObjectTable& object = SmallSoftObject("jelly").table;
  Block scratch(Simulation::ScratchBytes(object) + 64);
  Simulation simulation;
  EXPECT_EQ(simulation.Open(ObjectTable{}, scratch.bytes()), Status::kInvalidArgument);
  EXPECT_EQ(simulation.Open(object, scratch.bytes().subspan(8)), Status::kInvalidArgument);
  EXPECT_EQ(simulation.Open(object, scratch.bytes().first(64)), Status::kInsufficientSpace);
  EXPECT_EQ(simulation.Step({}).flags, uint32_t{kBadStep});
  EXPECT_EQ(simulation.Open(object, scratch.bytes()), Status::kOk);
}

}  // namespace
}  // namespace sinew::dynamics
