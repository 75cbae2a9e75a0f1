#include "sinew/offline/mesh/self_intersection.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/mesh/triangle_intersection.h"
#include "sinew/offline/mesh/weld.h"
#include "tests/support/hard_meshes.h"
#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

using Vector3l = Eigen::Matrix<int64_t, 3, 1>;
using Polygon = std::vector<Vector3l>;
using Pairs = std::vector<std::array<int, 2>>;

// Disjoint convex polygons are separated along a normal of one of them, a normal of an edge within its plane, or a
// direction across two edges. In integers this is exact, and shares no idea with the code that it judges.
bool MeetBySeparatingAxes(const Polygon& a, const Polygon& b) {
  const auto edges = [](const Polygon& p) {
    Polygon out;
    for (size_t i = 0; i < p.size(); ++i) out.push_back(p[(i + 1) % p.size()] - p[i]);
    return out;
  };
  const Polygon ea = edges(a), eb = edges(b);
  const Vector3l na = ea[0].cross(ea[1]), nb = eb[0].cross(eb[1]);
  Polygon axes = {na, nb};
  for (const Vector3l& e : ea) axes.push_back(na.cross(e));
  for (const Vector3l& e : eb) axes.push_back(nb.cross(e));
  for (const Vector3l& e : ea) {
    for (const Vector3l& f : eb) axes.push_back(e.cross(f));
  }
  const auto range = [](const Polygon& p, const Vector3l& axis) {
    std::vector<int64_t> heights;
    for (const Vector3l& v : p) heights.push_back(v.dot(axis));
    return std::pair(*std::min_element(heights.begin(), heights.end()),
                     *std::max_element(heights.begin(), heights.end()));
  };
  return std::none_of(axes.begin(), axes.end(), [&](const Vector3l& axis) {
    const auto [low_a, high_a] = range(a, axis);
    const auto [low_b, high_b] = range(b, axis);
    return high_a < low_b || high_b < low_a;
  });
}

Polygon LatticeTriangle(Random& random, int range) {
  Polygon triangle(3);
  do {
    for (Vector3l& p : triangle) {
      for (int k = 0; k < 3; ++k) p[k] = random.Below(range);
    }
  } while ((triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]) == Vector3l::Zero());
  return triangle;
}

Corners3f ToFloat(const Polygon& p) { return {p[0].cast<float>(), p[1].cast<float>(), p[2].cast<float>()}; }

constexpr int64_t kFine = 1000;
Polygon Scaled(Polygon p) {
  for (Vector3l& v : p) v *= kFine;
  return p;
}

// The triangle (in finer units) without the neighbourhood of its corner 0.
Polygon WithoutCorner(const Polygon& p) {
  return {(kFine - 1) * p[0] + p[1], kFine * p[1], kFine * p[2], (kFine - 1) * p[0] + p[2]};
}
// The triangle (in finer units) without the neighbourhood of its edge from corner 0 to corner 1.
Polygon WithoutEdge(const Polygon& p) { return {(kFine - 1) * p[0] + p[2], (kFine - 1) * p[1] + p[2], kFine * p[2]}; }

RC_GTEST_PROP(TriangleIntersection, AgreesWithSeparatingAxes, (uint64_t seed)) {
  Random random(seed);
  for (int i = 0; i < 100; ++i) {
    const Polygon a = LatticeTriangle(random, 5), b = LatticeTriangle(random, 5);
    const bool meet = MeetBySeparatingAxes(a, b);
    RC_ASSERT(TrianglesMeet(ToFloat(a), ToFloat(b)) == meet);
    RC_ASSERT(TrianglesMeet(ToFloat(b), ToFloat(a)) == meet);
  }
}

RC_GTEST_PROP(TriangleIntersection, SharedCornersAreNoIntersection, (uint64_t seed)) {
  Random random(seed);
  for (int i = 0; i < 100; ++i) {
    const Polygon a = LatticeTriangle(random, 5);
    Polygon b = LatticeTriangle(random, 5);
    b[0] = a[0];
    if ((b[1] - b[0]).cross(b[2] - b[0]) == Vector3l::Zero()) continue;
    const bool meet = MeetBySeparatingAxes(WithoutCorner(a), Scaled(b));
    RC_ASSERT(TrianglesMeetBeyondCorner(ToFloat(a), ToFloat(b)) == meet);
  }
}

RC_GTEST_PROP(TriangleIntersection, SharedEdgesAreNoIntersection, (uint64_t seed)) {
  Random random(seed);
  for (int i = 0; i < 100; ++i) {
    const Polygon a = LatticeTriangle(random, 4);
    Polygon b = LatticeTriangle(random, 4);
    b[0] = a[0];
    b[1] = a[1];
    if ((b[1] - b[0]).cross(b[2] - b[0]) == Vector3l::Zero()) continue;
    const bool meet = MeetBySeparatingAxes(WithoutEdge(a), Scaled(b));
    RC_ASSERT(TrianglesMeetBeyondEdge(ToFloat(a), ToFloat(b)) == meet);
  }
}

