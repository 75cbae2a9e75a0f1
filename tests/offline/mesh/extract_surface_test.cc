#include "sinew/offline/mesh/extract_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "tests/support/implicit_shapes.h"
#include "tests/support/mesh_checks.h"

namespace sinew {
namespace {

using Eigen::Vector3d;

TEST(ExtractSurface, SphereIsClosedAndOfTheRightSize) {
  const FineMesh mesh = ExtractSurface(Ball({0.1, 0.2, 0.3}, 0.5), 0.02);
  const MeshFacts facts = Facts(mesh);
  EXPECT_TRUE(facts.manifold);
  EXPECT_EQ(facts.boundary_edges, 0);
  EXPECT_EQ(facts.components, 1);
  EXPECT_EQ(facts.euler, 2);
  EXPECT_NEAR(Volume(mesh), 4.0 / 3 * std::numbers::pi * 0.125, 0.003);
  for (const Vector3d& p : mesh.positions) EXPECT_NEAR((p - Vector3d(0.1, 0.2, 0.3)).norm(), 0.5, 0.02);
}

TEST(ExtractSurface, TorusHasItsHole) {
  const FineMesh mesh = ExtractSurface(Torus(0.5, 0.2), 0.03);
  EXPECT_TRUE(Facts(mesh).manifold);
  EXPECT_EQ(Facts(mesh).euler, 0);
}

TEST(ExtractSurface, OpensExactlyOnTheDomainsFaces) {
  Eigen::AlignedBox3d domain = Everywhere();
  domain.min().x() = 0;
  domain.max().y() = 0.211;
  domain.min().y() = -0.1;
  const FineMesh mesh = ExtractSurface(Ball({0, 0, 0}, 0.5), 0.03, domain);
  const MeshFacts facts = Facts(mesh);
  EXPECT_TRUE(facts.manifold);
  EXPECT_EQ(facts.boundary_loops, 1);
  EXPECT_EQ(facts.euler, 1);
  double low = 1, high = -1;
  for (const Vector3d& p : mesh.positions) {
    EXPECT_GE(p.x(), 0);
    low = std::min(low, p.y()), high = std::max(high, p.y());
  }
  EXPECT_EQ(low, -0.1);
  EXPECT_EQ(high, 0.211);
}

TEST(ExtractSurface, SameWhateverTheThreads) {
  SetThreads(1);
  const FineMesh one = ExtractSurface(Torus(0.5, 0.2), 0.05);
  SetThreads(3);
  const FineMesh three = ExtractSurface(Torus(0.5, 0.2), 0.05);
  SetThreads(0);
  EXPECT_EQ(one.positions, three.positions);
  EXPECT_EQ(one.triangles, three.triangles);
}

TEST(ExtractSurface, RefusesASpacingThatIsNone) { EXPECT_THROW(ExtractSurface(Torus(0.5, 0.2), 0), UsageError); }

}  // namespace
}  // namespace sinew
