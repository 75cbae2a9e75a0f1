#include "sinew/offline/embedded/mend_patches.h"

#include <gtest/gtest.h>

#include "sinew/offline/mesh/self_intersection.h"
#include "tests/support/mesh_families.h"

namespace sinew::embedded {
namespace {

FineMesh ToFine(const TriMesh& mesh) {
  FineMesh fine;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    fine.positions.push_back(mesh.positions.row(v).transpose().cast<double>());
  for (int t = 0; t < mesh.triangle_count(); ++t) fine.triangles.push_back(mesh.triangles.row(t).transpose());
  return fine;
}

// A sphere, carried to another place and size.
struct Carried {
  FineMesh from = ToFine(testing::Sphere(40, 40));
  FineMesh mesh = from;
  std::vector<bool> stays = std::vector<bool>(from.positions.size(), false);
  int pole = 0, far = 0;

  Carried() {
    for (Eigen::Vector3d& p : mesh.positions) p = 2 * p + Eigen::Vector3d(1, 2, 3);
    for (size_t v = 0; v < from.positions.size(); ++v) {
      if (from.positions[v].x() > from.positions[pole].x()) pole = static_cast<int>(v);
      if (from.positions[v].x() < from.positions[far].x()) far = static_cast<int>(v);
    }
  }
};

TEST(MendPatches, LeavesSoundMeshesAsTheyAre) {
  Carried carried;
  const std::vector<Eigen::Vector3d> before = carried.mesh.positions;
  EXPECT_TRUE(MendPatches(carried.from, carried.stays, carried.mesh));
  EXPECT_EQ(carried.mesh.positions, before);
}

TEST(MendPatches, ReplacesWhatRunsIntoItself) {
  Carried carried;
  const std::vector<Eigen::Vector3d> before = carried.mesh.positions;
  // One vertex is pushed through the other side.
  carried.mesh.positions[carried.pole] = Eigen::Vector3d(-2, 2, 3);
  ASSERT_FALSE(SelfIntersections(ToTriMesh(carried.mesh), 1).empty());
  EXPECT_TRUE(MendPatches(carried.from, carried.stays, carried.mesh));
  EXPECT_TRUE(SelfIntersections(ToTriMesh(carried.mesh), 1).empty());
  EXPECT_LT((carried.mesh.positions[carried.pole] - before[carried.pole]).norm(), 0.2);
}

TEST(MendPatches, DoesNotMoveWhatMustStay) {
  Carried carried;
  carried.mesh.positions[carried.pole] = Eigen::Vector3d(-2, 2, 3);
  carried.stays[carried.pole] = true;
  EXPECT_FALSE(MendPatches(carried.from, carried.stays, carried.mesh));
  EXPECT_EQ(carried.mesh.positions[carried.pole], Eigen::Vector3d(-2, 2, 3));
}

}  // namespace
}  // namespace sinew::embedded
