#include "sinew/offline/learn/layers/rig_loss.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "tests/offline/learn/layers/layer_checks.h"
#include "tests/offline/learn/layers/small_rig_loss.h"

namespace sinew::layers {
namespace {

TEST(RigLoss, TheTrueRigHasNone) {
  const SmallRig rig;
  const RowMatrix answer = rig.TrueAnswer();
  EXPECT_LT(RigLoss(rig.options, rig.truth, answer, rig.poses), 1e-9);
  RowMatrix gradient;
  RigLoss(rig.options, rig.truth, answer, rig.poses, &gradient);
  EXPECT_LT(gradient.cwiseAbs().maxCoeff(), 1e-4);
}

// Every part by itself, and all together: each of them sees an error.
TEST(RigLoss, GradientsAreRight) {
  for (int part = 0; part < 6; ++part) {
    SCOPED_TRACE(part);
    SmallRig rig;
    if (part < 4) rig.options.weights = rig.options.offsets = rig.options.root = 0, rig.options.poses = {0, 0};
    if (part == 0) rig.options.weights = 2;
    if (part == 1) rig.options.offsets = 3;
    if (part == 2) rig.options.root = 2;
    if (part == 3) rig.options.poses = {1, 5};
    if (part == 5) rig.options.influences = 2;
    const RowMatrix answer = rig.OtherAnswer();
    RowMatrix gradient;
    EXPECT_GT(RigLoss(rig.options, rig.truth, answer, rig.poses, &gradient), 1e-3);
    const auto f = [&](const RowMatrix& m) { return RigLoss(rig.options, rig.truth, m, rig.poses); };
    EXPECT_LT(FloatGradientError(f, answer, gradient, 1e-3), kGradientTolerance);
  }
}

// Poses show where joints are, but for the root's place, which never turns.
TEST(RigLoss, PosesDoNotShowTheRoot) {
  SmallRig rig;
  rig.options.weights = rig.options.offsets = rig.options.root = 0;
  const auto with_moved = [&](int joint) {
    RowMatrix answer = rig.TrueAnswer();
    answer.col(rig.options.joints() + 3 * joint).array() += 0.5f;
    return RigLoss(rig.options, rig.truth, answer, rig.poses);
  };
  EXPECT_LT(with_moved(0), 1e-9);
  for (int joint = 1; joint < rig.options.joints(); ++joint) EXPECT_GT(with_moved(joint), 1e-5) << joint;
  rig.options.root = 1;
  EXPECT_GT(with_moved(0), 1e-3);
}

TEST(RigLoss, WeakWeightsDoNotCount) {
  SmallRig rig;
  rig.options.poses = {0, 0};
  rig.options.offsets = rig.options.root = 0;
  rig.options.influences = 1;
  rig.truth.weights.setZero();
  rig.truth.weights.col(1).setOnes();
  RowMatrix answer = rig.TrueAnswer();
  const int joints = rig.options.joints();
  answer.leftCols(joints).setConstant(0.4f / static_cast<float>(joints - 1));
  answer.col(1).setConstant(0.6f);
  EXPECT_LT(RigLoss(rig.options, rig.truth, answer, rig.poses), 1e-9);
  rig.options.influences = 0;
  EXPECT_GT(RigLoss(rig.options, rig.truth, answer, rig.poses), 0.1);
}

// A joint that turns moves what hangs from it about its own place, and nothing else.
TEST(PoseSurface, TurnsAboutTheJoint) {
  const std::vector<int> parents = {-1, 0, 1};
  RowMatrix joints(3, 3), points(3, 3), weights = RowMatrix::Identity(3, 3);
  joints << 0, 0, 0, 1, 0, 0, 2, 0, 0;
  points << 0.5f, 0, 0, 1.5f, 0, 0, 2.5f, 0, 0;
  RigPose pose(3, 9);
  for (int j = 0; j < 3; ++j) pose.row(j) << 1, 0, 0, 0, 1, 0, 0, 0, 1;
  pose.row(1) << 0, -1, 0, 1, 0, 0, 0, 0, 1;  // a quarter about z
  RowMatrix expected(3, 3);
  expected << 0.5f, 0, 0, 1, 0.5f, 0, 1, 1.5f, 0;
  EXPECT_LT((PoseSurface(parents, points, weights, joints, pose) - expected).cwiseAbs().maxCoeff(), 1e-6);
}

}  // namespace
}  // namespace sinew::layers
