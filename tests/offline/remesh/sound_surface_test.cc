#include "sinew/offline/remesh/sound_surface.h"

#include <gtest/gtest.h>

#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/surface_distance.h"
#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

using testing::Grid;
using testing::InsideOut;
using testing::Moved;
using testing::Sphere;

void AddTriangle(TriMesh& mesh, int a, int b, int c) {
  mesh.triangles.conservativeResize(mesh.triangles.rows() + 1, 3);
  mesh.triangles.bottomRows(1) << a, b, c;
}

int AddVertex(TriMesh& mesh, const Eigen::RowVector3f& place) {
  mesh.positions.conservativeResize(mesh.positions.rows() + 1, 3);
  mesh.positions.bottomRows(1) = place;
  return mesh.vertex_count() - 1;
}

TEST(WithoutBrokenTriangles, KeepsAllOfASoundMesh) {
  EXPECT_EQ(WithoutBrokenTriangles(Sphere()).triangles, Sphere().triangles);
  EXPECT_EQ(WithoutBrokenTriangles(Grid(1, 1)).triangles, Grid(1, 1).triangles) << "as long as the whole, but all";
}

TEST(WithoutBrokenTriangles, ASurfaceThatIsThereTwiceIsThereOnce) {
  TriMesh twice = Sphere();
  const Triangles once = twice.triangles;
  twice.triangles.resize(2 * once.rows(), 3);
  twice.triangles << once, once.rowwise().reverse();
  EXPECT_EQ(WithoutBrokenTriangles(twice).triangles, once);
}

TEST(WithoutBrokenTriangles, DropsDegenerateFlatAndSpikyTriangles) {
  TriMesh mesh = Sphere();
  const Triangles sound = mesh.triangles;
  AddTriangle(mesh, 3, 3, 4);
  const int a = sound(40, 0), b = sound(40, 1);
  const int middle = AddVertex(mesh, (mesh.positions.row(a) + mesh.positions.row(b)) / 2);
  AddTriangle(mesh, a, b, middle);
  const int far = AddVertex(mesh, {100, 0, 0});
  AddTriangle(mesh, a, b, far);
  EXPECT_EQ(WithoutBrokenTriangles(mesh).triangles, sound);
}

TEST(WithoutBrokenTriangles, KeepsTrianglesWithoutAreaThatCloseAGap) {
  // A square of which one side has a vertex more on one of its triangles than on the other.
  const TriMesh mesh =
      testing::MakeMesh({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 0}, {9, 0, 0}, {9, 1, 0}},
                        {{0, 1, 2}, {0, 2, 4}, {0, 4, 3}, {4, 2, 3}, {5, 6, 5}});
  EXPECT_EQ(WithoutBrokenTriangles(mesh).triangles, mesh.triangles.topRows(4));
}

TEST(ClusterVertices, KeepsTheShapeWithFewerVertices) {
  const TriMesh fine = Sphere(400, 200), coarse = ClusterVertices(fine, 2000);
  EXPECT_LT(coarse.vertex_count(), 4000);
  EXPECT_GT(coarse.vertex_count(), 1000);
  EXPECT_NEAR(SignedVolume(coarse), SignedVolume(fine), 0.01 * SignedVolume(fine));
  EXPECT_NEAR(SurfaceArea(coarse), SurfaceArea(fine), 0.03 * SurfaceArea(fine));
  EXPECT_EQ(coarse.triangles.minCoeff(), 0);
  EXPECT_EQ(coarse.triangles.maxCoeff(), coarse.vertex_count() - 1);
}

TEST(ClusterVertices, DoesNotMergeTwoSidesOfAThinSheet) {
  const TriMesh thin = testing::Merge(Grid(60, 60), Moved(InsideOut(Grid(60, 60)), {0, 0, -0.001F}));
  const TriMesh coarse = ClusterVertices(thin, 800);
  EXPECT_LT(coarse.vertex_count(), 2000);
  EXPECT_NEAR(SurfaceArea(coarse), SurfaceArea(thin), 0.15 * SurfaceArea(thin));
}

TEST(SoundSurface, OnlyLargeSurfacesAreMadeCoarser) {
  const TriMesh fine = Sphere(60, 30);
  EXPECT_EQ(SoundSurface(fine).positions, fine.positions);
  EXPECT_LT(SoundSurface(fine, {.most_vertices = 500, .clustered_vertices = 200}).vertex_count(), 500);
  EXPECT_EQ(SoundSurface(TriMesh{}).triangle_count(), 0);
}

}  // namespace
}  // namespace sinew
