#include "sinew/offline/autorig/weight_refiner.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "sinew/offline/autorig/example.h"
#include "sinew/offline/autorig/train_weights.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/learn/share_network.h"
#include "tests/support/small_recipes.h"
#include "tests/support/small_rig.h"
#include "tests/support/temporary_folder.h"

namespace sinew::autorig {
namespace {

namespace fs = std::filesystem;

// The body in a stance with arms down, no two joints' axes along those of the model.
const WeightedBody& Body() {
  static const WeightedBody body = Stand(MakeWeightedBody(testing::SmallBiped(), "biped"), TrainingStances(), 5);
  return body;
}

// A refiner that changes weights a lot, by numbers that mean nothing.
WeightRefiner Wild() {
  const learn::NetworkShape shape{kWeightInputs, 16, kJoints};
  Random random(3);
  std::vector<float> parameters(learn::ShareParameterCount(shape));
  for (float& parameter : parameters) parameter = static_cast<float>(0.3 * random.Normal());
  return WeightRefiner(learn::ShareNetwork(shape, parameters.data()));
}

RowMatrix MirrorImage(const RowMatrix& weights) {
  RowMatrix image(weights.rows(), kJoints);
  for (int j = 0; j < kJoints; ++j) image.col(j) = weights.col(BipedJoints()[j].mirrored);
  return image;
}

TEST(WeightRefiner, SharesSumToOneAndAreNotNegative) {
  const RowMatrix refined = Wild().Refine(Body().surface, Body().joints, Body().weights);
  EXPECT_GT((refined - Body().weights).cwiseAbs().maxCoeff(), 0.1);
  EXPECT_GE(refined.minCoeff(), 0);
  EXPECT_LT((refined.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-5);
}

TEST(WeightRefiner, ForgetsWhereTheBodyStandsAndHowLargeItIs) {
  TriMesh surface = Body().surface;
  JointPositions joints = Body().joints;
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(2, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  const auto move = [&](const Eigen::Vector3d& p) -> Eigen::RowVector3d {
    return (170 * (turn * p) + Eigen::Vector3d(30, -20, 10)).transpose();
  };
  for (int v = 0; v < surface.vertex_count(); ++v) {
    surface.positions.row(v) = move(surface.positions.row(v).transpose().cast<double>()).cast<float>();
  }
  for (int j = 0; j < kJoints; ++j) joints.row(j) = move(joints.row(j).transpose());
  const RowMatrix here = Wild().Refine(Body().surface, Body().joints, Body().weights);
  const RowMatrix there = Wild().Refine(surface, joints, Body().weights);
  // Rays that meet an edge or not may differ.
  EXPECT_LT((here - there).cwiseAbs().rowwise().sum().mean(), 1e-3);
}

TEST(WeightRefiner, MirrorImagesGetMirrorImages) {
  TriMesh image = Body().surface;
  image.positions.col(0) *= -1;
  image.triangles.col(1).swap(image.triangles.col(2));
  JointPositions joints;
  for (int j = 0; j < kJoints; ++j) {
    joints.row(j) = Body().joints.row(BipedJoints()[j].mirrored).cwiseProduct(Eigen::RowVector3d(-1, 1, 1));
  }
  const RowMatrix here = Wild().Refine(Body().surface, Body().joints, Body().weights);
  const RowMatrix there = Wild().Refine(image, joints, MirrorImage(Body().weights));
  EXPECT_LT((MirrorImage(here) - there).cwiseAbs().rowwise().sum().mean(), 1e-3);
}

TEST(WeightRefiner, IsKeptByItsModel) {
  learn::Model model = testing::UntrainedRigModel(1e9);
  EXPECT_FALSE(RigNetwork(model, "rig.model").weight_refiner().is_trained());
  const size_t tensors = model.tensors.size();
  Wild().Store(model);
  Wild().Store(model);
  EXPECT_EQ(model.tensors.size(), tensors + 6);
  const RigNetwork read(learn::DecodeModel(learn::EncodeModel(model), "rig.model"), "rig.model");
  EXPECT_EQ(read.weight_refiner().Refine(Body().surface, Body().joints, Body().weights),
            Wild().Refine(Body().surface, Body().joints, Body().weights));
  for (const char* name : {"weight_refiner.W1", "weight_refiner.b3"}) {
    learn::Model damaged = model;
    for (learn::Tensor& tensor : damaged.tensors) {
      if (tensor.name == name) tensor.values.pop_back(), tensor.shape = {static_cast<int>(tensor.values.size())};
    }
    EXPECT_THROW(RigNetwork(damaged, "rig.model"), InputError);
  }
  std::erase_if(model.tensors, [](const learn::Tensor& tensor) { return tensor.name == "weight_refiner.W3"; });
  EXPECT_THROW(RigNetwork(model, "rig.model"), InputError);
}

TEST(WeightRefiner, UntrainedOrWithoutASkeletonItLeavesWeightsAsTheyAre) {
  EXPECT_EQ(WeightRefiner().Refine(Body().surface, Body().joints, Body().weights), Body().weights);
  EXPECT_EQ(Wild().Refine(Body().surface, JointPositions::Zero(), Body().weights), Body().weights);
}

TEST(TrainWeights, LearnsWhereWeightsBelongWithAnyNumberOfThreads) {
  const testing::TemporaryFolder folder;
  corpus::WriteSmallBodies(folder.path(), 3);
  const fs::path file = folder / "small.toml";
  const corpus::Recipe recipe = corpus::ParseRecipe(corpus::SmallRecipe(3), file);
  const ExampleSource bodies(recipe, file.string(), corpus::Side::kTrain);
  // The network has learned nothing, and its joints mean little: what is known of other stances comes from the refiner.
  const RigNetwork network(testing::UntrainedRigModel(1e9), "rig.model");
  TrainWeightsOptions options;
  options.stances = 2;
  options.places = 400;
  options.width = 24;
  options.steps = 600;
  options.batch = 130;
  SetThreads(1);
  const TrainedWeights one = TrainWeights(bodies, bodies, network, options);
  SetThreads(3);
  const TrainedWeights three = TrainWeights(bodies, bodies, network, options);
  SetThreads(0);
  EXPECT_GT(one.before, 1);
  EXPECT_LT(one.after, 0.9 * one.before);
  EXPECT_EQ(one.after, three.after);
  EXPECT_EQ(one.refiner.Refine(Body().surface, Body().joints, Body().weights),
            three.refiner.Refine(Body().surface, Body().joints, Body().weights));
}

}  // namespace
}  // namespace sinew::autorig
