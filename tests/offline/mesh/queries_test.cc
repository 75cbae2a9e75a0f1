#include "sinew/offline/mesh/queries.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/offline/core/random.h"
#include "sinew/offline/mesh/closest_point.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/triangle_pieces.h"
#include "sinew/offline/mesh/winding_number.h"
#include "tests/support/hard_meshes.h"
#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

// A point around the mesh's bounding box.
Vector3f PointNear(const TriMesh& mesh, Random& random) {
  const Box box = BoundingBox(mesh.positions);
  Vector3f p;
  for (int k = 0; k < 3; ++k) {
    p[k] = box.center()[k] + static_cast<float>(random.Uniform(-0.8, 0.8)) * std::max(box.sizes()[k], 1e-6f);
  }
  return p;
}

SurfacePoint ClosestByBruteForce(const TriMesh& mesh, const Vector3f& p) {
  const Vector3d from = p.cast<double>();
  SurfacePoint best{.distance = std::numeric_limits<double>::infinity()};
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const TrianglePoint nearest = ClosestPointOnTriangle(from, Corners(mesh, t));
    const double distance = (nearest.point - from).norm();
    if (distance < best.distance) best = {t, nearest.point, nearest.barycentric, distance};
  }
  return best;
}

TEST(ClosestPoint, NoPointOfTheTriangleIsNearer) {
  Random random(3);
  const auto point = [&] { return Vector3d{random.Normal(), random.Normal(), random.Normal()}; };
  for (int i = 0; i < 200; ++i) {
    const std::array<Vector3d, 3> triangle = {point(), point(), i % 10 == 0 ? Vector3d::Zero() : point()};
    const Vector3d p = 2 * point();
    const TrianglePoint nearest = ClosestPointOnTriangle(p, triangle);
    EXPECT_GE(nearest.barycentric.minCoeff(), 0);
    EXPECT_NEAR(nearest.barycentric.sum(), 1, 1e-12);
    Vector3d rebuilt = Vector3d::Zero();
    for (int k = 0; k < 3; ++k) rebuilt += nearest.barycentric[k] * triangle[k];
    EXPECT_NEAR((rebuilt - nearest.point).norm(), 0, 1e-12);
    for (int a = 0; a <= 20; ++a) {
      for (int b = 0; a + b <= 20; ++b) {
        const Vector3d other = (a * triangle[0] + b * triangle[1] + (20 - a - b) * triangle[2]) / 20;
        EXPECT_GE((other - p).norm(), (nearest.point - p).norm() - 1e-12);
      }
    }
  }
}

TEST(SurfaceQuery, ClosestAgreesWithBruteForceToTheTriangle) {
  for (const auto& family : testing::MeshFamilies()) {
    const SurfaceQuery query(family.mesh);
    Random random(5);
    for (int i = 0; i < 100; ++i) {
      const Vector3f p = PointNear(family.mesh, random);
      const auto found = query.Closest(p);
      ASSERT_TRUE(found.has_value()) << family.name;
      const SurfacePoint oracle = ClosestByBruteForce(family.mesh, p);
      EXPECT_EQ(found->distance, oracle.distance) << family.name;
      EXPECT_EQ(found->triangle, oracle.triangle) << family.name;
    }
  }
}

std::vector<TriMesh> CrowdedMeshes() {
  return {testing::FanAroundEdge(200), testing::CrossingTriangles(150), testing::ConeOfSlivers(400),
          testing::CopiesOfOneTriangle(60)};
}

TEST(SurfaceQuery, ClosestAgreesWithBruteForceAmongCrossingTriangles) {
  Random random(8);
  for (const TriMesh& mesh : CrowdedMeshes()) {
    const SurfaceQuery query(mesh);
    for (int i = 0; i < 200; ++i) {
      // Every other point is on a triangle.
      const auto corners = Corners(mesh, static_cast<int>(random.Below(mesh.triangle_count())));
      const Vector3f on = ((corners[0] + corners[1] + 2 * corners[2]) / 4).cast<float>();
      const Vector3f p = i % 2 == 0 ? PointNear(mesh, random) : on;
      const auto found = query.Closest(p);
      const SurfacePoint expected = ClosestByBruteForce(mesh, p);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->distance, expected.distance);
      EXPECT_EQ(found->triangle, expected.triangle);
      EXPECT_EQ(found->point, expected.point);
    }
  }
}

