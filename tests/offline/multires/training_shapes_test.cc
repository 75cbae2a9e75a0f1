#include "sinew/offline/multires/training_shapes.h"

#include <gtest/gtest.h>

#include "tests/offline/multires/trained_tube.h"

namespace sinew::multires {
namespace {

using testing::TubeHierarchy;
using testing::TubePoses;

float Apart(const Points& a, const Points& b) { return (a - b).rowwise().norm().maxCoeff(); }

TEST(InverseSkinning, UndoesSkinningWhereItCanBeUndone) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    Eigen::Affine3f M = Eigen::Affine3f::Identity();
    M.linear() = testing::RandomRotation(random, 3).toRotationMatrix() * Eigen::Vector3f(0.3, 1, 1.4).asDiagonal() *
                 testing::RandomRotation(random, 3).toRotationMatrix();
    M.translation() = Eigen::Vector3f(1, 2, 3);
    const Eigen::Vector3f rest(0.5, -1, 2), u(0.1, 0.2, -0.3);
    EXPECT_LT((InverseSkinning(M, rest, M * (rest + u)) - u).norm(), 1e-5);
    // A mesh in centimetres below a node that makes metres of them.
    M.linear() *= 0.01f;
    EXPECT_LT((InverseSkinning(M, 100 * rest, M * (100 * (rest + u)), 0.01f) - 100 * u).norm(), 1e-3);
  }
}

TEST(InverseSkinning, StaysBoundedAndContinuousWhereSkinningCollapses) {
  const Eigen::Vector3f rest(0.5, -1, 2), target(0.7, -1.1, 2.2);
  Eigen::Vector3f last = Eigen::Vector3f::Zero();
  for (int i = 0; i <= 4000; ++i) {
    Eigen::Affine3f M = Eigen::Affine3f::Identity();
    M.linear().diagonal() << 1, 1, static_cast<float>(i) / 4000;
    const Eigen::Vector3f u = InverseSkinning(M, rest, target);
    EXPECT_TRUE(u.allFinite());
    EXPECT_LT(u.norm(), 4.001f * (target - M * rest).norm());
    if (i > 0) {
      EXPECT_LT((u - last).norm(), 0.02);
    }
    last = u;
  }
}

TEST(TruthLevels, TheRestShapeNeedsNoDisplacementOnAnyLevel) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  const TruthLevels truths(hierarchy);
  const Pose rest = hierarchy.levels.back().character.skeleton.RestPose();
  const std::vector<Points> coarsened = truths.Coarsened(truths.skin(3).rest());
  for (int i = 1; i <= 3; ++i) {
    EXPECT_LT(truths.Displacements(i, rest, coarsened[i - 1]).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT(Apart(truths.Truth(i, rest, coarsened[i - 1]), truths.skin(i).rest()), 1e-5);
  }
}

TEST(TruthLevels, DisplacementsLeadToTheTruth) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  const TruthLevels truths(hierarchy);
  for (const Pose& pose : TubePoses(hierarchy, 5, 1)) {
    const std::vector<Points> coarsened = truths.Coarsened(truths.ToPoints(testing::TubeTruth(hierarchy, pose)));
    for (int i = 1; i <= 3; ++i) {
      const Points u = truths.Displacements(i, pose, coarsened[i - 1]), truth = truths.Truth(i, pose, coarsened[i - 1]);
      const std::vector<Eigen::Affine3f> blend = truths.skin(i).Blend(pose);
      for (int p = 0; p < u.rows(); ++p) {
        const Eigen::Vector3f at = blend[p] * Eigen::Vector3f((truths.skin(i).rest().row(p) + u.row(p)).transpose());
        EXPECT_LT((at - truth.row(p).transpose()).norm(), 1e-4);
      }
    }
    // On the finest level they are those that the truth was made with.
    EXPECT_LT(
        Apart(truths.Displacements(3, pose, coarsened[2]), testing::TubeDisplacements(truths.skin(3).rest(), pose)),
        1e-3);
  }
}

}  // namespace
}  // namespace sinew::multires
