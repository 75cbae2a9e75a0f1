#include "sinew/offline/mesh/voxel_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

using Eigen::Vector3d;

using testing::Merge;

// A box from `low` to `high` with sides of n x n squares.
TriMesh Box(const Vector3d& low, const Vector3d& high, int n) {
  TriMesh box;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    const auto point = [&](double u, double v) {
      Vector3d t;
      t[axis] = side % 2;
      t[(axis + 1) % 3] = side % 2 == 1 ? u : v;
      t[(axis + 2) % 3] = side % 2 == 1 ? v : u;
      return Vector3d(low + (high - low).cwiseProduct(t));
    };
    const TriMesh sheet = testing::Sheet(n, n, false, false, point);
    box = side == 0 ? sheet : Merge(box, sheet);
  }
  return box;
}

Vector3d At(const TriMesh& mesh, int v) { return mesh.positions.row(v).transpose().cast<double>(); }

TEST(VoxelDistance, IsStraightInAConvexBody) {
  const TriMesh box = Box({0, 0, 0}, {1, 0.4, 0.3}, 12);
  for (const double h : {0.02, 0.05}) {
    const VoxelDistance distance(box, h);
    for (const Vector3d& a : {Vector3d(0.2, 0.2, 0.15), Vector3d(0.93, 0.03, 0.02)}) {
      const std::vector<float> found = distance.From(a, a);
      for (int v = 0; v < box.vertex_count(); ++v) {
        const double straight = (At(box, v) - a).norm();
        EXPECT_NEAR(found[v], straight, 0.06 * straight + h) << h << ", vertex " << v;
      }
    }
  }
}

TEST(VoxelDistance, OfABoneIsThatOfItsNearestPoint) {
  const TriMesh box = Box({0, 0, 0}, {1, 0.4, 0.4}, 10);
  const double h = 0.02;
  const std::vector<float> found = VoxelDistance(box, h).From({0.1, 0.2, 0.2}, {0.9, 0.2, 0.2});
  for (int v = 0; v < box.vertex_count(); ++v) {
    const Vector3d x = At(box, v);
    const Vector3d nearest(std::clamp(x[0], 0.1, 0.9), 0.2, 0.2);
    EXPECT_NEAR(found[v], (x - nearest).norm(), 0.05 * (x - nearest).norm() + h);
  }
}

// Two legs, joined at the top, 4 cm apart: from one to the other the way leads over the top.
TEST(VoxelDistance, GoesThroughTheFleshAndNotThroughTheAir) {
  const double h = 0.01;
  TriMesh legs = Merge(Box({0, 0, 0}, {0.1, 1, 0.1}, 10), Box({0.14, 0, 0}, {0.24, 1, 0.1}, 10));
  legs = Merge(legs, Box({0, 0.9, 0}, {0.24, 1.1, 0.1}, 6));
  const std::vector<float> found = VoxelDistance(legs, h).From({0.05, 0.1, 0.05}, {0.05, 0.1, 0.05});
  for (int v = 0; v < legs.vertex_count(); ++v) {
    const Vector3d x = At(legs, v);
    if (x[0] < 0.14 || x[1] > 0.3) continue;
    // Up along the inner side, over the crotch at 0.9, and down again.
    const double over = (Vector3d(0.1, 0.9, 0.05) - Vector3d(0.05, 0.1, 0.05)).norm() + 0.04 + 0.9 - x[1];
    EXPECT_GT(found[v], 0.95 * over) << x.transpose();
    EXPECT_LT(found[v], 1.25 * over + 0.1) << x.transpose();
  }
}

// A box without its lid still has an inside, by the winding number.
TEST(VoxelDistance, CrossesTheInsideOfAnOpenBody) {
  TriMesh box = Box({0, 0, 0}, {1, 1, 1}, 8);
  const int lid = 2 * 8 * 8;
  box.triangles.conservativeResize(box.triangles.rows() - lid, 3);
  const Vector3d a(0.05, 0.5, 0.5);
  const std::vector<float> found = VoxelDistance(box, 0.05).From(a, a);
  for (int v = 0; v < box.vertex_count(); ++v) {
    const Vector3d x = At(box, v);
    if (x[0] < 0.99 || std::abs(x[1] - 0.5) > 0.2 || std::abs(x[2] - 0.4) > 0.15) continue;
    EXPECT_LT(found[v], 1.06 * (x - a).norm() + 0.05) << "along the sides the way would be 1.5 or longer";
  }
}

TEST(VoxelDistance, JumpsToOtherIslandsAndIsNeverInfinite) {
  const TriMesh body = Box({0, 0, 0}, {0.5, 0.5, 0.5}, 6), eye = Box({0.8, 0.2, 0.2}, {0.9, 0.3, 0.3}, 2);
  const TriMesh both = Merge(body, eye);
  const VoxelDistance distance(both, 0.03);
  const std::vector<float> found = distance.From({0.25, 0.25, 0.25}, {0.25, 0.25, 0.25});
  for (int v = body.vertex_count(); v < both.vertex_count(); ++v) {
    double nearest = std::numeric_limits<double>::infinity(), expected = 0;
    for (int w = 0; w < body.vertex_count(); ++w) {
      const double gap = (At(both, v) - At(both, w)).norm();
      if (gap < nearest) {
        nearest = gap;
        expected = gap + found[w];
      }
    }
    EXPECT_NEAR(found[v], expected, 1e-5);
  }
  // From afar: the nearest cube is the start.
  for (const float value : distance.From({5, 5, 5}, {6, 5, 5})) EXPECT_TRUE(std::isfinite(value));
}

TEST(VoxelDistance, TakesAnyMeshAndGivesTheSameBitsForAnyNumberOfThreads) {
  for (const testing::MeshFamily& family : testing::MeshFamilies()) {
    const TriMesh& mesh = family.mesh;
    const double size = (mesh.positions.colwise().maxCoeff() - mesh.positions.colwise().minCoeff()).norm();
    SetThreads(1);
    const Vector3d a = At(mesh, 0);
    const std::vector<float> one = VoxelDistance(mesh, size / 30).From(a, a);
    SetThreads(3);
    EXPECT_EQ(VoxelDistance(mesh, size / 30).From(a, a), one) << family.name;
    SetThreads(0);
    for (const float value : one) EXPECT_TRUE(std::isfinite(value) && value >= 0) << family.name;
  }
  const TriMesh box = Box({0, 0, 0}, {1, 1, 1}, 2);
  EXPECT_THROW(VoxelDistance(box, 0), UsageError);
  EXPECT_THROW(VoxelDistance(box, 1e-4), UsageError);
}

}  // namespace
}  // namespace sinew
