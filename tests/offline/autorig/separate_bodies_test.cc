#include "sinew/offline/autorig/separate_bodies.h"

#include <gtest/gtest.h>

#include "tests/support/mesh_families.h"

namespace sinew::autorig {
namespace {

using testing::Merge;
using testing::Moved;
using testing::Sphere;

TEST(CountSeparateBodies, CountsWhatDoesNotTouch) {
  EXPECT_EQ(CountSeparateBodies(TriMesh{}), 0);
  EXPECT_EQ(CountSeparateBodies(Sphere()), 1);
  const TriMesh two = Merge(Sphere(), Moved(Sphere(), {2.5F, 0, 0}));
  EXPECT_EQ(CountSeparateBodies(two), 2);
  EXPECT_EQ(CountSeparateBodies(Merge(two, Moved(Sphere(), {500, 0, 0}))), 3);
}

TEST(CountSeparateBodies, LayersPartsThatTouchAndSmallThingsAreOfOneBody) {
  EXPECT_EQ(CountSeparateBodies(Merge(Sphere(), Moved(Sphere(), {0, 0, 0}, 0.9F))), 1);
  EXPECT_EQ(CountSeparateBodies(Merge(Sphere(), Moved(Sphere(), {2.01F, 0, 0}))), 1);
  EXPECT_EQ(CountSeparateBodies(Merge(Sphere(), Moved(Sphere(), {9, 0, 0}, 0.3F))), 1);
}

}  // namespace
}  // namespace sinew::autorig
