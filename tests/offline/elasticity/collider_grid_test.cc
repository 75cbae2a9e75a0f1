#include "sinew/offline/elasticity/collider_grid.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "tests/support/mesh_families.h"

namespace sinew::elasticity {
namespace {

using Eigen::Vector3d;

// The box has a known distance, inside and outside.
TEST(ColliderGrid, HasTheDistancesOfABox) {
  const Eigen::Vector3f size(1, 0.6f, 0.4f);
  const TriMesh mesh = testing::Cuboid(size);
  const Vector3d middle = BoundingBox(mesh.positions).center().cast<double>(), half = size.cast<double>() / 2;
  const DistanceGrid grid = MakeDistanceGrid(mesh, 0.05, 0.2);
  EXPECT_EQ(FindTooSteep(grid, 1.01), -1);
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    Vector3d x;
    for (int k = 0; k < 3; ++k) x[k] = random.Uniform(-half[k] - 0.19, half[k] + 0.19);
    const Vector3d beyond = x.cwiseAbs() - half;
    const double expected = beyond.cwiseMax(0).norm() + std::min(beyond.maxCoeff(), 0.0);
    const auto sample = Sample(grid, middle + x);
    ASSERT_TRUE(sample);
    // A trilinear cell across an edge of the distance is off by a part of its size.
    EXPECT_NEAR(sample->distance, expected, 0.03);
  }
}

TEST(ColliderGrid, RefusesWhatMakesNoGrid) {
  const TriMesh mesh = testing::Cuboid();
  EXPECT_THROW(MakeDistanceGrid(mesh, 0, 0.1), UsageError);
  EXPECT_THROW(MakeDistanceGrid(mesh, 0.1, -1), UsageError);
  EXPECT_THROW(MakeDistanceGrid(mesh, 1e-4, 0.1), UsageError);
  EXPECT_THROW(MakeDistanceGrid(TriMesh(), 0.1, 0.1), Error);
}

}  // namespace
}  // namespace sinew::elasticity