// Mean number of boxes around points on the mesh: what a search has to look into.
double BoxesAround(const TriMesh& mesh, const std::vector<Box>& boxes) {
  double count = 0;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const auto corners = Corners(mesh, t);
    const Vector3f middle = ((corners[0] + corners[1] + corners[2]) / 3).cast<float>();
    for (const Box& box : boxes) count += box.contains(middle) ? 1 : 0;
  }
  return count / mesh.triangle_count();
}

TEST(TrianglePieces, LieInFewOfEachOthersBoxes) {
  for (const testing::MeshFamily& family : testing::MeshFamilies()) EXPECT_FALSE(IsCrowded(family.mesh)) << family.name;
  for (const TriMesh& mesh : CrowdedMeshes()) {
    EXPECT_TRUE(IsCrowded(mesh));
    const TrianglePieces pieces = CutIntoPieces(mesh);
    EXPECT_LE(pieces.boxes.size(), 16 * static_cast<size_t>(mesh.triangle_count()));
    EXPECT_LT(BoxesAround(mesh, pieces.boxes), 0.8 * BoxesAround(mesh, TriangleBoxes(mesh)));
  }
}

TEST(TrianglePieces, AreNoFartherThanTheirLeastDistance) {
  Random random(9);
  for (const TriMesh& mesh : CrowdedMeshes()) {
    const TrianglePieces pieces = CutIntoPieces(mesh);
    for (int i = 0; i < 50; ++i) {
      const Eigen::Vector3d p = PointNear(mesh, random).cast<double>();
      for (int t = 0; t < mesh.triangle_count(); ++t) {
        const double distance = (ClosestPointOnTriangle(p, Corners(mesh, t)).point - p).norm();
        EXPECT_LE(std::sqrt(pieces.LeastSquaredDistance(t, p)), distance + 1e-9);
      }
    }
  }
}

TEST(TrianglePieces, OfAFlatFanAreExcludedByTheirEdges) {
  TriMesh fan = testing::ConeOfSlivers(400);
  fan.positions.col(1).setZero();  // its side lies on its base
  const TrianglePieces pieces = CutIntoPieces(fan);
  for (int t = 0; t < fan.triangle_count(); ++t) {
    const auto corners = Corners(fan, t);
    const Eigen::Vector3d middle = (corners[0] + corners[1] + corners[2]) / 3;
    int near = 0;
    for (int other = 0; other < fan.triangle_count(); ++other) {
      near += pieces.LeastSquaredDistance(other, middle) < 1e-12 ? 1 : 0;
    }
    EXPECT_EQ(near, 2) << t;
  }
}

TEST(SurfaceQuery, ClosestAtAVertexIsTheLowestOfItsTriangles) {
  const TriMesh sphere = testing::Sphere();
  const SurfaceQuery query(sphere);
  for (int v = 0; v < sphere.vertex_count(); ++v) {
    const Vector3f p = sphere.positions.row(v).transpose();
    EXPECT_EQ(query.Closest(p)->triangle, ClosestByBruteForce(sphere, p).triangle);
    EXPECT_EQ(query.Closest(p)->distance, 0);
  }
}

TEST(SurfaceQuery, NothingIsFoundBeyondTheLimitOrInAnEmptyMesh) {
  const SurfaceQuery query(testing::Cuboid());
  EXPECT_FALSE(query.Closest({3, 0, 0}, 1.9f).has_value());
  EXPECT_TRUE(query.Closest({3, 0, 0}, 2.1f).has_value());
  const TriMesh nothing{Points(0, 3), Triangles(0, 3)};
  EXPECT_FALSE(SurfaceQuery(nothing).Closest({0, 0, 0}).has_value());
  EXPECT_FALSE(SurfaceQuery(nothing).Shoot({0, 0, 0}, {1, 0, 0}).has_value());
}

