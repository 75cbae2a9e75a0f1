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

// A cone has hard edges, where the normals of vertices are those of no triangle.
TEST(BodySpheres, FillABodyWithHardEdges) {
  for (const int count : {30, 600}) {
    const BodySpheres body = FindBodySpheres(testing::SkinnedMesh(testing::ConeOfSlivers(count)));
    constexpr int kSteps = 30;
    int inside = 0, covered = 0;
    for (int i = 0; i < kSteps * kSteps * kSteps; ++i) {
      const Eigen::Vector3i cell(i % kSteps, i / kSteps % kSteps, i / (kSteps * kSteps));
      const Eigen::Vector3d p =
          (cell.cast<double>() + Eigen::Vector3d::Constant(0.5)) / kSteps - Eigen::Vector3d(0.5, 0, 0.5);
      if (std::hypot(p.x(), p.z()) > 0.5 * (1 - p.y())) continue;
      ++inside;
      covered += std::any_of(body.spheres.begin(), body.spheres.end(),
                             [&](const BodySphere& sphere) { return (sphere.centre_rest - p).norm() < sphere.radius; });
    }
    EXPECT_GT(covered, 0.95 * inside) << count << " slivers";
  }
}

}  // namespace
}  // namespace sinew::poses
