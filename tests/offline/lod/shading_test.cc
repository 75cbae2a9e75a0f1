#include "sinew/offline/lod/shading.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/support/mesh_families.h"
#include "tests/support/skinned_mesh.h"

namespace sinew::lod {
namespace {

using testing::SkinnedMesh;

TEST(CreaseAngle, IsNeverWhereNothingIsHard) {
  Character character = SkinnedMesh(testing::Cuboid());
  character.parts[0].normals = VertexNormals(character.parts[0].mesh);
  EXPECT_GT(CreaseAngle(character, BuildSurface(character, "")), std::numbers::pi);
}

TEST(CreaseAngle, PartsSoftFoldsFromHardOnes) {
  // A box with flat faces, all edges at right angles hard, the diagonals of its faces not.
  Character character = SkinnedMesh(testing::Unwelded(testing::Cuboid()));
  character.parts[0].normals = VertexNormals(character.parts[0].mesh);
  const Surface surface = BuildSurface(character, "");
  const double crease = CreaseAngle(character, surface);
  EXPECT_GT(crease, 0.1);
  EXPECT_LT(crease, std::numbers::pi / 2);
  const Shading hard = ShadeSurface(surface, crease), soft = ShadeSurface(surface, 4);
  EXPECT_EQ(hard.normals.size(), 24u) << "three faces at each corner";
  EXPECT_EQ(soft.normals.size(), 8u);
}

TEST(ShadeSurface, PointsOutwards) {
  const Surface surface = BuildSurface(SkinnedMesh(testing::Sphere()), "");
  const Shading shading = ShadeSurface(surface, 4);
  for (int t = 0; t < surface.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d& normal = shading.normals[shading.groups[t][k]];
      EXPECT_GT(normal.dot(surface.positions[surface.triangles[t][k]]), 0.98);
    }
  }
}

TEST(TextureTangents, FollowTheTexture) {
  const TriMesh mesh = testing::Grid();
  const Points normals = VertexNormals(mesh);
  for (const double sign : {1.0, -1.0}) {
    Eigen::MatrixX2d uv(mesh.vertex_count(), 2);
    uv.col(0) = sign * mesh.positions.col(0).cast<double>();
    uv.col(1) = mesh.positions.col(1).cast<double>();
    const auto tangents = TextureTangents(mesh, normals, uv);
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      EXPECT_NEAR(tangents(v, 0), sign, 1e-6);
      EXPECT_EQ(tangents(v, 3), sign) << "mirrored textures are left-handed";
    }
  }
}

}  // namespace
}  // namespace sinew::lod
