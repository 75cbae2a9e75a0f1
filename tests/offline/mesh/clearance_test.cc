#include "sinew/offline/mesh/clearance.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/parallel.h"
#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

using testing::kPi;

// A strip bent like a hairpin: two parallel flanks of length 2 at a distance, joined by half a circle. Its outer side
// is the one between the flanks.
TriMesh Hairpin(double width) {
  return testing::Sheet(80, 10, false, false, [=](double u, double v) {
    const double arc = kPi * width / 2, s = u * (4 + arc);
    if (s < 2) return Eigen::Vector3d(2 - s, v, -width / 2);
    if (s > 2 + arc) return Eigen::Vector3d(s - 2 - arc, v, width / 2);
    const double angle = (s - 2) / (width / 2);
    return Eigen::Vector3d(-std::sin(angle) * width / 2, v, -std::cos(angle) * width / 2);
  });
}

TEST(Clearance, IsTheGapOfAHairpin) {
  const TriMesh hairpin = Hairpin(0.1);
  const auto outside = MinimumClearance(hairpin), inside = MinimumClearance(testing::InsideOut(hairpin));
  ASSERT_NE(outside.has_value(), inside.has_value()) << "the gap is on one side only";
  EXPECT_NEAR((outside ? outside : inside)->distance, 0.1, 1e-5);
}

TEST(Clearance, RoundThingsAreNotCloseToThemselves) {
  EXPECT_FALSE(MinimumClearance(testing::Sphere()).has_value());
  EXPECT_FALSE(MinimumClearance(testing::Torus()).has_value());
  EXPECT_FALSE(MinimumClearance(testing::Grid()).has_value());
  EXPECT_FALSE(MinimumClearance(testing::Cuboid({1, 1, 1e-3f})).has_value()) << "thin is not narrow";
}

TEST(Clearance, IslandsAreApartAndTheNarrowestGapWins) {
  TriMesh boxes = testing::Merge(testing::Cuboid(), testing::Moved(testing::Cuboid(), {1.08f, 0, 0}));
  boxes = testing::Merge(boxes, testing::Moved(testing::Cuboid(), {0, 1.03f, 0}));
  const auto found = MinimumClearance(boxes);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->distance, 0.03, 1e-6);
  EXPECT_FALSE(MinimumClearance(boxes, {.max_distance = 0.02}).has_value());
}

TEST(Clearance, ScalesWithTheSizeAndNotWithTheThreads) {
  const TriMesh boxes = testing::Merge(testing::Torus(), testing::Moved(testing::Torus(), {0, 0, 0.83f}));
  const auto one = MinimumClearance(boxes), large = MinimumClearance(testing::Moved(boxes, {0, 0, 0}, 64));
  ASSERT_TRUE(one && large);
  EXPECT_NEAR(large->distance, 64 * one->distance, 1e-4);
  SetThreads(7);
  EXPECT_EQ(MinimumClearance(boxes)->vertex, one->vertex);
  EXPECT_EQ(MinimumClearance(boxes)->distance, one->distance);
  SetThreads(0);
}

TEST(Clearance, AnEmptyMeshHasNone) { EXPECT_FALSE(MinimumClearance({Points(0, 3), Triangles(0, 3)}).has_value()); }

}  // namespace
}  // namespace sinew
