#include "sinew/offline/mesh/sheets.h"

#include <gtest/gtest.h>

#include "sinew/offline/mesh/weld.h"
#include "tests/support/mesh_checks.h"
#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

using testing::MeshFamilies;
using testing::MeshFamily;

TEST(CutIntoSheets, MakesManifoldsOfEverything) {
  for (const MeshFamily& family : MeshFamilies()) {
    const TriMesh welded = Weld(family.mesh, WeldEqual(family.mesh.positions));
    std::vector<Eigen::Vector3i> triangles;
    for (int t = 0; t < welded.triangle_count(); ++t) {
      const Eigen::Vector3i corners = welded.triangles.row(t).transpose();
      if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
        triangles.push_back(corners);
    }
    const Sheets sheets = CutIntoSheets(triangles, welded.vertex_count());
    ASSERT_EQ(sheets.triangles.size(), triangles.size());
    const MeshFacts facts = Facts(sheets.triangles, static_cast<int>(sheets.point_of.size()));
    EXPECT_TRUE(facts.manifold) << family;
    for (size_t t = 0; t < sheets.triangles.size(); ++t) {
      for (int k = 0; k < 3; ++k) EXPECT_EQ(sheets.point_of[sheets.triangles[t][k]], triangles[t][k]);
    }
    const bool whole = family.manifold && family.orientable;
    EXPECT_EQ(static_cast<int>(sheets.point_of.size()) == welded.vertex_count(), whole) << family;
  }
}

TEST(CutIntoSheets, CutsTrianglesThatAreThereTwice) {
  std::vector<Eigen::Vector3i> triangles = {{0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {2, 1, 0}};
  const Sheets sheets = CutIntoSheets(triangles, 4);
  EXPECT_TRUE(Facts(sheets.triangles, static_cast<int>(sheets.point_of.size())).manifold);
}

}  // namespace
}  // namespace sinew