TEST(TriangleIntersection, ATriangleWithoutAreaMeetsNothing) {
  const Corners3f line = {Eigen::Vector3f(0, 0, 0), {1, 1, 0}, {2, 2, 0}};
  const Corners3f triangle = {Eigen::Vector3f(0, 0, 0), {3, 0, 0}, {0, 3, 0}};
  EXPECT_FALSE(HasArea(line));
  EXPECT_FALSE(TrianglesMeet(line, triangle));
  EXPECT_FALSE(TrianglesMeet(triangle, line));
}

Pairs ByBruteForce(const TriMesh& mesh) {
  Pairs pairs;
  for (int s = 0; s < mesh.triangle_count(); ++s) {
    for (int t = s + 1; t < mesh.triangle_count(); ++t) {
      if (TrianglesIntersect(mesh, s, t)) pairs.push_back({s, t});
    }
  }
  return pairs;
}

TEST(SelfIntersections, CleanFamiliesHaveNone) {
  for (const auto& family : testing::MeshFamilies()) {
    EXPECT_EQ(SelfIntersections(family.mesh).empty(), family.name != "soup") << family.name;
  }
}

TEST(SelfIntersections, AgreeWithBruteForce) {
  for (const uint64_t seed : {1, 2, 3}) {
    const TriMesh soup = testing::Soup(150, seed);
    const Pairs pairs = SelfIntersections(soup);
    EXPECT_GT(pairs.size(), 20u);
    EXPECT_EQ(pairs, ByBruteForce(soup));
  }
  const TriMesh tori = testing::Merge(testing::Torus(), testing::Moved(testing::Torus(), {0.3f, 0.2f, 0.1f}));
  EXPECT_EQ(SelfIntersections(tori), ByBruteForce(tori));
  EXPECT_FALSE(SelfIntersections(tori).empty());
}

// Triangles on a small lattice share vertices, edges, planes: all the special cases at once.
RC_GTEST_PROP(SelfIntersections, AgreeWithBruteForceOnALattice, (uint64_t seed)) {
  Random random(seed);
  TriMesh mesh = testing::Soup(60, seed);
  for (int i = 0; i < mesh.positions.size(); ++i) mesh.positions.data()[i] = static_cast<float>(random.Below(4));
  const TriMesh welded = Weld(mesh, WeldEqual(mesh.positions));
  RC_ASSERT(SelfIntersections(welded) == ByBruteForce(welded));
}

TEST(SelfIntersections, AFoldAndADuplicateAreFound) {
  const TriMesh fold = testing::MakeMesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2f, 2, 0}}, {{0, 1, 2}, {1, 0, 3}});
  EXPECT_EQ(SelfIntersections(fold), (Pairs{{0, 1}}));
  TriMesh twice = testing::Cuboid();
  twice.triangles.conservativeResize(13, 3);
  twice.triangles.row(12) << 3, 2, 0;
  EXPECT_TRUE(TrianglesIntersect(twice, 0, 12));
}

TEST(SelfIntersections, AFinSharingOneVertexThatCutsBackIsFound) {
  // The second triangle starts at vertex 0 above the first and comes down through it.
  const TriMesh mesh =
      testing::MakeMesh({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 1}, {1, 1, -1}}, {{0, 1, 2}, {0, 3, 4}});
  EXPECT_EQ(SelfIntersections(mesh), (Pairs{{0, 1}}));
}

TEST(SelfIntersections, SamePairsWhateverTheNumberOfThreads) {
  const TriMesh soup = testing::Soup(2000, 4, 0.1);
  SetThreads(1);
  const Pairs one = SelfIntersections(soup);
  SetThreads(5);
  EXPECT_EQ(one, SelfIntersections(soup));
  SetThreads(0);
}

TEST(SelfIntersections, GivesTheFirstOfMorePairsThanAreAskedFor) {
  const TriMesh copies = testing::CopiesOfOneTriangle(600);
  for (const TriMesh& mesh : {testing::Soup(6000, 4, 0.12), Weld(copies, WeldEqual(copies.positions))}) {
    const Pairs all = SelfIntersections(mesh);
    ASSERT_GT(all.size(), 2000u);
    for (const size_t most : {size_t{1}, size_t{2000}, all.size() - 1, all.size(), all.size() + 1}) {
      const Pairs first(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size())));
      EXPECT_EQ(SelfIntersections(mesh, static_cast<int>(most)), first) << most;
    }
  }
}

}  // namespace
}  // namespace sinew
