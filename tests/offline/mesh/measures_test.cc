#include "sinew/offline/mesh/measures.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

using testing::kPi;

TEST(Measures, ABoxHasItsAreaAndVolume) {
  const TriMesh box = testing::Moved(testing::Cuboid({1, 2, 3}), {100, -50, 7});
  EXPECT_NEAR(SurfaceArea(box), 22, 1e-4);
  EXPECT_NEAR(SignedVolume(box), 6, 1e-4);
  EXPECT_NEAR(SignedVolume(testing::InsideOut(box)), -6, 1e-4);
}

TEST(Measures, AFineSphereNearsTheRoundOne) {
  const TriMesh sphere = testing::Sphere(200, 100);
  EXPECT_NEAR(SurfaceArea(sphere), 4 * kPi, 0.01);
  EXPECT_NEAR(SignedVolume(sphere), 4 * kPi / 3, 0.01);
}

TEST(Measures, EachVertexHasAThirdOfTheAreaAroundIt) {
  for (const testing::MeshFamily& family : testing::MeshFamilies()) {
    const std::vector<double> areas = VertexAreas(family.mesh);
    ASSERT_EQ(areas.size(), static_cast<size_t>(family.mesh.vertex_count()));
    double sum = 0;
    for (const double area : areas) sum += area;
    EXPECT_NEAR(sum, SurfaceArea(family.mesh), 1e-9 * sum) << family;
  }
  // Of the corners of a square's two triangles, those on the diagonal have both.
  const TriMesh square = testing::MakeMesh({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}});
  EXPECT_EQ(VertexAreas(square), (std::vector<double>{1.0 / 3, 1.0 / 6, 1.0 / 3, 1.0 / 6}));
}

RC_GTEST_PROP(Measures, ScaleWithTheSize, (uint64_t seed)) {
  Random random(seed);
  const float s = std::exp2(static_cast<float>(random.Below(20)) - 10.0f);
  const TriMesh soup = testing::Soup(30, seed), scaled = testing::Moved(soup, {0, 0, 0}, s);
  RC_ASSERT(std::abs(SurfaceArea(scaled) - s * s * SurfaceArea(soup)) <= 1e-12 * s * s * SurfaceArea(soup));
  RC_ASSERT(MeasureQuality(scaled).worst_min_angle == MeasureQuality(soup).worst_min_angle);
  RC_ASSERT(DegenerateTriangles(scaled) == DegenerateTriangles(soup));
}

TEST(Measures, ShapeOfAnEquilateralTriangleIsTheBest) {
  const TriangleShape shape = ShapeOf({Eigen::Vector3d(0, 0, 0), {1, 0, 0}, {0.5, std::sqrt(0.75), 0}});
  EXPECT_NEAR(shape.min_angle, kPi / 3, 1e-12);
  EXPECT_NEAR(shape.aspect, 1, 1e-12);
  EXPECT_NEAR(shape.area, std::sqrt(3.0) / 4, 1e-12);
}

TEST(Measures, NeedlesAndPointsAreDegenerate) {
  const TriMesh mesh = testing::MakeMesh({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 5e-7f, 0}, {0, 0, 0}},
                                         {{0, 1, 2}, {0, 1, 3}, {0, 0, 1}, {0, 2, 4}, {0, 5, 3}});
  EXPECT_EQ(DegenerateTriangles(mesh), (std::vector<int>{0, 2, 3, 4}));
  EXPECT_EQ(MeasureQuality(mesh).triangles, 1);
  EXPECT_TRUE(std::isinf(ShapeOf(Corners(mesh, 0)).aspect));
}

TEST(Measures, QualityCountsThinAndBluntTriangles) {
  const TriMesh mesh = testing::MakeMesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5f, 0.05f, 0}}, {{0, 1, 2}, {0, 1, 3}});
  const TriangleQuality quality = MeasureQuality(mesh);
  EXPECT_EQ(quality.worst_triangle, 1);
  EXPECT_NEAR(quality.worst_min_angle, std::atan(0.1), 1e-6);
  EXPECT_EQ(quality.share_below_10, 0.5);
  EXPECT_EQ(quality.share_above_120, 0.5);
}

TEST(Measures, EdgesOfACube) {
  const TriMesh cube = testing::Cuboid();
  const EdgeLengths lengths = MeasureEdges(cube, BuildEdges(cube.triangles, cube.vertex_count()));
  EXPECT_EQ(lengths.min, 1);
  EXPECT_NEAR(lengths.max, std::sqrt(2.0), 1e-7);
  EXPECT_NEAR(lengths.mean, (12 + 6 * std::sqrt(2.0)) / 18, 1e-7);
}

TEST(Measures, SameBitsWhateverTheNumberOfThreads) {
  const TriMesh sphere = testing::Sphere(300, 150);
  SetThreads(1);
  const double one = SurfaceArea(sphere);
  SetThreads(5);
  EXPECT_EQ(one, SurfaceArea(sphere));
  SetThreads(0);
}

}  // namespace
}  // namespace sinew
