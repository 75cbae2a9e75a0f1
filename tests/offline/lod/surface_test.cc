#include "sinew/offline/lod/surface.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "sinew/offline/core/error.h"
#include "tests/support/mesh_families.h"
#include "tests/support/skinned_mesh.h"

namespace sinew::lod {
namespace {

using testing::Grid;
using testing::MeshFamilies;
using testing::MeshFamily;
using testing::SkinnedMesh;
using testing::Unwelded;

TEST(BuildSurface, WeldsWhatAFileSplits) {
  for (const MeshFamily& family : MeshFamilies()) {
    const Surface plain = BuildSurface(SkinnedMesh(family.mesh), "mesh.glb");
    const Surface split = BuildSurface(SkinnedMesh(Unwelded(family.mesh)), "mesh.glb");
    EXPECT_EQ(split.point_count(), plain.point_count()) << family;
    EXPECT_EQ(split.triangle_count(), family.mesh.triangle_count()) << family;
    EXPECT_EQ(split.wedge_count(), split.point_count())
        << family << ": vertices with the same attributes are one wedge";
  }
}

TEST(BuildSurface, KeepsPartsApartByWedgesAndTogetherByPoints) {
  TriMesh right = Grid(4, 4), left = right;
  left.positions.col(0).array() -= 1;
  const Surface surface = BuildSurface(SkinnedMesh(std::vector<TriMesh>{left, right}), "mesh.glb");
  EXPECT_EQ(surface.point_count(), 2 * 25 - 5);
  EXPECT_EQ(surface.wedge_count(), 2 * 25);
  EXPECT_EQ(surface.part_of.front(), 0);
  EXPECT_EQ(surface.part_of.back(), 1);
}

TEST(BuildSurface, SeesTextureSeams) {
  const Character character =
      testing::WithTextureSeam(Grid(8, 6), [](const Eigen::RowVector3f& middle) { return middle.x() > 0.5f; });
  const Surface surface = BuildSurface(character, "mesh.glb");
  EXPECT_EQ(surface.point_count(), 9 * 7);
  EXPECT_EQ(surface.wedge_count(), 9 * 7 + 7);
}

TEST(BuildSurface, RefusesWhatIsNoSurface) {
  TriMesh broken = Grid();
  broken.positions(3, 1) = std::numeric_limits<float>::quiet_NaN();
  try {
    BuildSurface(SkinnedMesh(broken), "broken.glb");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "broken.glb: vertex 3 of part0: its position is not a finite number; export the file again");
  }
  TriMesh empty = Grid();
  empty.triangles.resize(0, 3);
  EXPECT_THROW(BuildSurface(SkinnedMesh(empty), "empty.glb"), InputError);
}

}  // namespace
}  // namespace sinew::lod
