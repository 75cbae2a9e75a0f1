// Flesh in two pieces: one inside the other, or in its way.
#include "sinew/offline/flesh/hidden_flesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "sinew/offline/flesh/rest_skin.h"
#include "sinew/offline/flesh/simulator.h"
#include "sinew/offline/mesh/winding_number.h"
#include "tests/offline/flesh/small_flesh.h"
#include "tests/support/flesh_arm.h"

namespace sinew::flesh {
namespace {

using testing::BentArm;
using testing::FleshArm;

// A part like the first, scaled about the middle of the arm and moved.
Part Another(const Character& arm, const Eigen::RowVector3f& scale, const Eigen::RowVector3f& move) {
  Part part = arm.parts[0];
  part.name = "another";
  part.mesh.positions = (part.mesh.positions.array().rowwise() * scale.array()).matrix().rowwise() + move;
  return part;
}

TEST(HiddenFlesh, IsWhatLiesInsideOtherFlesh) {
  Character arm = FleshArm();
  const int triangles = arm.parts[0].mesh.triangle_count();
  const auto hidden = [&](const Part& other) {
    Character both = arm;
    both.parts.push_back(other);
    const RestSkin skin = CollectRestSkin(both);
    const std::vector<bool> found = FindHidden(skin.welded, skin.roles);
    return std::pair(std::count(found.begin(), found.begin() + triangles, true),
                     std::count(found.begin() + triangles, found.end(), true));
  };
  const Eigen::RowVector3f nowhere(0, 0, 0);
  // Wholly inside; half of it inside, where both hide some of the other; beside it; the same again.
  EXPECT_EQ(hidden(Another(arm, {0.3f, 0.5f, 0.5f}, nowhere)), std::pair(0L, static_cast<long>(triangles)));
  const auto [of_first, of_second] = hidden(Another(arm, {1, 1, 1}, {0.5f, 0, 0.05f}));
  EXPECT_GT(of_first, triangles / 20);
  EXPECT_LT(of_first, triangles * 6 / 10);
  EXPECT_GT(of_second, triangles / 20);
  EXPECT_LT(of_second, triangles * 6 / 10);
  EXPECT_EQ(hidden(Another(arm, {1, 1, 1}, {0, 0.3f, 0})), std::pair(0L, 0L));
  EXPECT_EQ(hidden(Another(arm, {1, 1, 1}, {1e-5f, 0, 0})), std::pair(0L, 0L));
}

TEST(HiddenFlesh, FollowsTheFleshAroundItAndDoesNotPressOnIt) {
  const Character arm = FleshArm();
  Character both = arm;
  both.parts.push_back(Another(arm, {0.3f, 0.5f, 0.5f}, {0, 0, 0}));
  const FleshModel alone(arm, Small()), model(both, Small());
  const FrameResult expected = alone.Solve(BentArm(arm, 60)), result = model.Solve(BentArm(both, 60));
  ASSERT_TRUE(result.converged) << result.reason;
  EXPECT_EQ(result.parts[0], expected.parts[0]);
  // None of what is inside at rest comes out.
  const WindingNumber winding({result.parts[0], arm.parts[0].mesh.triangles});
  for (Eigen::Index v = 0; v < result.parts[1].rows(); ++v) {
    EXPECT_TRUE(winding.Inside(result.parts[1].row(v).transpose())) << v;
  }
  EXPECT_LT(Furthest(model.Solve(both.skeleton.RestPose()).parts[1], both.parts[1].mesh.positions), 1e-4);
}

// A second bar lies where the bent arm comes to be.
TEST(Simulator, FleshOfBonesThatCrossPassesThroughItself) {
  Character arm = FleshArm();
  Part bar = Another(arm, {1, 1, 1}, {0, 0.3f, 0});
  for (int v = 0; v < bar.mesh.vertex_count(); ++v) {
    bar.weights.joints[2 * v] = 0;
    bar.weights.joints[2 * v + 1] = 1;
    bar.weights.weights[2 * v] = 0.95f;
    bar.weights.weights[2 * v + 1] = 0.05f;
  }
  arm.parts.push_back(bar);
  const FleshModel model(arm, Small());
  const FrameResult apart = model.Solve(BentArm(arm, 10));
  EXPECT_TRUE(apart.converged) << apart.reason;
  EXPECT_TRUE(apart.in_contact);
  const FrameResult crossed = model.Solve(BentArm(arm, 90));
  EXPECT_TRUE(crossed.converged) << crossed.reason;
  EXPECT_FALSE(crossed.in_contact);
  EXPECT_NEAR(crossed.volume_ratio, 1, 0.03);
}

}  // namespace
}  // namespace sinew::flesh
