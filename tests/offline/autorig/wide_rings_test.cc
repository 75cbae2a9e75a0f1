#include "sinew/offline/autorig/wide_rings.h"

#include <gtest/gtest.h>

#include "tests/support/mesh_families.h"

namespace sinew::autorig {
namespace {

Eigen::Vector3f MiddleOf(const TriMesh& mesh, const EdgeTable& edges, int e) {
  const auto [a, b] = edges.vertices[e];
  return (mesh.positions.row(a) + mesh.positions.row(b)).transpose() / 2;
}

// On a flat grid a straight walk ends where a ruler says, unless the border is in its way.
TEST(WideRings, AreAsFarAwayAsTheyShouldBeOnAPlane) {
  const TriMesh grid = testing::Grid(40, 40);
  const EdgeTable edges = BuildEdges(grid.triangles, grid.vertex_count());
  const double size = BoundingBox(grid.positions).sizes().maxCoeff(), step = size / 40, distance = 6.3 * step;
  const layers::EdgeRings rings = WideRings(grid, edges, distance);
  const Eigen::Vector3f centre = grid.positions.colwise().mean().transpose();
  int inner = 0;
  for (int e = 0; e < edges.edge_count(); ++e) {
    const Eigen::Vector3f middle = MiddleOf(grid, edges, e);
    if ((middle - centre).cwiseAbs().maxCoeff() > size / 2 - 1.2 * distance) continue;
    ++inner;
    for (int k = 0; k < 4; ++k) {
      ASSERT_GE(rings.rings[e][k], 0);
      EXPECT_NEAR((MiddleOf(grid, edges, rings.rings[e][k]) - middle).norm(), distance, step);
    }
    // a and c lie on opposite sides, and so do b and d.
    for (int k = 0; k < 2; ++k) {
      const Eigen::Vector3f one = MiddleOf(grid, edges, rings.rings[e][k]) - middle;
      const Eigen::Vector3f other = MiddleOf(grid, edges, rings.rings[e][k + 2]) - middle;
      EXPECT_LT(one.dot(other), 0);
    }
  }
  EXPECT_GT(inner, 500);
}

TEST(WideRings, EndAtBordersAndOnSingleTriangles) {
  TriMesh grid = testing::Grid(5, 4);
  // Uneven, so that no walk goes through a vertex.
  for (int v = 0; v < grid.vertex_count(); ++v) grid.positions(v, 0) += 0.03F * static_cast<float>(v * 7 % 5);
  const EdgeTable edges = BuildEdges(grid.triangles, grid.vertex_count());
  for (const std::array<int, 4>& ring : WideRings(grid, edges, 1e6).rings) {
    for (const int edge : ring) {
      if (edge < 0) continue;
      EXPECT_EQ(edges.half_edges[edge].size(), 1U);
    }
  }
  const TriMesh triangle = testing::MakeMesh({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {{0, 1, 2}});
  EXPECT_NO_THROW(WideRings(triangle, BuildEdges(triangle.triangles, 3), 0.3));
}

}  // namespace
}  // namespace sinew::autorig
