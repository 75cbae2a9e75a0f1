#include "sinew/offline/skincells/heat_weights.h"

#include <gtest/gtest.h>

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
  // A triangle in front of the sausage: its wall is in the way.
  mesh.positions.conservativeResize(first + 3, 3);
  mesh.positions.bottomRows(3) << 0, 0, 2, 0.1F, 0, 2, 0, 0.1F, 2;
  mesh.triangles.conservativeResize(triangles + 1, 3);
  mesh.triangles.row(triangles) << first, first + 1, first + 2;
  const Eigen::MatrixXd weights = WeightsOf(testing::OnAChain(mesh, 3));
  EXPECT_EQ(weights.bottomRows(3).norm(), 0);
  EXPECT_NEAR(weights.row(0).sum(), 1, 1e-9);
}

}  // namespace
}  // namespace sinew::skincells
