// Clothes and hidden flesh: they are not simulated, but move with the simulated flesh near them.
#include "sinew/offline/flesh/followers.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/flesh/simulator.h"
#include "sinew/offline/mesh/winding_number.h"
#include "tests/offline/flesh/small_flesh.h"
#include "tests/support/flesh_arm.h"
#include "tests/support/mesh_families.h"

namespace sinew::flesh {
namespace {

using testing::BentArm;
using testing::FleshArm;

// A tube around the arm's middle that bends with it.
Part Sleeve(const Character& arm, float radius) {
  Part sleeve = arm.parts[0];
  sleeve.name = "sleeve";
  sleeve.mesh = testing::Cylinder(32, 24);
  sleeve.weights = {.influences = 2, .joints = {}, .weights = {}};
  for (int v = 0; v < sleeve.mesh.vertex_count(); ++v) {
    const Eigen::RowVector3f p = sleeve.mesh.positions.row(v);
    sleeve.mesh.positions.row(v) << 0.3f * p.z(), radius * p.x(), radius * p.y();
    const float lower = std::clamp(0.5f + 2 * 0.3f * p.z(), 0.0f, 1.0f);
    sleeve.weights.joints.insert(sleeve.weights.joints.end(), {0, 1});
    sleeve.weights.weights.insert(sleeve.weights.weights.end(), {1 - lower, lower});
  }
  return sleeve;
}

// Share of the points that is inside the body.
double Inside(const Points& points, const TriMesh& body) {
  const WindingNumber winding(body);
  int count = 0;
  for (Eigen::Index v = 0; v < points.rows(); ++v) count += winding.Inside(points.row(v).transpose());
  return static_cast<double>(count) / static_cast<double>(points.rows());
}

TEST(Followers, LayersFollowFleshAndStayOutsideOfIt) {
  Character arm = FleshArm();
  arm.parts.push_back(Sleeve(arm, 0.125f));
  const FleshModel model(arm, Small());
  ASSERT_EQ(model.report().pieces.size(), 2u);
  EXPECT_EQ(model.report().pieces[1].role, Role::kLayer);
  const FrameResult result = model.Solve(BentArm(arm, 60));
  ASSERT_TRUE(result.converged) << result.reason;
  const TriMesh body{result.parts[0], arm.parts[0].mesh.triangles};
  // Skinning alone leaves much of it inside; so it does follow.
  EXPECT_GT(Inside(PoseCharacter(arm, BentArm(arm, 60)).parts[1].positions, body), 0.05);
  EXPECT_LT(Inside(result.parts[1], body), 0.005);
  // Without motion it stays where it is.
  const Points rest = model.Solve(arm.skeleton.RestPose()).parts[1];
  EXPECT_LT((rest - arm.parts[1].mesh.positions).rowwise().norm().maxCoeff(), 1e-3);
}

// Trousers below a jacket, and a belt between them.
TEST(Followers, LayersStayOutsideOfHiddenFleshToo) {
  Character arm = FleshArm();
  Part inner = arm.parts[0];
  inner.name = "inner";
  inner.mesh.positions.array().rowwise() *= Eigen::Array<float, 1, 3>(0.9f, 0.7f, 0.7f);
  arm.parts.push_back(inner);
  arm.parts.push_back(Sleeve(arm, 0.087f));
  FleshSettings settings = Small();
  settings.roles = {{"sleeve", Role::kLayer}};
  const FleshModel model(arm, settings);
  const auto inside = [&](const std::vector<Points>& parts, int part) {
    return Inside(parts[2], {parts[part], arm.parts[part].mesh.triangles});
  };
  const std::vector<Points> rest = model.Solve(arm.skeleton.RestPose()).parts;
  ASSERT_EQ(inside(rest, 0), 1);
  ASSERT_EQ(inside(rest, 1), 0);
  EXPECT_LT(Furthest(rest[2], arm.parts[2].mesh.positions), 1e-3);
  const FrameResult result = model.Solve(BentArm(arm, 80));
  ASSERT_TRUE(result.converged) << result.reason;
  EXPECT_LT(inside(result.parts, 1), 0.005);
  EXPECT_GT(inside(result.parts, 0), 0.995) << "it is not pushed through what is over it";
}

}  // namespace
}  // namespace sinew::flesh
