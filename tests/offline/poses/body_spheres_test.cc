#include "sinew/offline/poses/body_spheres.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/hard_meshes.h"
#include "tests/support/skinned_mesh.h"

namespace sinew::poses {
namespace {

// Enough slivers that a lattice of points on each would be more than there is room for.
TEST(BodySpheres, OfSliversLieInsideTheSkin) {
  const BodySpheres body = FindBodySpheres(testing::SkinnedMesh(testing::ConeOfSlivers(600)));
  ASSERT_FALSE(body.spheres.empty());
  for (const BodySphere& sphere : body.spheres) {
    const Eigen::Vector3d& c = sphere.centre_rest;
    const double to_side = (0.5 * (1 - c.y()) - std::hypot(c.x(), c.z())) / std::sqrt(1.25);
    EXPECT_LE(sphere.radius, std::min(c.y(), to_side) + 0.01);
  }
}

}  // namespace
}  // namespace sinew::poses
