#include "sinew/offline/learn/layers/mesh_conv.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "tests/offline/learn/layers/layer_checks.h"
#include "tests/support/mesh_families.h"

namespace sinew::layers {
namespace {

EdgeRings RingsOfMesh(const TriMesh& mesh) { return RingsOf(BuildEdges(mesh.triangles, mesh.vertex_count())); }

RowMatrix Applied(const EdgeRings& rings, const RowMatrix& x, const RowMatrix& W, const RowMatrix& b) {
  RowMatrix y(x.rows(), W.cols());
  MeshConv(rings, x, W, {b.data(), static_cast<size_t>(b.size())}, y);
  return y;
}

TEST(EdgeRings, AreTheOtherSidesOfTheTriangles) {
  for (const TriMesh& mesh : {testing::Grid(4, 3), testing::Torus(8, 5), testing::Sphere(7, 4)}) {
    const EdgeTable edges = BuildEdges(mesh.triangles, mesh.vertex_count());
    const EdgeRings rings = RingsOf(edges);
    ASSERT_EQ(rings.edge_count(), edges.edge_count());
    for (int e = 0; e < rings.edge_count(); ++e) {
      const size_t sides = edges.half_edges[e].size();
      for (int k = 0; k < 4; ++k) {
        const int neighbour = rings.rings[e][k];
        ASSERT_EQ(neighbour >= 0, static_cast<size_t>(k / 2) < sides);
        if (neighbour < 0) continue;
        // a and c lie across from each other: on an oriented mesh they do not touch, and e touches both.
        const auto touch = [&](int f, int g) {
          const auto &p = edges.vertices[f], &q = edges.vertices[g];
          return p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1];
        };
        EXPECT_TRUE(touch(e, neighbour));
        EXPECT_NE(neighbour, e);
      }
    }
  }
}

TEST(EdgeRings, EdgesThatDoNotExistAreRefused) {
  EXPECT_THROW(MakeEdgeRings({{0, -1, 1, -1}}), UsageError);
  EXPECT_THROW(MakeEdgeRings({{0, -2, 0, -1}}), UsageError);
}

TEST(MeshConv, IsTheFormula) {
  const EdgeRings rings = RingsOfMesh(testing::Grid(6, 5));
  const RowMatrix x = Noise(rings.edge_count(), 3, 1), W = Noise(15, 4, 2), b = Noise(1, 4, 3);
  const RowMatrix y = Applied(rings, x, W, b);
  for (int e = 0; e < rings.edge_count(); ++e) {
    const auto row = [&](int k) {
      const int f = rings.rings[e][k];
      return f < 0 ? Eigen::RowVectorXd(Eigen::RowVectorXd::Zero(3)) : Eigen::RowVectorXd(x.row(f).cast<double>());
    };
    Eigen::RowVectorXd features(15);
    features << x.row(e).cast<double>(), row(0) + row(2), row(1) + row(3), (row(0) - row(2)).cwiseAbs(),
        (row(1) - row(3)).cwiseAbs();
    const Eigen::RowVectorXd exact = features * W.cast<double>() + b.cast<double>();
    EXPECT_LT((y.row(e).cast<double>() - exact).cwiseAbs().maxCoeff(), 1e-5);
  }
}

TEST(MeshConv, DoesNotDependOnWhichTriangleComesFirst) {
  EdgeRings rings = RingsOfMesh(testing::Torus(8, 5));
  const RowMatrix x = Noise(rings.edge_count(), 3, 1), W = Noise(15, 4, 2);
  const RowMatrix before = Applied(rings, x, W, RowMatrix());
  for (auto& [a, b, c, d] : rings.rings) {
    std::swap(a, c);
    std::swap(b, d);
  }
  EXPECT_EQ(Applied(MakeEdgeRings(rings.rings), x, W, RowMatrix()), before);
}

TEST(MeshConv, GradientsAreRight) {
  const EdgeRings rings = RingsOfMesh(testing::Grid(2, 2));
  const int n = rings.edge_count();
  const RowMatrix x = Noise(n, 2, 1) * 8, W = Noise(10, 3, 2), b = Noise(1, 3, 3), dy = Noise(n, 3, 4);
  RowMatrix dx = RowMatrix::Zero(n, 2), dW = RowMatrix::Zero(10, 3), db = RowMatrix::Zero(1, 3);
  Rows dx_rows(dx);
  MeshConvBackward(rings, x, W, dy, &dx_rows, dW, {db.data(), 3});
  const auto f = [&](const RowMatrix& xs, const RowMatrix& Ws, const RowMatrix& bs) {
    return Weighted(Applied(rings, xs, Ws, bs), dy);
  };
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return f(m, W, b); }, x, dx, 5e-3), kGradientTolerance);
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return f(x, m, b); }, W, dW), kGradientTolerance);
  EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return f(x, W, m); }, b, db), kGradientTolerance);
}

TEST(MeshConv, SameBitsOnAllThreads) {
  const EdgeRings rings = RingsOfMesh(testing::Torus(24, 12));
  const int n = rings.edge_count();
  const RowMatrix x = Noise(n, 3, 1), W = Noise(15, 4, 2), dy = Noise(n, 4, 3);
  EXPECT_TRUE(SameOnAllThreads([&] { return Applied(rings, x, W, RowMatrix()); }));
  EXPECT_TRUE(SameOnAllThreads([&] {
    RowMatrix dx = RowMatrix::Zero(n, 3), dW = RowMatrix::Zero(15, 4);
    Rows dx_rows(dx);
    MeshConvBackward(rings, x, W, dy, &dx_rows, dW, {});
    RowMatrix all = RowMatrix::Zero(n + 15, 4);
    all.topLeftCorner(n, 3) = dx;
    all.bottomRows(15) = dW;
    return all;
  }));
}

}  // namespace
}  // namespace sinew::layers
