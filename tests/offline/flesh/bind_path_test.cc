#include <gtest/gtest.h>

#include "tests/offline/flesh/small_flesh.h"
#include "tests/support/flesh_arm.h"

namespace sinew::flesh {
namespace {

// Flesh is at ease in the bind pose, and what a pose looks like has nothing to do with the pose that a file rests in.
TEST(Simulator, ShapesDoNotDependOnTheRestPose) {
  const Character arm = testing::FleshArm();
  for (const double degrees : {30, 100}) {
    const Pose pose = testing::BentArm(arm, degrees);
    const FrameResult expected = FleshModel(arm, Small()).Solve(pose);
    ASSERT_TRUE(expected.converged) << expected.reason;
    for (const double rest : {-60, 90}) {
      Character other = arm;
      other.skeleton.joints[1].rest = testing::BentArm(arm, rest)[1];
      const FrameResult result = FleshModel(other, Small()).Solve(pose);
      EXPECT_TRUE(result.converged) << result.reason;
      EXPECT_EQ(result.path_steps, expected.path_steps);
      EXPECT_LT(Furthest(result.parts[0], expected.parts[0]), 1e-5) << degrees << ", resting at " << rest;
    }
  }
}

}  // namespace
}  // namespace sinew::flesh
