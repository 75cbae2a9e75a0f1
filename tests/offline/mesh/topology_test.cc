#include "sinew/offline/mesh/topology.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "sinew/offline/core/random.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/weld.h"
#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

using testing::MeshFamily;

class Families : public ::testing::TestWithParam<MeshFamily> {
 protected:
  const TriMesh& mesh() const { return GetParam().mesh; }
  Topology topology() const { return AnalyzeTopology(mesh().triangles, mesh().vertex_count()); }
};

int ClosedLoops(const Topology& topology) {
  return static_cast<int>(std::count_if(topology.boundary.begin(), topology.boundary.end(),
                                        [](const BoundaryLoop& loop) { return loop.closed; }));
}

bool AllOf(const Topology& topology, bool (*property)(const Island&)) {
  return std::all_of(topology.islands.begin(), topology.islands.end(), property);
}

TEST_P(Families, IsWhatIsKnownOfIt) {
  const Topology found = topology();
  EXPECT_EQ(static_cast<int>(found.islands.size()), GetParam().islands);
  EXPECT_EQ(ClosedLoops(found), GetParam().boundary_loops);
  EXPECT_EQ(found.boundary.size(), static_cast<size_t>(GetParam().boundary_loops));
  EXPECT_EQ(found.euler_characteristic(), GetParam().euler_characteristic);
  EXPECT_EQ(AllOf(found, [](const Island& i) { return i.manifold; }), GetParam().manifold);
  EXPECT_EQ(AllOf(found, [](const Island& i) { return i.orientable; }), GetParam().orientable);
  EXPECT_TRUE(found.collapsed_triangles.empty());
  EXPECT_TRUE(found.duplicate_triangles.empty());
}

TEST_P(Families, ClosedOnesAreWatertightAndHaveAGenus) {
  if (!GetParam().closed()) return;
  const Topology found = topology();
  EXPECT_TRUE(found.watertight());
  int genus = 0;
  for (const Island& island : found.islands) genus += island.genus().value();
  EXPECT_EQ(2 * GetParam().islands - 2 * genus, GetParam().euler_characteristic);
}

TEST_P(Families, EdgesAreSortedAndHoldEveryHalfEdgeOnce) {
  const EdgeTable edges = BuildEdges(mesh().triangles, mesh().vertex_count());
  EXPECT_TRUE(std::is_sorted(edges.vertices.begin(), edges.vertices.end()));
  EXPECT_EQ(std::adjacent_find(edges.vertices.begin(), edges.vertices.end()), edges.vertices.end());
  std::set<int> seen;
  for (int e = 0; e < edges.edge_count(); ++e) {
    for (const int h : edges.half_edges[e]) {
      EXPECT_TRUE(seen.insert(h).second);
      EXPECT_EQ(edges.edge_of[h], e);
      const std::array<int, 2> ends = {std::min(Tail(mesh().triangles, h), Head(mesh().triangles, h)),
                                       std::max(Tail(mesh().triangles, h), Head(mesh().triangles, h))};
      EXPECT_EQ(edges.vertices[e], ends);
    }
  }
  EXPECT_EQ(static_cast<int>(seen.size()), 3 * mesh().triangle_count());
}

TEST_P(Families, NeighboursAreMutual) {
  const EdgeTable edges = BuildEdges(mesh().triangles, mesh().vertex_count());
  for (const Csr& csr : {VertexVertices(edges, mesh().vertex_count()), TriangleTriangles(edges)}) {
    for (int i = 0; i < csr.row_count(); ++i) {
      EXPECT_TRUE(std::is_sorted(csr[i].begin(), csr[i].end()));
      for (const int k : csr[i]) EXPECT_TRUE(std::binary_search(csr[k].begin(), csr[k].end(), i));
    }
  }
  const Csr fans = VertexTriangles(mesh().triangles, mesh().vertex_count());
  for (int t = 0; t < mesh().triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const auto row = fans[mesh().triangles(t, k)];
      EXPECT_TRUE(std::binary_search(row.begin(), row.end(), t));
    }
  }
}

TEST_P(Families, BoundaryLoopsUseEveryBoundaryEdgeOnce) {
  const Topology found = topology();
  std::multiset<std::array<int, 2>> walked;
  for (const BoundaryLoop& loop : found.boundary) {
    for (size_t i = 0; i + (loop.closed ? 0 : 1) < loop.vertices.size(); ++i) {
      const int a = loop.vertices[i], b = loop.vertices[(i + 1) % loop.vertices.size()];
      walked.insert({std::min(a, b), std::max(a, b)});
    }
  }
  std::multiset<std::array<int, 2>> expected;
  for (const int e : found.boundary_edges) expected.insert(found.edges.vertices[e]);
  EXPECT_EQ(walked, expected);
}

// Renumbering vertices and triangles is no change of the surface.
TEST_P(Families, DoesNotDependOnTheOrder) {
  Random random(7);
  std::vector<int> vertex(mesh().vertex_count());
  std::iota(vertex.begin(), vertex.end(), 0);
  for (size_t i = vertex.size(); i > 1; --i) std::swap(vertex[i - 1], vertex[random.Below(static_cast<uint32_t>(i))]);
  Triangles shuffled(mesh().triangle_count(), 3);
  for (int t = 0; t < mesh().triangle_count(); ++t) {
    const int from = mesh().triangle_count() - 1 - t;
    for (int k = 0; k < 3; ++k) shuffled(t, k) = vertex[mesh().triangles(from, (k + t) % 3)];
  }
  const Topology a = topology(), b = AnalyzeTopology(shuffled, mesh().vertex_count());
  EXPECT_EQ(a.islands.size(), b.islands.size());
  EXPECT_EQ(a.boundary.size(), b.boundary.size());
  EXPECT_EQ(a.non_manifold_vertices.size(), b.non_manifold_vertices.size());
  EXPECT_EQ(a.non_manifold_edges.size(), b.non_manifold_edges.size());
  EXPECT_EQ(a.euler_characteristic(), b.euler_characteristic());
  EXPECT_EQ(a.watertight(), b.watertight());
}

