// Levels of characters made of many rigid islands, in which every vertex has one joint.
#include <gtest/gtest.h>

#include "sinew/offline/lod/simplify.h"
#include "sinew/offline/lod/surface.h"
#include "tests/offline/lod/hierarchy_checks.h"
#include "tests/support/robots.h"

namespace sinew::lod {
namespace {

using testing::ExpectSoundOperators;
using testing::Robot;

HierarchyOptions FourLevels(const Character& robot) {
  const int points = CountPoints(robot, "robot.glb");
  return {.points = PointsByRatio(points, 4, 0.5), .regions = std::max(4, points / 20)};
}

TEST(Hierarchy, OfARobotHasOperatorsOfFullRankAtEveryLevel) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const Character robot = Robot({.seed = seed});
    HierarchyOptions options = FourLevels(robot);
    for (const bool drop : {false, true}) {
      options.drop_small_islands = drop;
      ExpectSoundOperators(BuildHierarchy(robot, "robot.glb", options), "robot");
    }
  }
}

TEST(Hierarchy, OfARobotOfHundredsOfIslandsIsSound) {
  const Character robot = Robot({.islands = 391, .joints = 18, .parts = 5, .seed = 99});
  ExpectSoundOperators(BuildHierarchy(robot, "robot.glb", FourLevels(robot)), "robot");
}

TEST(Hierarchy, OfARobotLeavesOutLevelsThatLookLikeTheOneAbove) {
  const Character robot = Robot({.islands = 391, .joints = 18, .parts = 5, .seed = 99});
  // Every island keeps a few triangles, so that there is an end to simplification.
  HierarchyOptions options = FourLevels(robot);
  options.points = PointsByRatio(CountPoints(robot, "robot.glb"), 6, 0.3);
  options.regions = std::min(options.regions, options.points.back());
  HierarchyNotes notes;
  const Hierarchy all = BuildHierarchy(robot, "robot.glb", options, &notes);
  EXPECT_TRUE(notes.left_out.empty());
  ASSERT_GT(all.level(1).point_count, 0.9 * all.level(2).point_count) << "no level to leave out";
  options.leave_out_alike = true;
  const Hierarchy hierarchy = BuildHierarchy(robot, "robot.glb", options, &notes);
  ExpectSoundOperators(hierarchy, "robot");
  ASSERT_FALSE(notes.left_out.empty());
  EXPECT_EQ(hierarchy.level_count() + static_cast<int>(notes.left_out.size()), all.level_count());
  EXPECT_EQ(notes.levels.size(), hierarchy.levels.size());
  for (int i = 1; i < hierarchy.level_count(); ++i) {
    EXPECT_LE(hierarchy.level(i).point_count, 0.9 * hierarchy.level(i + 1).point_count);
  }
}

// As far as collapses go, in many small steps.
TEST(Simplifier, OfARobotKeepsFullRankDownToTheEnd) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    const Surface surface = BuildSurface(Robot({.islands = 30, .seed = 100 + seed}), "robot.glb");
    Simplifier simplifier(surface);
    for (int points = surface.point_count(); points > 4; points = points * 3 / 4) {
      simplifier.SimplifyTo(points);
      const Upsampling U = simplifier.Snapshot().upsampling;
      std::vector<float> most(U.coarse_count, 0);
      for (int f = 0; f < U.fine_count(); ++f) {
        for (int k = 0; k < 3; ++k) most[U.corners[f][k]] = std::max(most[U.corners[f][k]], U.weights[f][k]);
      }
      EXPECT_GT(*std::min_element(most.begin(), most.end()), 0.5f) << points;
      EXPECT_NO_THROW(Coarsening{U}) << points;
    }
  }
}

}  // namespace
}  // namespace sinew::lod
