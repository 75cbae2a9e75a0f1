// Colliders at given places: what they do to flesh, and that they do nothing else.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/elasticity/rigid_collider.h"
#include "sinew/offline/flesh/simulator.h"
#include "tests/support/flesh_arm.h"
#include "tests/support/mesh_families.h"

namespace sinew::flesh {
namespace {

constexpr float kArm = 0.12f, kBall = 0.06f;

FleshSettings WithCollider(const TriMesh& mesh) {
  FleshSettings settings;
  settings.tets = 3000;
  settings.unit = 1;
  settings.colliders = {{.shape = mesh, .joint = -1, .given = true}};
  return settings;
}

TriMesh Ball() { return testing::Moved(testing::Sphere(24, 16), {0, 0, 0}, kBall); }

// The ball over the arm, its lowest point `depth` below the skin.
Eigen::Isometry3d Over(double x, double depth) {
  return Eigen::Isometry3d(Eigen::Translation3d(x, kArm + kBall - depth, 0));
}

double Largest(const FrameResult& a, const FrameResult& b) {
  return (a.parts[0] - b.parts[0]).rowwise().norm().maxCoeff();
}

TEST(FleshPress, ABallDentsTheSkinWhereItIs) {
  const Character arm = testing::FleshArm(kArm, 32, 48);
  const FleshModel model(arm, WithCollider(Ball()));
  const Pose pose = testing::BentArm(arm, 20);
  FleshPress press(model, pose);
  ASSERT_TRUE(press.free().converged) << press.free().reason;
  // Without the collider the flesh is as if there were none.
  EXPECT_EQ(press.free().parts[0], model.Solve(pose).parts[0]);
  double last = 0;
  for (const double depth : {0.01, 0.02, 0.03}) {
    const Eigen::Isometry3d place = Over(-0.25, depth);
    const FrameResult pressed = press.Solve({place});
    ASSERT_TRUE(pressed.converged) << depth << ": " << pressed.reason;
    EXPECT_GT(pressed.collider_contacts, 0);
    const double dent = Largest(pressed, press.free());
    EXPECT_GT(dent, std::max(last, 0.4 * depth));
    last = dent;
    // What is far away hardly moves, and the ball is hardly entered.
    const elasticity::MeshCollider ball(Ball());
    for (Eigen::Index v = 0; v < pressed.parts[0].rows(); ++v) {
      const Eigen::Vector3d at = pressed.parts[0].row(v).cast<double>().transpose();
      const double moved = (pressed.parts[0].row(v) - press.free().parts[0].row(v)).norm();
      if ((at - place.translation()).norm() > 0.35) {
        EXPECT_LT(moved, 0.1 * dent);
      }
      const auto found = ball.Find(place.inverse() * at, 0);
      if (found) {
        EXPECT_GT(found->gap, -0.35 * depth - 0.004);
      }
    }
  }
}

TEST(FleshPress, AColliderThatDoesNotTouchMovesNothing) {
  const Character arm = testing::FleshArm(kArm, 32, 48);
  const FleshModel model(arm, WithCollider(Ball()));
  FleshPress press(model, testing::BentArm(arm, 20));
  const FrameResult away = press.Solve({Over(-0.25, -0.05)});
  ASSERT_TRUE(away.converged) << away.reason;
  EXPECT_EQ(away.collider_contacts, 0);
  const FrameResult pressed = press.Solve({Over(-0.25, 0.02)});
  EXPECT_LT(Largest(away, press.free()), 0.01 * Largest(pressed, press.free()));
}

TEST(FleshPress, SaysWhatItNeeds) {
  const Character arm = testing::FleshArm(kArm, 24, 32);
  FleshSettings settings = WithCollider(Ball());
  settings.colliders[0].given = false;
  settings.tets = 1000;
  const FleshModel model(arm, settings);
  EXPECT_THROW(FleshPress(model, arm.skeleton.RestPose()), UsageError);
}

}  // namespace
}  // namespace sinew::flesh
