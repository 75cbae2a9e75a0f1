#include "sinew/offline/remesh/remesh.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/mesh/edit_mesh.h"
#include "tests/support/implicit_shapes.h"
#include "tests/support/mesh_checks.h"

namespace sinew {
namespace {

using Eigen::Vector3d;

FineMesh Make(const ImplicitSurface& surface, int vertices, const Eigen::AlignedBox3d& domain, bool half) {
  RemeshOptions options;
  options.vertex_count = vertices;
  options.domain = domain;
  options.half = half;
  options.size.smallest_radius = 0.05;
  return Remesh(surface, ExtractSurface(surface, 0.03, domain), options);
}

Eigen::AlignedBox3d Half() {
  Eigen::AlignedBox3d domain = Everywhere();
  domain.min().x() = 0;
  return domain;
}

void ExpectGoodTriangles(const FineMesh& mesh) {
  int small = 0;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const double angle = SmallestAngle(mesh, t);
    EXPECT_GT(angle, 12);
    small += angle < 30;
  }
  EXPECT_LE(small, 0.01 * static_cast<double>(mesh.triangles.size()));
}

TEST(Remesh, TorusKeepsItsHoleAtEverySize) {
  const Torus torus(0.5, 0.2);
  for (const int vertices : {100, 501, 4000}) {
    const FineMesh mesh = Make(torus, vertices, Everywhere(), false);
    const MeshFacts facts = Facts(mesh);
    EXPECT_EQ(static_cast<int>(mesh.positions.size()), vertices);
    EXPECT_TRUE(facts.manifold);
    EXPECT_EQ(facts.boundary_edges, 0);
    EXPECT_EQ(facts.euler, 0);
    ExpectGoodTriangles(mesh);
    for (const Vector3d& p : mesh.positions) EXPECT_NEAR(torus.Evaluate(p, nullptr), 0, 1e-9);
  }
}

// Large meshes go another way: from one of a quarter of the vertices.
TEST(Remesh, LargeMeshesAreAsGood) {
  const FineMesh mesh = Mirror(Make(Torus(0.5, 0.2), 120001, Half(), true));
  const MeshFacts facts = Facts(mesh);
  EXPECT_EQ(mesh.positions.size(), 120001u);
  EXPECT_TRUE(facts.manifold);
  EXPECT_EQ(facts.boundary_edges, 0);
  EXPECT_EQ(facts.euler, 0);
  ExpectGoodTriangles(mesh);
}

TEST(Remesh, HalvesMeetExactlyAndCountTogether) {
  const Torus torus(0.5, 0.2);
  for (const int vertices : {200, 777, 2000}) {
    const FineMesh half = Make(torus, vertices, Half(), true);
    for (const Vector3d& p : half.positions) EXPECT_GE(p.x(), 0);
    const FineMesh mesh = Mirror(half);
    const MeshFacts facts = Facts(mesh);
    EXPECT_EQ(static_cast<int>(mesh.positions.size()), vertices);
    EXPECT_TRUE(facts.manifold);
    EXPECT_EQ(facts.boundary_edges, 0);
    EXPECT_EQ(facts.euler, 0);
    ExpectGoodTriangles(mesh);
  }
}

TEST(Remesh, OpenSurfaceKeepsItsEdges) {
  Eigen::AlignedBox3d domain = Half();
  domain.min().y() = -0.2;
  domain.max().y() = 0.3;
  const FineMesh mesh = Mirror(Make(Ball({0, 0, 0}, 0.5), 901, domain, true));
  const MeshFacts facts = Facts(mesh);
  EXPECT_EQ(mesh.positions.size(), 901u);
  EXPECT_TRUE(facts.manifold);
  EXPECT_EQ(facts.boundary_loops, 2);
  EXPECT_EQ(facts.euler, 0);
  double low = 1, high = -1;
  for (const Vector3d& p : mesh.positions) low = std::min(low, p.y()), high = std::max(high, p.y());
  EXPECT_EQ(low, -0.2);
  EXPECT_EQ(high, 0.3);
  ExpectGoodTriangles(mesh);
}

TEST(Remesh, SameWhateverTheThreads) {
  const Torus torus(0.5, 0.2);
  SetThreads(1);
  const FineMesh one = Make(torus, 600, Everywhere(), false);
  SetThreads(3);
  const FineMesh three = Make(torus, 600, Everywhere(), false);
  SetThreads(0);
  EXPECT_EQ(one.positions, three.positions);
  EXPECT_EQ(one.triangles, three.triangles);
}

TEST(Remesh, SaysWhenThereAreTooFewVertices) {
  try {
    Make(Torus(0.5, 0.2), 3, Everywhere(), false);
    FAIL();
  } catch (const FailedError& error) {
    EXPECT_STREQ(error.what(), "this surface cannot be meshed with 3 vertices; ask for more");
  }
}

// Random edits that are allowed leave a manifold of the same kind.
TEST(EditMesh, AnyAllowedEditKeepsTheTopology) {
  Random random(1);
  Eigen::AlignedBox3d domain = Half();
  for (const bool open : {false, true}) {
    EditMesh mesh(ExtractSurface(Ball({0, 0, 0}, 0.5), 0.2, open ? domain : Everywhere()));
    for (int i = 0; i < 3000; ++i) {
      const int h = static_cast<int>(random.Below(static_cast<uint32_t>(mesh.half_edge_slots())));
      if (!mesh.HasHalfEdge(h)) continue;
      const uint32_t edit = random.Below(5);
      if (edit == 0) {
        mesh.Split(h, (mesh.positions[mesh.From(h)] + mesh.positions[mesh.To(h)]) / 2);
      } else if (edit < 3 && mesh.CanFlip(h)) {
        mesh.Flip(h);
      } else if (edit >= 3 && mesh.CanCollapse(h)) {
        mesh.Collapse(h);
      }
      if (i % 100 != 0) continue;
      const MeshFacts facts = Facts(mesh.ToMesh());
      ASSERT_TRUE(facts.manifold);
      ASSERT_EQ(facts.euler, open ? 1 : 2);
      ASSERT_EQ(facts.boundary_loops, open ? 1 : 0);
      ASSERT_EQ(facts.unused_vertices, 0);
    }
  }
}

TEST(EditMesh, RefusesWhatIsNoManifold) {
  FineMesh fin{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 1, 3}}};
  EXPECT_THROW(EditMesh{fin}, FailedError);
  FineMesh bow{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}, {{0, 1, 2}, {0, 3, 4}}};
  EXPECT_THROW(EditMesh{bow}, FailedError);
}

}  // namespace
}  // namespace sinew
