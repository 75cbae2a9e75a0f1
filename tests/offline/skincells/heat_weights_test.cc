#include "sinew/offline/skincells/heat_weights.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/skin_subjects.h"

namespace sinew::skincells {
namespace {

Eigen::MatrixXd WeightsOf(const Character& character) {
  const Subject subject = MakeSubject(character, "sausage");
  const SurfaceQuery query(subject.surface);
  return HeatWeights(subject, FindBones(subject, query), query);
}

TEST(HeatWeights, AreSharesThatFollowTheNearestBone) {
  const Character character = testing::OnAChain(testing::Sausage(), 3);
  const Eigen::MatrixXd weights = WeightsOf(character);
  const Points& positions = character.parts[0].mesh.positions;
  Eigen::Index lowest, highest;
  positions.col(1).minCoeff(&lowest);
  positions.col(1).maxCoeff(&highest);
  for (Eigen::Index v = 0; v < weights.rows(); ++v) {
    EXPECT_GE(weights.row(v).minCoeff(), 0);
    EXPECT_NEAR(weights.row(v).sum(), 1, 1e-9);
  }
  EXPECT_GT(weights(lowest, 0), 0.9);
  EXPECT_GT(weights(highest, weights.cols() - 1), 0.9);
}

TEST(HeatWeights, AreSmoothAlongTheBody) {
  const Character character = testing::OnAChain(testing::Sausage(14, 40), 2);
  const Eigen::MatrixXd weights = WeightsOf(character);
  const TriMesh& mesh = character.parts[0].mesh;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.triangles(t, k), b = mesh.triangles(t, (k + 1) % 3);
      EXPECT_LT((weights.row(a) - weights.row(b)).cwiseAbs().sum(), 1);
    }
  }
}

TEST(HeatWeights, AnIslandThatSeesNoBoneHasNone) {
  TriMesh mesh = testing::Sausage();
  const int first = mesh.vertex_count(), triangles = mesh.triangle_count();
  // A triangle in front of the sausage and one behind it, which keeps the chain in its middle: walls are in the way.
  mesh.positions.conservativeResize(first + 6, 3);
  mesh.positions.bottomRows(6) << 0.05F, 0.03F, 2, 0.15F, 0.04F, 2, 0.06F, 0.13F, 2,  //
      -0.05F, -0.03F, -2, -0.15F, -0.04F, -2, -0.06F, -0.13F, -2;
  mesh.triangles.conservativeResize(triangles + 2, 3);
  mesh.triangles.bottomRows(2) << first, first + 1, first + 2, first + 3, first + 4, first + 5;
  const Character character = testing::OnAChain(mesh, 3);
  const Eigen::MatrixXd weights = WeightsOf(character);
  const TriMesh surface = MakeSubject(character, "sausage").surface;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    EXPECT_NEAR(weights.row(v).sum(), std::abs(surface.positions(v, 2)) > 1 ? 0 : 1, 1e-9) << v;
  }
}

}  // namespace
}  // namespace sinew::skincells
