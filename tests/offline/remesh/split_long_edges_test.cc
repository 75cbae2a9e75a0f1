#include "sinew/offline/remesh/split_long_edges.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>

namespace sinew {
namespace {

using Eigen::Vector3d;

// Two triangles with a common edge, a third on that edge, and a needle apart.
FineMesh Soup() {
  return {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.3}, {0.2, 0.9, -1}, {5, 0, 0}, {9, 0, 0}, {5, 0.01, 0}},
          {{0, 1, 2}, {0, 2, 3}, {2, 0, 4}, {5, 6, 7}}};
}

Vector3d AreaOf(const FineMesh& mesh, size_t t) {
  const Vector3d a = mesh.positions[mesh.triangles[t][0]];
  return (mesh.positions[mesh.triangles[t][1]] - a).cross(mesh.positions[mesh.triangles[t][2]] - a) / 2;
}

TEST(SplitLongEdges, LeavesTheSurfaceAndNoLongEdge) {
  const FineMesh source = Soup();
  for (const double longest : {3.0, 0.9, 0.31, 0.1}) {
    const SplitMesh split = SplitLongEdges(source, longest, 100000);
    std::vector<Vector3d> areas(source.triangles.size(), Vector3d::Zero());
    for (size_t t = 0; t < split.mesh.triangles.size(); ++t) {
      areas[split.sources[t]] += AreaOf(split.mesh, t);
      for (int k = 0; k < 3; ++k) {
        const Vector3d place = split.mesh.positions[split.mesh.triangles[t][k]];
        EXPECT_LE((place - split.mesh.positions[split.mesh.triangles[t][(k + 1) % 3]]).norm(), longest);
        // The map leads to where the corner is.
        Vector3d mapped = Vector3d::Zero();
        for (int c = 0; c < 3; ++c) {
          mapped += split.corners[t](c, k) * source.positions[source.triangles[split.sources[t]][c]];
        }
        EXPECT_LT((mapped - place).norm(), 1e-12);
      }
    }
    for (size_t t = 0; t < areas.size(); ++t) EXPECT_LT((areas[t] - AreaOf(source, t)).norm(), 1e-12);
    for (size_t v = 0; v < source.positions.size(); ++v) EXPECT_EQ(split.mesh.positions[v], source.positions[v]);
  }
}

// An edge of three triangles stays an edge of three in every piece: no triangle has a vertex in the middle of a side.
TEST(SplitLongEdges, NeighboursShareTheirPieces) {
  const FineMesh source = Soup();
  const SplitMesh split = SplitLongEdges(source, 0.2, 100000);
  std::map<std::pair<int, int>, int> uses;
  for (const Eigen::Vector3i& t : split.mesh.triangles) {
    for (int k = 0; k < 3; ++k) ++uses[std::minmax(t[k], t[(k + 1) % 3])];
  }
  double shared = 0;
  for (const auto& [edge, count] : uses) {
    if (count == 3) shared += (split.mesh.positions[edge.first] - split.mesh.positions[edge.second]).norm();
  }
  EXPECT_NEAR(shared, std::sqrt(2.0), 1e-9);
}

TEST(SplitLongEdges, EndsAtTheLargestNumberOfVertices) {
  const SplitMesh split = SplitLongEdges(Soup(), 1e-6, 500);
  EXPECT_GE(split.mesh.positions.size(), 500u);
  EXPECT_LT(split.mesh.positions.size(), 5000u);
}

}  // namespace
}  // namespace sinew
