#include "sinew/offline/mesh/inside.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

// Balls around each other, then points on the positive X axis.
struct Nest {
  TriMesh mesh;
  std::vector<int> points;
  std::vector<int> first_triangle;  // one per ball, and the end
};

Nest MakeNest(const std::vector<float>& radii, const std::vector<float>& distances) {
  const TriMesh ball = testing::Sphere(24, 16);
  const auto balls = static_cast<Eigen::Index>(radii.size()), count = static_cast<Eigen::Index>(distances.size());
  Nest nest;
  nest.mesh.positions.resize(balls * ball.vertex_count() + count, 3);
  nest.mesh.triangles.resize(balls * ball.triangle_count(), 3);
  for (Eigen::Index b = 0; b < balls; ++b) {
    const Eigen::Index vertex = b * ball.vertex_count(), triangle = b * ball.triangle_count();
    nest.mesh.positions.middleRows(vertex, ball.vertex_count()) = radii[b] * ball.positions;
    nest.mesh.triangles.middleRows(triangle, ball.triangle_count()) = ball.triangles.array() + static_cast<int>(vertex);
    nest.first_triangle.push_back(static_cast<int>(triangle));
  }
  nest.first_triangle.push_back(static_cast<int>(nest.mesh.triangles.rows()));
  for (Eigen::Index p = 0; p < count; ++p) {
    const Eigen::Index row = balls * ball.vertex_count() + p;
    nest.mesh.positions.row(row) << distances[p], 0.01f, 0.02f;
    nest.points.push_back(static_cast<int>(row));
  }
  return nest;
}

// The nest's triangles without those at larger X: a bowl that is open towards +X.
TriMesh Bowl(const Nest& nest) {
  std::vector<int> kept;
  for (int t = 0; t < nest.mesh.triangle_count(); ++t) {
    float highest = -2;
    for (const int v : nest.mesh.triangles.row(t)) highest = std::max(highest, nest.mesh.positions(v, 0));
    if (highest < 0.3f) kept.push_back(t);
  }
  return {nest.mesh.positions, nest.mesh.triangles(kept, Eigen::all)};
}

TEST(FindInside, CountsDepthFromTheNearestSurface) {
  const Nest nest = MakeNest({1}, {0.2f, 0.9f, 0.97f, 1.05f, 3});
  EXPECT_EQ(FindInside(nest.mesh, nest.points, 0), (std::vector<int>{nest.points.begin(), nest.points.begin() + 3}));
  EXPECT_EQ(FindInside(nest.mesh, nest.points, 0.06), (std::vector<int>{nest.points[0], nest.points[1]}));
  EXPECT_TRUE(FindInside({nest.mesh.positions, Triangles(0, 3)}, nest.points, 0).empty());
}

TEST(FindInside, DoesNotCountWhatIsAboveTheRimOfAHole) {
  // The upper half of the ball is missing; a point above the rim, on the axis of the hole, is in front of the surface
  // that is nearest to it.
  const Nest nest = MakeNest({1}, {0, 1.05f});
  const TriMesh bowl = Bowl(nest);
  ASSERT_GT(bowl.triangle_count(), 20);
  EXPECT_EQ(FindInside(bowl, nest.points, 0.01), (std::vector<int>{nest.points[0]}));
}

TEST(FindThrough, CountsWhatIsOverACoverButNotWhatIsBesideIt) {
  // A bowl that is open towards +X: below it, through it by different heights, beyond the reach, beside its rim.
  const Nest nest = MakeNest({1}, {-0.9f, -1.01f, -1.1f, -1.5f, 0.6f});
  TriMesh bowl = Bowl(nest);
  EXPECT_EQ(FindThrough(bowl, nest.points, 0.05, 0.3), (std::vector<int>{nest.points[2]}));
  EXPECT_EQ(FindThrough(bowl, nest.points, 0, 0.3), (std::vector<int>{nest.points[1], nest.points[2]}));
  // Moved up beyond the rim, a point is in front of the bowl's continuation, but not over the bowl.
  bowl.positions.row(nest.points[4]) << 0.45f, 1.05f, 0;
  EXPECT_EQ(FindThrough(bowl, {nest.points[4]}, 0, 0.5), (std::vector<int>{}));
  EXPECT_TRUE(FindThrough({nest.mesh.positions, Triangles(0, 3)}, nest.points, 0, 1).empty());
}

TEST(GroupBySides, ShellsAroundAPointCoverIt) {
  // In the innermost ball, between two shells, a little below a shell, outside.
  const Nest nest = MakeNest({0.5f, 1, 2}, {0.1f, 0.7f, 0.8f, 1.3f, 0.99f, 2.5f});
  const std::vector<Sides> groups = GroupBySides(nest.mesh, nest.points, 0.02);
  // One group per number of balls that the points are outside of.
  ASSERT_EQ(groups.size(), 4u);
  const int per_ball = nest.first_triangle[1];
  const std::vector<std::vector<int>> expected = {
      {nest.points[0]}, {nest.points[1], nest.points[2]}, {nest.points[3], nest.points[4]}, {nest.points[5]}};
  for (const Sides& group : groups) {
    // The balls are in order, from the smallest.
    const Eigen::Index below = group.below.rows() / per_ball;
    EXPECT_EQ(group.below, nest.mesh.triangles.topRows(below * per_ball));
    EXPECT_EQ(group.cover, nest.mesh.triangles.bottomRows((3 - below) * per_ball));
    EXPECT_EQ(group.points, expected[below]) << below;
  }
  // Points that are less deep than asked for are outside.
  EXPECT_EQ(GroupBySides(nest.mesh, {nest.points[4]}, 0.02)[0].below.rows(), 2 * per_ball);
  EXPECT_EQ(GroupBySides(nest.mesh, {nest.points[4]}, 1e-4)[0].below.rows(), per_ball);
}

}  // namespace
}  // namespace sinew
