#include "sinew/dynamics/solid_collider.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "sinew/offline/core/random.h"
#include "sinew/offline/elasticity/solid_collider.h"
#include "tests/support/gradient_check.h"

namespace sinew::dynamics {
namespace {

using Eigen::Vector3d;

constexpr double kSquare[] = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5};

SolidPose PoseOf(const Vector3d& turn, const Vector3d& position) {
  const Eigen::Matrix3d R = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
  SolidPose pose;
  for (int r = 0; r < 3; ++r) {
    pose.position[r] = position[r];
    for (int c = 0; c < 3; ++c) pose.rotation[3 * r + c] = R(r, c);
  }
  return pose;
}

std::vector<SolidCollider> AllShapes() {
  std::vector<SolidCollider> shapes(5);
  shapes[1].shape = SolidShape::kSphere;
  shapes[1].radius = 0.8;
  shapes[2].shape = SolidShape::kBox;
  shapes[3].shape = SolidShape::kExtruded;
  shapes[4].shape = SolidShape::kTurned;
  for (SolidCollider& shape : shapes) {
    shape.pose = PoseOf({0.4, -0.7, 0.2}, {0.3, -0.2, 0.1});
    shape.half[0] = 0.5;
    shape.half[1] = 0.5;
    shape.half[2] = 0.7;
    shape.rounding = 0.1;
    shape.corners = kSquare;
    shape.corner_count = 4;
  }
  return shapes;
}

TEST(SolidCollider, GradientsAreThoseOfDistances) {
  Random random(4);
  for (const SolidCollider& shape : AllShapes()) {
    ASSERT_TRUE(shape.IsSound());
    int checked = 0;
    for (int i = 0; i < 200; ++i) {
      const Vector3d x{random.Uniform(-2, 2), random.Uniform(-2, 2), random.Uniform(-2, 2)};
      const auto distance = [&](const Eigen::VectorXd& at) { return shape.Distance(shape.pose, at.data()).distance; };
      const Vector3d gradient(shape.Distance(shape.pose, x.data()).gradient);
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

TEST(SolidCollider, IsFarOnlyFromWhatIsOutside) {
  Random random(6);
  for (const SolidCollider& shape : AllShapes()) {
    int far = 0;
    for (int i = 0; i < 2000; ++i) {
      const double x[] = {random.Uniform(-2, 2), random.Uniform(-2, 2), random.Uniform(-2, 2)};
      if (!shape.IsFar(shape.pose, x)) continue;
      ++far;
      EXPECT_GE(shape.Distance(shape.pose, x).distance, 0);
    }
    const bool is_told = shape.shape == SolidShape::kSphere || shape.shape == SolidShape::kBox;
    EXPECT_TRUE(is_told ? far > 500 : far == 0) << far;
  }
}

// A box is a square that is extruded, and an extruded polygon that of the solver.
TEST(SolidCollider, ShapesAgree) {
  Random random(5);
  const std::vector<SolidCollider> shapes = AllShapes();
  const elasticity::PlaneCollider square({{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}, 0);
  const auto extruded = elasticity::SolidCollider::Extruded(square, 0.7, 0.1);
  const auto turned = elasticity::SolidCollider::Turned(square, 0.1);
  for (int i = 0; i < 300; ++i) {
    const Vector3d x{random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 1)};
    const SolidPose still;
    const double box = shapes[2].Distance(still, x.data()).distance;
    EXPECT_NEAR(shapes[3].Distance(still, x.data()).distance, box, 1e-12);
    EXPECT_NEAR(extruded.Distance(x).distance, box, 1e-12);
    EXPECT_NEAR(shapes[4].Distance(still, x.data()).distance, turned.Distance(x).distance, 1e-12);
  }
}

TEST(SolidCollider, CarriesWhatIsFixedToIt) {
  const SolidPose from = PoseOf({1, 0.3, 0}, {1, 2, 0}), to = PoseOf({0, -0.3, 2}, {-3, 0, 1});
  for (const SolidCollider& shape : AllShapes()) {
    double x[3] = {0.4, 1.1, -0.3};
    DistanceSample<3> before = shape.Distance(from, x);
    CarryPoint(from, to, x);
    CarryDirection(from, to, before.gradient);
    const DistanceSample<3> after = shape.Distance(to, x);
    EXPECT_NEAR(after.distance, before.distance, 1e-12);
    for (int r = 0; r < 3; ++r) EXPECT_NEAR(after.gradient[r], before.gradient[r], 1e-12);
  }
}

TEST(SolidCollider, RefusesBadNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const SolidCollider& shape : AllShapes()) {
    const auto is_sound = [&](const auto& change) {
      SolidCollider bad = shape;
      change(bad);
      return bad.IsSound();
    };
    EXPECT_TRUE(is_sound([](SolidCollider&) {}));
    EXPECT_FALSE(is_sound([nan](SolidCollider& bad) { bad.pose.position[1] = nan; }));
    EXPECT_FALSE(is_sound([nan](SolidCollider& bad) { bad.pose.rotation[4] = nan; }));
    EXPECT_FALSE(is_sound([](SolidCollider& bad) { bad.friction = -1; }));
    // Larger, and mirrored.
    EXPECT_FALSE(is_sound([](SolidCollider& bad) {
      for (double& entry : bad.pose.rotation) entry *= 1.1;
    }));
    EXPECT_FALSE(is_sound([](SolidCollider& bad) {
      for (int c = 0; c < 3; ++c) bad.pose.rotation[c] *= -1;
    }));
  }
  std::vector<SolidCollider> shapes = AllShapes();
  shapes[1].radius = 0;
  shapes[2].half[1] = nan;
  shapes[3].corner_count = 2;
  shapes[4].corners = nullptr;
  for (size_t i = 1; i < shapes.size(); ++i) EXPECT_FALSE(shapes[i].IsSound()) << i;
}

TEST(SolidCollider, NormaliseMakesARotation) {
  SolidPose pose = PoseOf({0.4, -0.7, 0.2}, Vector3d::Zero());
  for (double& entry : pose.rotation) entry += 3e-4;
  Normalise(&pose);
  const Eigen::Map<const Eigen::Matrix3d> R(pose.rotation);
  EXPECT_LT((R * R.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-14);
}

}  // namespace
}  // namespace sinew::dynamics