INSTANTIATE_TEST_SUITE_P(Topology, Families, ::testing::ValuesIn(testing::MeshFamilies()),
                         [](const auto& tested) { return tested.param.name; });

TEST(Topology, NonManifoldPlacesAreNamed) {
  const TriMesh edge = testing::TwoCubesSharingAnEdge();
  const Topology by_edge = AnalyzeTopology(edge.triangles, edge.vertex_count());
  ASSERT_EQ(by_edge.non_manifold_edges.size(), 1u);
  EXPECT_EQ(by_edge.edges.vertices[by_edge.non_manifold_edges[0]], (std::array<int, 2>{3, 7}));
  EXPECT_EQ(by_edge.unused_vertices, (std::vector<int>{8, 12}));
  EXPECT_FALSE(by_edge.watertight());
  EXPECT_FALSE(by_edge.islands[0].genus().has_value());
  const TriMesh vertex = testing::TwoCubesSharingAVertex();
  const Topology by_vertex = AnalyzeTopology(vertex.triangles, vertex.vertex_count());
  EXPECT_EQ(by_vertex.non_manifold_vertices, (std::vector<int>{7}));
  EXPECT_TRUE(by_vertex.watertight());
}

TEST(Topology, AFlippedTriangleIsNoLongerOriented) {
  TriMesh mesh = testing::Sphere();
  std::swap(mesh.triangles(5, 0), mesh.triangles(5, 1));
  const Topology found = AnalyzeTopology(mesh.triangles, mesh.vertex_count());
  EXPECT_EQ(found.flipped_edges.size(), 3u);
  EXPECT_TRUE(found.islands[0].orientable);
  EXPECT_FALSE(found.watertight());
}

TEST(Topology, CollapsedAndDuplicateTrianglesAreToldApart) {
  TriMesh mesh = testing::Cuboid();
  const int count = mesh.triangle_count();
  mesh.triangles.conservativeResize(count + 2, 3);
  mesh.triangles.row(count) << 3, 0, 2;  // triangle 0, turned around
  mesh.triangles.row(count + 1) << 1, 1, 4;
  const Topology found = AnalyzeTopology(mesh.triangles, mesh.vertex_count());
  EXPECT_EQ(found.duplicate_triangles, (std::vector<int>{count}));
  EXPECT_EQ(found.collapsed_triangles, (std::vector<int>{count + 1}));
  EXPECT_EQ(found.island_of.back(), -1);
}

TEST(Topology, AWalkThatCannotCloseSaysSo) {
  const TriMesh mesh = testing::Book();
  const Topology found = AnalyzeTopology(mesh.triangles, mesh.vertex_count());
  EXPECT_EQ(found.non_manifold_edges.size(), 1u);
  EXPECT_EQ(found.boundary_edges.size(), 6u);
  EXPECT_EQ(std::count_if(found.boundary.begin(), found.boundary.end(), [](const auto& l) { return !l.closed; }), 1);
}

TEST(Topology, AMeshOfNothingIsNotWatertight) {
  const Topology found = AnalyzeTopology(Triangles(0, 3), 2);
  EXPECT_FALSE(found.watertight());
  EXPECT_EQ(found.unused_vertices.size(), 2u);
  EXPECT_EQ(found.euler_characteristic(), 0);
}

// Any triangles at all: the counts must agree with their definitions, said as slow loops.
RC_GTEST_PROP(Topology, CountsOfRandomTrianglesAreTheirDefinitions, ()) {
  const int vertex_count = *rc::gen::inRange(3, 12);
  const int triangle_count = *rc::gen::inRange(0, 25);
  Random random(*rc::gen::arbitrary<uint64_t>());
  Triangles triangles(triangle_count, 3);
  for (int i = 0; i < triangles.size(); ++i) triangles.data()[i] = static_cast<int>(random.Below(vertex_count));
  const Topology found = AnalyzeTopology(triangles, vertex_count);
  size_t boundary = 0, non_manifold = 0;
  for (int a = 0; a < vertex_count; ++a) {
    for (int b = a + 1; b < vertex_count; ++b) {
      int at_edge = 0;
      for (int t = 0; t < triangle_count; ++t) {
        const auto has = [&](int v) { return (triangles.row(t).array() == v).any(); };
        at_edge += !IsCollapsed(triangles, t) && has(a) && has(b);
      }
      boundary += at_edge == 1;
      non_manifold += at_edge > 2;
    }
  }
  RC_ASSERT(found.boundary_edges.size() == boundary);
  RC_ASSERT(found.non_manifold_edges.size() == non_manifold);
  std::set<std::set<int>> distinct;
  size_t repeated = 0;
  for (int t = 0; t < triangle_count; ++t) {
    if (IsCollapsed(triangles, t)) continue;
    repeated += !distinct.insert({triangles(t, 0), triangles(t, 1), triangles(t, 2)}).second;
  }
  RC_ASSERT(found.duplicate_triangles.size() == repeated);
}

}  // namespace
}  // namespace sinew
