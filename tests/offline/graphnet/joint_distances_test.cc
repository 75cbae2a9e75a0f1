#include "sinew/offline/graphnet/joint_distances.h"

#include <gtest/gtest.h>

#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/edges.h"
#include "tests/support/mesh_families.h"

namespace sinew::graphnet {
namespace {

constexpr float kNever = 1e9f;

// Lengths that no edge can shorten, by going over all edges until nothing changes.
std::vector<float> BruteForce(const Points& positions, const Csr& neighbours, const Eigen::Vector3f& joint,
                              const std::vector<int>& starts) {
  std::vector<float> found(positions.rows(), kNever);
  for (const int i : starts) found[i] = (positions.row(i).transpose() - joint).norm();
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < positions.rows(); ++i) {
      for (const int j : neighbours[i]) {
        const float way = found[j] + (positions.row(i) - positions.row(j)).norm();
        changed |= way < found[i];
        found[i] = std::min(found[i], way);
      }
    }
  }
  return found;
}

TEST(JointDistances, AreShortestWaysAlongEdges) {
  for (const testing::MeshFamily& family : testing::MeshFamilies()) {
    if (family.islands != 1) continue;
    const TriMesh& mesh = family.mesh;
    const Csr neighbours = VertexVertices(BuildEdges(mesh.triangles, mesh.vertex_count()), mesh.vertex_count());
    const Eigen::Vector3f joint(0.1f, 0.2f, -0.3f);
    const std::vector<int> starts = {0, mesh.vertex_count() / 2};
    const std::vector<float> distances = JointDistances(mesh.positions, neighbours, joint, starts);
    const std::vector<float> expected = BruteForce(mesh.positions, neighbours, joint, starts);
    for (int i = 0; i < mesh.vertex_count(); ++i) {
      // Vertices that no triangle uses are reached over the gap, and not along edges.
      if (expected[i] >= kNever) continue;
      EXPECT_NEAR(distances[i], expected[i], 1e-5f * (1 + expected[i])) << family.name;
    }
  }
}

TEST(JointDistances, ReachOtherIslandsOverTheGap) {
  Points positions(4, 3);
  positions << 0, 0, 0, 1, 0, 0, 1, 2, 0, 1, 3, 0;
  const Csr neighbours = BuildCsr(4, [](const auto& put) {
    put(0, 1);
    put(1, 0);
    put(2, 3);
    put(3, 2);
  });
  EXPECT_EQ(JointDistances(positions, neighbours, {0, 0, 0}, {0}), (std::vector<float>{0, 1, 3, 4}));
}

// Two islands on a grid, where many points are equally far from each other: every bit is that of comparing all with
// all.
TEST(JointDistances, JumpFromTheFirstOfTheNearestPoints) {
  constexpr int kSide = 5, kIsland = kSide * kSide;
  Points positions(2 * kIsland, 3);
  for (int i = 0; i < 2 * kIsland; ++i) {
    const int k = i % kIsland;
    positions.row(i) << static_cast<float>(k % kSide), static_cast<float>(k / kSide), i < kIsland ? 0.0f : 0.7f;
    if (i >= kIsland) positions.row(i).head(2).array() += 0.5f;
  }
  const Csr neighbours = BuildCsr(2 * kIsland, [&](const auto& put) {
    for (int i = 0; i + 1 < kIsland; ++i) {
      put(i, i + 1);
      put(i + 1, i);
    }
  });
  const std::vector<float> distances = JointDistances(positions, neighbours, {0, 0, 0}, {0});
  for (int i = kIsland; i < 2 * kIsland; ++i) {
    float nearest = kNever, expected = kNever;
    for (int j = 0; j < kIsland; ++j) {
      const float gap = (positions.row(j) - positions.row(i)).norm();
      if (gap >= nearest) continue;
      nearest = gap;
      expected = gap + distances[j];
    }
    EXPECT_EQ(distances[i], expected);
  }
}

}  // namespace
}  // namespace sinew::graphnet
