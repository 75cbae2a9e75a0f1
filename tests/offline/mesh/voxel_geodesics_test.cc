#include "sinew/offline/mesh/voxel_geodesics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

using testing::Merge;
using testing::Moved;

// A closed box from `low` to `high`.
TriMesh Box(const Eigen::Vector3f& low, const Eigen::Vector3f& high) {
  std::vector<Eigen::Vector3f> points;
  for (int k = 0; k < 8; ++k) {
    points.emplace_back(k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]);
  }
  return testing::MakeMesh(points, {{0, 2, 1},
                                    {1, 2, 3},
                                    {4, 5, 6},
                                    {5, 7, 6},
                                    {0, 1, 4},
                                    {1, 5, 4},
                                    {2, 6, 3},
                                    {3, 6, 7},
                                    {0, 4, 2},
                                    {2, 4, 6},
                                    {1, 3, 5},
                                    {3, 7, 5}});
}

// Two legs of height 1, 0.4 apart, joined at the bottom.
TriMesh Horseshoe() {
  return Merge(Merge(Box({0, 0, 0}, {0.2f, 1, 0.2f}), Box({0.6f, 0, 0}, {0.8f, 1, 0.2f})),
               Box({0.1f, 0, 0}, {0.7f, 0.2f, 0.2f}));
}

// Bellman and Ford's algorithm on the voxels, without any of the code under test but which there are.
std::vector<double> BruteForce(const VoxelBody& body, const Eigen::Vector3d& start) {
  const int count = body.voxel_count();
  std::vector<double> distances(count, std::numeric_limits<double>::infinity());
  int first = 0;
  double nearest = std::numeric_limits<double>::infinity();
  const auto centre = [&](int v) -> Eigen::Vector3d { return body.centres().row(v).transpose().cast<double>(); };
  for (int v = 0; v < count; ++v) {
    if ((centre(v) - start).norm() >= nearest) continue;
    nearest = (centre(v) - start).norm();
    first = v;
  }
  distances[first] = nearest;
  for (bool changed = true; changed;) {
    changed = false;
    for (int v = 0; v < count; ++v) {
      for (int w = 0; w < count; ++w) {
        const double length = (centre(v) - centre(w)).norm();
        if (length > 1.75 * body.voxel_size() || distances[v] + length >= distances[w] - 1e-9) continue;
        distances[w] = distances[v] + length;
        changed = true;
      }
    }
  }
  return distances;
}

TEST(VoxelBody, DistancesAreThoseOfBruteForce) {
  for (const TriMesh& mesh : {Box({0, 0, 0}, {1, 1, 1}), Horseshoe()}) {
    const VoxelBody body(mesh, {.resolution = 9});
    const Eigen::Vector3d start(0.1, 0.9, 0.13);
    const std::vector<float> distances = body.VoxelDistancesFrom(start);
    const std::vector<double> expected = BruteForce(body, start);
    for (int v = 0; v < body.voxel_count(); ++v) EXPECT_NEAR(distances[v], expected[v], 1e-4) << v;
  }
}

TEST(VoxelBody, WaysInConvexBodiesAreAboutStraight) {
  const TriMesh mesh = testing::Merge(Box({0, 0, 0}, {1, 2, 0.5f}), TriMesh{Points::Zero(0, 3), Triangles(0, 3)});
  const VoxelBody body(mesh, {.resolution = 40});
  const Eigen::Vector3d start(0.5, 1, 0.25);
  const std::vector<float> distances = body.DistancesFrom(start);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const double straight = (mesh.positions.row(v).transpose().cast<double>() - start).norm();
    EXPECT_GE(distances[v], straight - 1e-5);
    EXPECT_LE(distances[v], 1.13 * straight + 2 * body.voxel_size());
  }
}

TEST(VoxelBody, WaysGoRoundGaps) {
  const TriMesh mesh = Horseshoe();
  const VoxelBody body(mesh, {.resolution = 40});
  const std::vector<float> distances = body.DistancesFrom({0.1, 0.95, 0.1});
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const auto x = mesh.positions.row(v);
    if (x[1] < 0.9f || x[0] < 0.5f) continue;
    EXPECT_GT(distances[v], 1.8) << "over the bottom, not the gap of 0.4";
    EXPECT_LT(distances[v], 2.8);
  }
}

TEST(VoxelBody, IslandsAreNeverInfinitelyFar) {
  const TriMesh body = Box({0, 0, 0}, {1, 1, 1}), eye = Moved(body, {0.4f, 1.5f, 0.4f}, 0.2f);
  const TriMesh mesh = Merge(body, eye);
  const VoxelBody voxels(mesh, {.resolution = 30});
  const Eigen::Vector3d start(0.5, 0.1, 0.5);
  const std::vector<float> distances = voxels.DistancesFrom(start);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    ASSERT_TRUE(std::isfinite(distances[v]));
    const double straight = (mesh.positions.row(v).transpose().cast<double>() - start).norm();
    EXPECT_GE(distances[v], straight - 3 * voxels.voxel_size());
    EXPECT_LE(distances[v], 1.3 * straight + 4 * voxels.voxel_size());
  }
}

// Open, crossing, flat, tiny and single points: all have distances, and threads change none.
TEST(VoxelBody, AnyMeshHasDistances) {
  TriMesh open = Box({0, 0, 0}, {1, 1, 1});
  open.triangles.conservativeResize(10, 3);
  const TriMesh flat = Box({0, 0, 0}, {1, 1, 0});
  const TriMesh crossing = Merge(Box({0, 0, 0}, {1, 1, 1}), Box({0.5f, 0.5f, 0.5f}, {1.5f, 1.5f, 1.5f}));
  const TriMesh point{Points::Zero(1, 3), Triangles(0, 3)};
  for (const TriMesh& mesh : {open, flat, crossing, point, testing::InsideOut(open), Moved(open, {9, 9, 9}, 1e-4f)}) {
    SetThreads(2);
    const std::vector<float> two = VoxelBody(mesh, {.resolution = 16}).DistancesFrom({0.3, 0.2, 5});
    SetThreads(1);
    EXPECT_EQ(VoxelBody(mesh, {.resolution = 16}).DistancesFrom({0.3, 0.2, 5}), two);
    SetThreads(0);
    for (const float distance : two) EXPECT_TRUE(std::isfinite(distance));
  }
}

TEST(VoxelBody, BadInputIsRefused) {
  TriMesh mesh = Box({0, 0, 0}, {1, 1, 1});
  EXPECT_THROW(VoxelBody(mesh, {.resolution = 3}), UsageError);
  EXPECT_THROW(VoxelBody(TriMesh{Points::Zero(0, 3), Triangles(0, 3)}, {}), UsageError);
  mesh.positions(0, 0) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(VoxelBody(mesh, {}), UsageError);
}

}  // namespace
}  // namespace sinew