TEST(SurfaceQuery, RaysHitWhereTheyShould) {
  const SurfaceQuery query(testing::Cuboid());
  const auto hit = query.Shoot({0.3f, 0.4f, 5}, {0, 0, -2});
  ASSERT_TRUE(hit.has_value());
  EXPECT_NEAR(hit->distance, 2, 1e-6);
  EXPECT_NEAR((hit->point - Vector3d(0.3, 0.4, 1)).norm(), 0, 1e-6);
  EXPECT_FALSE(query.Shoot({0.3f, 0.4f, 5}, {0, 0, 2}).has_value());
  EXPECT_FALSE(query.Shoot({0.3f, 0.4f, 5}, {0, 0, -2}, 0, 1.5f).has_value());
  EXPECT_NEAR(query.Shoot({0.3f, 0.4f, 5}, {0, 0, -1}, 4.5f)->distance, 5, 1e-6);
}

// From inside a closed surface no ray escapes, not even through vertices and edges.
TEST(SurfaceQuery, NoRayEscapesFromAClosedSurface) {
  const TriMesh sphere = testing::Sphere();
  const SurfaceQuery query(sphere);
  Random random(9);
  for (int v = 0; v < sphere.vertex_count(); ++v) {
    EXPECT_TRUE(query.Shoot({0, 0, 0}, sphere.positions.row(v).transpose()).has_value());
  }
  for (int i = 0; i < 2000; ++i) {
    const Vector3d direction{random.Normal(), random.Normal(), random.Normal()};
    EXPECT_TRUE(query.Shoot({0.1f, 0, 0}, direction.cast<float>()).has_value());
  }
}

TEST(WindingNumber, FastAgreesWithTheDefinition) {
  for (const auto& family : testing::MeshFamilies()) {
    const WindingNumber fast(family.mesh);
    Random random(11);
    for (int i = 0; i < 200; ++i) {
      const Vector3f p = PointNear(family.mesh, random);
      EXPECT_NEAR(fast(p), WindingNumberByDefinition(family.mesh, p), 0.01) << family.name;
    }
  }
}

TEST(WindingNumber, FastAgreesOnAFineMesh) {
  const TriMesh torus = testing::Torus(300, 100);
  const WindingNumber fast(torus);
  Random random(12);
  for (int i = 0; i < 50; ++i) {
    const Vector3f p = PointNear(torus, random);
    EXPECT_NEAR(fast(p), WindingNumberByDefinition(torus, p), 0.005);
  }
}

TEST(WindingNumber, KnowsInsideFromOutside) {
  for (const bool inside_out : {false, true}) {
    const TriMesh torus = testing::Torus(40, 20);
    const WindingNumber winding(inside_out ? testing::InsideOut(torus) : torus);
    EXPECT_TRUE(winding.Inside({1, 0, 0}));
    EXPECT_TRUE(winding.Inside({0, -1.2f, 0.1f}));
    EXPECT_FALSE(winding.Inside({0, 0, 0}));
    EXPECT_FALSE(winding.Inside({1, 0, 0.5f}));
    EXPECT_FALSE(winding.Inside({50, 0, 0}));
  }
}

TEST(WindingNumber, SurvivesAHoleAndAnEmptyMesh) {
  TriMesh sphere = testing::Sphere();
  const Triangles most = sphere.triangles.bottomRows(sphere.triangle_count() - 20);
  sphere.triangles = most;
  EXPECT_TRUE(WindingNumber(sphere).Inside({0, 0, 0}));
  EXPECT_FALSE(WindingNumber(sphere).Inside({2, 0, 0}));
  EXPECT_EQ(WindingNumber(TriMesh{Points(0, 3), Triangles(0, 3)})({0, 0, 0}), 0);
}

}  // namespace
}  // namespace sinew
