#include "sinew/dynamics/incremental_potential.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "sinew/offline/core/random.h"
#include "tests/support/gradient_check.h"
#include "tests/support/soft_objects.h"

namespace sinew::dynamics {
namespace {

using Eigen::VectorXd;
using sinew::testing::SmallSoftObject;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A shaken state of an object in contact with two colliders, with friction and driven handles.
struct Shaken {
  explicit Shaken(const std::string& name) : object(SmallSoftObject(name).table), start(object.state_size()) {
    Random random(3);
    object.RestState(start.data());
    state = start;
    for (double& number : state) number += 0.02 * random.Normal();
    colliders[0].shape = ColliderShape::kCircle;
    colliders[0].radius = 0.1;
    colliders[0].pose.position[1] = 0.25;
    colliders[1].pose.position[1] = -0.15;
    for (int h = 0; h < object.handle_count(); ++h) {
      targets.push_back({.stiffness = h % 2 == 0 ? 50.0 : 0.0});
      for (double& number : targets.back().numbers) number = random.Normal();
    }
    friction.resize(static_cast<size_t>(object.point_count()));
    for (size_t i = 0; i < friction.size(); i += 2) {
      const double angle = random.Uniform(0, 6);
      friction[i] = {.force = random.Uniform(0, 5), .normal = {std::cos(angle), std::sin(angle)}, .from = {}};
      PositionOf(object.points(), static_cast<int>(i), state.data(), &friction[i].from[0], &friction[i].from[1]);
      for (double& coordinate : friction[i].from) coordinate += 0.01 * random.Normal();
    }
  }
  IncrementalPotential Potential() const {
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
  Collider colliders[2];
  std::vector<Target> targets;
  std::vector<Friction> friction;
};

class Potentials : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Objects, Potentials, ::testing::Values("worm", "jelly", "ring"));

TEST_P(Potentials, GradientIsThatOfTheEnergy) {
  const Shaken shaken(GetParam());
  const IncrementalPotential all = shaken.Potential();
  IncrementalPotential only_inertia_and_elastic = all, without_friction = all;
  only_inertia_and_elastic.colliders = {};
  only_inertia_and_elastic.targets = {};
  only_inertia_and_elastic.friction = without_friction.friction = {};
  for (const IncrementalPotential& potential : {all, without_friction, only_inertia_and_elastic}) {
    VectorXd gradient(shaken.state.size());
    potential.Gradient(shaken.state.data(), gradient.data());
    const auto energy = [&](const VectorXd& x) { return potential.Energy(x.data()); };
    EXPECT_LT(GradientError(energy, shaken.state, gradient, 1e-6), 1e-6);
  }
}

// Contact leaves the curvature of colliders out, so that the whole is compared without it; with it, it must not be
// negative.
TEST_P(Potentials, HessianIsThatOfTheGradientAndNeverNegative) {
  const Shaken shaken(GetParam());
  IncrementalPotential potential = shaken.Potential();
  const Eigen::Index n = shaken.state.size();
  VectorXd gradient(n), other(n);
  RowMajor hessian(n, n);
  potential.GradientAndHessian(shaken.state.data(), gradient.data(), hessian.data());
  potential.Gradient(shaken.state.data(), other.data());
  EXPECT_EQ(gradient, other);
  const Eigen::MatrixXd whole = hessian.selfadjointView<Eigen::Lower>();
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(whole).eigenvalues().minCoeff(), 0);

  potential.colliders = {};
  potential.friction = {};
  // Where the body is stretched a little, nothing has to be projected.
  const VectorXd state = 1.06 * shaken.start + 0.02 * (shaken.state - shaken.start);
  potential.GradientAndHessian(state.data(), gradient.data(), hessian.data());
  const Eigen::MatrixXd exact = hessian.selfadjointView<Eigen::Lower>();
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto slope = [&](const VectorXd& x) {
      potential.Gradient(x.data(), other.data());
      return other[k];
    };
    EXPECT_LT(GradientError(slope, state, exact.row(k).transpose(), 1e-5), 1e-5) << k;
  }
}

TEST(Friction, LengthIsSmoothAndItsSlopeBounded) {
  for (const double y : {1e-4, 0.005, 0.0099, 0.0101, 0.5}) {
    const auto length = [](const VectorXd& x) { return FrictionLength(x[0], 0.01); };
    const double slope = FrictionSlope(y, 0.01);
    EXPECT_LT(GradientError(length, VectorXd::Constant(1, y), VectorXd::Constant(1, slope), 1e-5), 1e-4) << y;
    EXPECT_GE(slope, 0);
    EXPECT_LE(slope, 1);
  }
}

}  // namespace
}  // namespace sinew::dynamics
