#include "sinew/dynamics/collider.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/dynamics/dense.h"
#include "sinew/offline/core/random.h"
#include "tests/support/gradient_check.h"

namespace sinew::dynamics {
namespace {

constexpr double kStar[] = {0, -0.5, 1, -1, 0.5, 0, 1, 1, 0, 0.5, -1, 1, -0.5, 0, -1, -1};

std::vector<Collider> AllShapes() {
  const PlanePose pose{.cosine = std::cos(0.7), .sine = std::sin(0.7), .position = {0.3, -0.2}};
  std::vector<Collider> shapes(3);
  shapes[1].shape = ColliderShape::kCircle;
  shapes[1].radius = 0.8;
  shapes[2].shape = ColliderShape::kPolygon;
  shapes[2].corners = kStar;
  shapes[2].corner_count = 8;
  shapes[2].rounding = 0.1;
  for (Collider& shape : shapes) shape.pose = pose;
  return shapes;
}

TEST(Collider, GradientsAreThoseOfDistances) {
  Random random(4);
  for (const Collider& shape : AllShapes()) {
    ASSERT_TRUE(shape.IsSound());
    int checked = 0;
    for (int i = 0; i < 200; ++i) {
      const Eigen::Vector2d x{random.Uniform(-2, 2), random.Uniform(-2, 2)};
      const auto distance = [&](const Eigen::VectorXd& at) {
        return shape.Distance(shape.pose, at[0], at[1]).distance;
      };
      const runtime::PlaneDistanceSample sample = shape.Distance(shape.pose, x[0], x[1]);
      const Eigen::Vector2d gradient(sample.gradient_x, sample.gradient_y);
      EXPECT_NEAR(gradient.norm(), 1, 1e-12);
      // Where the nearest side changes there is a kink.
      const Eigen::VectorXd numeric = NumericGradient(distance, x, 1e-6);
      if (std::abs(numeric.norm() - 1) > 1e-6) continue;
      EXPECT_LT((numeric - gradient).norm(), 1e-5);
      ++checked;
    }
    EXPECT_GT(checked, 180);
  }
}

TEST(Collider, CarriesWhatIsFixedToIt) {
  const PlanePose from{.cosine = 0.6, .sine = 0.8, .position = {1, 2}}, to{.cosine = 0, .sine = 1, .position = {-3, 0}};
  for (Collider shape : AllShapes()) {
    double x[2] = {0.4, 1.1};
    DistanceSample<2> before = shape.Distance(from, x);
    CarryPoint(from, to, x);
    CarryDirection(from, to, before.gradient);
    const DistanceSample<2> after = shape.Distance(to, x);
    EXPECT_NEAR(after.distance, before.distance, 1e-12);
    for (int r = 0; r < 2; ++r) EXPECT_NEAR(after.gradient[r], before.gradient[r], 1e-12);
  }
}

TEST(Collider, RefusesBadNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Collider& shape : AllShapes()) {
    Collider bad = shape;
    bad.pose.position[1] = nan;
    EXPECT_FALSE(bad.IsSound());
    bad = shape;
    bad.pose.cosine *= 1.1;
    bad.pose.sine *= 1.1;
    EXPECT_FALSE(bad.IsSound());
    bad = shape;
    bad.friction = -1;
    EXPECT_FALSE(bad.IsSound());
  }
  Collider circle = AllShapes()[1], polygon = AllShapes()[2];
  circle.radius = nan;
  EXPECT_FALSE(circle.IsSound());
  polygon.corner_count = 2;
  EXPECT_FALSE(polygon.IsSound());
  const double twice[] = {0, 0, 1, 0, 1, 0};
  polygon.corners = twice;
  polygon.corner_count = 3;
  EXPECT_FALSE(polygon.IsSound());
}

TEST(Dense, SolvesWhatIsPositiveDefiniteAndRefusesTheRest) {
  Random random(2);
  for (const int n : {1, 2, 7, 30}) {
    Eigen::MatrixXd B(n, n);
    for (double& b : B.reshaped()) b = random.Normal();
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const RowMajor A = B * B.transpose() + Eigen::MatrixXd::Identity(n, n);
    RowMajor factor = A;
    factor.triangularView<Eigen::StrictlyUpper>().setConstant(NAN);  // must not be read
    ASSERT_TRUE(FactorCholesky(factor.data(), n));
    Eigen::VectorXd b(n);
    for (double& value : b) value = random.Normal();
    Eigen::VectorXd x = b;
    SolveCholesky(factor.data(), n, x.data());
    EXPECT_LT((A * x - b).norm(), 1e-9);
    RowMajor broken = A;
    broken(n - 1, n - 1) = -1;
    EXPECT_FALSE(FactorCholesky(broken.data(), n));
    broken = RowMajor::Constant(n, n, NAN);
    EXPECT_FALSE(FactorCholesky(broken.data(), n));
  }
}

}  // namespace
}  // namespace sinew::dynamics
