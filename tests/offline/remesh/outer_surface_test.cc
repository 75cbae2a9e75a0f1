#include "sinew/offline/remesh/outer_surface.h"

#include <gtest/gtest.h>

#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/surface_distance.h"
#include "sinew/offline/mesh/topology.h"
#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

using sinew::testing::Moved;
using sinew::testing::Sphere;

TriMesh Together(const TriMesh& a, const TriMesh& b) {
  TriMesh both;
  both.positions.resize(a.vertex_count() + b.vertex_count(), 3);
  both.positions << a.positions, b.positions;
  both.triangles.resize(a.triangle_count() + b.triangle_count(), 3);
  both.triangles << a.triangles, (b.triangles.array() + a.vertex_count()).matrix();
  return both;
}

TriMesh WithoutEvery(const TriMesh& mesh, int nth) {
  TriMesh torn = mesh;
  int kept = 0;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    if (t % nth != 0) torn.triangles.row(kept++) = mesh.triangles.row(t);
  }
  torn.triangles.conservativeResize(kept, 3);
  return torn;
}

double DiagonalOf(const TriMesh& mesh) {
  return (mesh.positions.colwise().maxCoeff() - mesh.positions.colwise().minCoeff()).norm();
}

// Every edge has two triangles, and it faces outwards.
void ExpectClosed(const TriMesh& mesh) {
  EXPECT_TRUE(AnalyzeTopology(mesh.triangles, mesh.vertex_count()).watertight());
  EXPECT_GT(SignedVolume(mesh), 0);
}

// Coarser than usual, which is fast enough for a test.
TriMesh Outer(const TriMesh& mesh) { return OuterSurface(mesh, {.gap = 0.02, .spacing = 0.01}); }

size_t PartsOf(const TriMesh& mesh) { return AnalyzeTopology(mesh.triangles, mesh.vertex_count()).islands.size(); }

TEST(OuterSurface, OfAClosedBodyIsTheBody) {
  const TriMesh ball = Sphere(48, 32);
  const TriMesh outer = Outer(ball);
  ExpectClosed(outer);
  EXPECT_LT(TwoSidedDistance(ball, outer, 2000).max, 0.008 * DiagonalOf(ball));
  EXPECT_NEAR(SignedVolume(outer), SignedVolume(ball), 0.04 * SignedVolume(ball));
}

TEST(OuterSurface, HasNoLayersBelowIt) {
  const TriMesh ball = Sphere(48, 32);
  TriMesh inner = Moved(ball, {0, 0, 0}, 0.8f), turned = Moved(ball, {0.1f, 0, 0}, 0.5f);
  turned.triangles.col(1).swap(turned.triangles.col(2));
  const TriMesh alone = Outer(ball), layered = Outer(Together(Together(ball, inner), turned));
  ExpectClosed(layered);
  EXPECT_LT(TwoSidedDistance(alone, layered, 2000).max, 1e-6 * DiagonalOf(ball));
}

TEST(OuterSurface, ClosesHolesAndGaps) {
  const TriMesh ball = Sphere(48, 32), fine = Sphere(256, 160);
  const TriMesh outer = Outer(WithoutEvery(fine, 9));
  ExpectClosed(outer);
  EXPECT_NEAR(SignedVolume(outer), SignedVolume(ball), 0.04 * SignedVolume(ball));
  // Two balls half a gap apart become one surface; far apart they stay two.
  const double diagonal = DiagonalOf(Together(ball, Moved(ball, {2, 0, 0}, 1)));
  const auto parts = [&](double apart) {
    const TriMesh both = Together(ball, Moved(ball, {static_cast<float>(2 + apart * diagonal), 0, 0}, 1));
    return PartsOf(Outer(both));
  };
  EXPECT_EQ(parts(0.004), 1u);
  EXPECT_EQ(parts(0.1), 2u);
}

TEST(OuterSurface, CrossingPartsBecomeOne) {
  const TriMesh ball = Sphere(48, 32);
  const TriMesh outer = Outer(Together(ball, Moved(ball, {0.7f, 0.3f, 0}, 1)));
  ExpectClosed(outer);
  EXPECT_EQ(PartsOf(outer), 1u);
}

TEST(OuterSurface, OfNothingIsNothing) {
  EXPECT_EQ(Outer({}).triangle_count(), 0);
  TriMesh point;
  point.positions = Points::Zero(3, 3);
  point.triangles.resize(1, 3);
  point.triangles << 0, 1, 2;
  EXPECT_EQ(Outer(point).triangle_count(), 0);
  TriMesh sheet;
  sheet.positions.resize(4, 3);
  sheet.positions << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0;
  sheet.triangles.resize(2, 3);
  sheet.triangles << 0, 1, 2, 0, 2, 3;
  EXPECT_EQ(Outer(sheet).triangle_count(), 0) << "a sheet encloses nothing";
}

}  // namespace
}  // namespace sinew
