#include "sinew/offline/autorig/supervision.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numeric>

#include "sinew/offline/autorig/augmentation.h"
#include "sinew/offline/core/error.h"
#include "tests/support/small_rig.h"

namespace sinew::autorig {
namespace {

Eigen::Matrix3f TurnOf(const std::vector<float>& poses, int pose, int joint) {
  using Row = Eigen::Matrix<float, 3, 3, Eigen::RowMajor>;
  return Eigen::Map<const Row>(poses.data() + 9 * (pose * kJoints + joint));
}

TEST(DrawPoses, TurnsAllButTheRootThenTheEndsAlone) {
  Random random(1), again(1);
  const std::vector<float> poses = DrawPoses(random);
  ASSERT_EQ(poses.size(), size_t{2 * 9 * kJoints});
  EXPECT_EQ(poses, DrawPoses(again));
  int turned = 0;
  for (int pose = 0; pose < 2; ++pose) {
    for (int j = 0; j < kJoints; ++j) {
      const Eigen::Matrix3f turn = TurnOf(poses, pose, j);
      EXPECT_LT((turn * turn.transpose() - Eigen::Matrix3f::Identity()).norm(), 1e-5);
      EXPECT_GT(turn.determinant(), 0);
      const bool turns = !turn.isIdentity(1e-6f);
      EXPECT_TRUE(j > 0 || !turns);
      EXPECT_TRUE(pose == 1 || turns || j == 0);
      if (pose == 1 && turns) ++turned;
    }
  }
  EXPECT_EQ(turned, 5);  // head, hands and feet
}

TEST(DrawPoses, AnglesAreThoseOfThePaper) {
  double squares = 0;
  int count = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const std::vector<float> poses = DrawPoses(random);
    for (int j = 1; j < kJoints; ++j, ++count) {
      const double angle = Eigen::AngleAxisf(TurnOf(poses, 0, j)).angle();
      squares += angle * angle;
    }
  }
  EXPECT_NEAR(std::sqrt(squares / count) * 180 / M_PI, 30, 1);
}

TEST(MakeRigRun, HasWhatTheChoiceSays) {
  const VoteScaling scaling;
  EXPECT_FALSE(MakeRigRun({}, scaling));
  const auto made = [&](const LossChoice& choice) { return *MakeRigRun(choice, scaling); };
  const layers::RigRun direct = made({.squared = true}), indirect = made({.supervision = Supervision::kIndirect}),
                       both = made({.supervision = Supervision::kBoth}), four = made({.influences = 4});
  EXPECT_TRUE(direct.alone && indirect.alone && !both.alone && !four.alone);
  EXPECT_TRUE(direct.loss.poses.empty() && direct.loss.weights > 0 && direct.loss.offsets > 0);
  EXPECT_TRUE(indirect.loss.poses.size() == 2 && indirect.loss.weights == 0 && indirect.loss.offsets == 0);
  EXPECT_GT(indirect.loss.root, 0);
  EXPECT_EQ(four.loss.influences, 4);
  EXPECT_GT(four.loss.weights, 0);
  Random random(1);
  EXPECT_EQ(both.draw(random).size(), both.loss.poses.size() * kJoints * 9);
}

// The loss of a body's own rig is zero but for what a mean over the edges of a vertex changes.
TEST(MakeRigRun, TheTrueRigOfABodyHasLittleLoss) {
  const Example example = ExampleMaker(MakeWeightedBody(testing::SmallBiped(), "biped")).Make(UprightStance(), 5);
  const VoteScaling scaling = FitVotes({&example.joints});
  layers::RigRun run = *MakeRigRun({.supervision = Supervision::kBoth, .squared = true}, scaling);
  const auto vertices = static_cast<int>(example.surface.positions.rows());
  const layers::RigTruth truth = {example.input.edges->ends, example.surface.positions, *example.vertex_weights,
                                  VertexShares(example.input, vertices, true), example.joints.cast<float>()};
  EXPECT_NEAR(std::accumulate(truth.shares.begin(), truth.shares.end(), 0.0), 1, 1e-4);
  const std::vector<float> places = PlacesOf(example.joints, scaling);
  RowMatrix answer(example.weights->rows(), kOffsetAnswerColumns);
  answer.leftCols(kJoints) = *example.weights;
  for (int k = 0; k < kPlaceColumns; ++k) answer.col(kJoints + k).setConstant(places[k]);
  Random random(2);
  const std::vector<float> drawn = run.draw(random);
  std::vector<layers::RigPose> poses;
  for (size_t p = 0; p < run.loss.poses.size(); ++p) {
    poses.emplace_back(Eigen::Map<const RowMatrix>(drawn.data() + p * kJoints * 9, kJoints, 9));
  }
  const double right = layers::RigLoss(run.loss, truth, answer, poses);
  answer.col(kJoints + 3 * 18 + 1).array() += 0.05f / static_cast<float>(scaling.deviation);  // an elbow, by 5%
  EXPECT_LT(right, 0.05);
  EXPECT_GT(layers::RigLoss(run.loss, truth, answer, poses), right + 0.01);
}

TEST(Augmentation, NamesGoThereAndBack) {
  EXPECT_EQ(NamesOf(Augmentation{}), AugmentationNames());
  EXPECT_EQ(NamesOf(AugmentationOf({"dress", "meshes"})), (std::vector<std::string>{"meshes", "dress"}));
  EXPECT_TRUE(NamesOf(AugmentationOf({"none"})).empty());
  EXPECT_THROW(AugmentationOf({"dresses"}), UsageError);
  EXPECT_EQ(TrainingStances(AugmentationOf({"none"})).arms_down, 0);
  EXPECT_EQ(TrainingStances(AugmentationOf({"none"})).proportions, 0);
  EXPECT_GT(TrainingStances(AugmentationOf({"proportions"})).proportions, 0);
  EXPECT_GT(ValidationStances({}).arms_down, 0);
}

// A body on the mesh that was made for another one with the same triangles has its own shape.
TEST(Remesh, CarriesAMeshOver) {
  const WeightedBody body = MakeWeightedBody(testing::SmallBiped(), "biped");
  const WorkingSurface working = MakeWorkingSurface(body.surface, 800, 3, "biped");
  WeightedBody wider = body;
  wider.surface.positions.col(0) *= 1.5f;
  const WeightedBody one = Remesh(body, working), other = Remesh(wider, working);
  EXPECT_EQ(one.surface.triangles, other.surface.triangles);
  EXPECT_EQ(one.weights, other.weights);
  EXPECT_LT((one.surface.positions.col(0) * 1.5f - other.surface.positions.col(0)).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_LT((one.weights.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-4);
}

}  // namespace
}  // namespace sinew::autorig
