#include "sinew/offline/mesh/fill_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/tet_block.h"
#include "tests/support/error_of.h"
#include "tests/support/implicit_shapes.h"
#include "tests/support/mesh_checks.h"

namespace sinew {
namespace {

using Eigen::Vector3d;

// Two surfaces as one.
class Both : public ImplicitSurface {
 public:
  Both(const Ball& a, const Ball& b) : a_(a), b_(b) {}
  double Evaluate(const Vector3d& point, Vector3d*) const override {
    return std::min(a_.Evaluate(point, nullptr), b_.Evaluate(point, nullptr));
  }
  Eigen::AlignedBox3d Bounds() const override { return a_.Bounds().merged(b_.Bounds()); }

 private:
  Ball a_, b_;
};

MeshFacts SurfaceFacts(const TetMesh& mesh) {
  std::vector<Eigen::Vector3i> triangles;
  const Triangles surface = SurfaceOf(mesh);
  for (Eigen::Index t = 0; t < surface.rows(); ++t) triangles.emplace_back(surface.row(t).transpose());
  return Facts(triangles, mesh.node_count());
}

// All tetrahedra are sound, and the nodes of the boundary are on the surface.
void ExpectConforms(const TetMesh& mesh, const ImplicitSurface& surface) {
  double worst = 1;
  for (int t = 0; t < mesh.tet_count(); ++t) worst = std::min(worst, MeanRatio(CornersOf(mesh, t)));
  EXPECT_GT(worst, 0.1);
  const Triangles boundary = SurfaceOf(mesh);
  std::vector<bool> outer(mesh.node_count());
  for (const int node : boundary.reshaped()) outer[node] = true;
  for (int n = 0; n < mesh.node_count(); ++n) {
    const double value = surface.Evaluate(mesh.positions.row(n).transpose(), nullptr);
    if (outer[n]) {
      EXPECT_NEAR(value, 0, 1e-6);
    } else {
      EXPECT_LT(value, 1e-6);
    }
  }
}

TEST(FillSurface, BallIsFilledUpToItsSurface) {
  const Ball ball({0.1, 0.2, 0.3}, 0.5);
  const TetMesh mesh = FillSurface(ball, 0.12);
  ExpectConforms(mesh, ball);
  const MeshFacts facts = SurfaceFacts(mesh);
  EXPECT_TRUE(facts.manifold);
  EXPECT_EQ(facts.boundary_edges, 0);
  EXPECT_EQ(facts.euler, 2);
  EXPECT_NEAR(SignedVolume(mesh), 4.0 / 3 * std::numbers::pi * 0.125, 0.012);
}

TEST(FillSurface, TorusKeepsItsHole) {
  const Torus torus(0.5, 0.2);
  const TetMesh mesh = FillWithTets(torus, 3000);
  ExpectConforms(mesh, torus);
  EXPECT_TRUE(SurfaceFacts(mesh).manifold);
  EXPECT_EQ(SurfaceFacts(mesh).euler, 0);
  EXPECT_NEAR(mesh.tet_count(), 3000, 300);
  EXPECT_NEAR(SignedVolume(mesh), 2 * std::numbers::pi * std::numbers::pi * 0.5 * 0.04, 0.02);
}

TEST(FillSurface, SameWhateverTheThreads) {
  SetThreads(1);
  const TetMesh one = FillWithTets(Torus(0.5, 0.2), 800);
  SetThreads(3);
  const TetMesh three = FillWithTets(Torus(0.5, 0.2), 800);
  SetThreads(0);
  EXPECT_EQ(one.positions, three.positions);
  EXPECT_EQ(one.tets, three.tets);
}

TEST(FillSurface, SaysWhatItCannotDo) {
  const Ball ball({0, 0, 0}, 0.5);
  EXPECT_THROW(FillSurface(ball, 0), UsageError);
  EXPECT_THROW(FillWithTets(ball, 10), UsageError);
  const Both apart(ball, Ball({2, 0, 0}, 0.5));
  EXPECT_NE(testing::ErrorOf([&] { FillSurface(apart, 0.2); }).find("fall apart"), std::string::npos);
  // Between the nodes of the lattice.
  const Ball tiny({0.13, 0.07, 0.02}, 0.001);
  const Both unseen(tiny, Ball({1.17, 1.04, 1.09}, 0.001));
  EXPECT_NE(testing::ErrorOf([&] { FillSurface(unseen, 0.5); }).find("nothing is inside"), std::string::npos);
}

}  // namespace
}  // namespace sinew
