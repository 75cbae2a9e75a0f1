// The residual branch: its size, its form, what is read, and that it learns, with libtorch where that is built.
#include "sinew/offline/autorig/residual_branch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sinew/offline/autorig/branch_shapes.h"
#include "sinew/offline/autorig/predict_shapes.h"
#include "sinew/offline/autorig/train_shapes.h"
#include "sinew/offline/bake/bundle_evaluator.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "tests/support/small_rig.h"
#include "tests/support/temporary_folder.h"

namespace sinew::autorig {
namespace {

using ::testing::HasSubstr;

bool TorchIsBuilt() {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return std::filesystem::exists(here / "libsinew_torch.so");
}

const learn::Model& SmallModel() {
  static const learn::Model model =
      testing::UntrainedRigModel(1e9, {.blocks = "paper-small", .offsets = OffsetBlock::kPaper, .by_area = false});
  return model;
}
const RigNetwork& SmallNetwork() {
  static const RigNetwork network(SmallModel(), "rig.model");
  return network;
}
constexpr int kSmallFeatures = 16 + kJoints;  // of "paper-small"

ResidualBranch RandomBranch(MaskKind masks, double size) {
  const layers::DescribedNetwork network(DescribeShapes(kSmallFeatures), "net");
  Random random(7);
  std::vector<float> parameters = network.InitialParameters(random);
  const std::vector<float> coefficients = CoefficientNetworks().InitialParameters(random);
  for (const layers::TensorPlace& place : network.tensors()) {
    if (place.name != "residual2.weight") continue;
    for (size_t k = 0; k < place.size(); ++k) parameters[place.offset + k] *= static_cast<float>(1000 * size);
  }
  parameters.insert(parameters.end(), coefficients.begin(), coefficients.end());
  return {kSmallFeatures, masks, std::move(parameters), Json::object()};
}

Eigen::Quaternionf Turn(float angle, const Eigen::Vector3f& axis) {
  return Eigen::Quaternionf(Eigen::AngleAxisf(angle, axis.normalized()));
}

// A pose in which everything turns, the pelvis too.
Pose Bent(const Skeleton& skeleton, uint64_t seed) {
  Random random(seed);
  Pose pose = skeleton.RestPose();
  for (Transform& joint : pose) {
    const Eigen::Vector3f axis = Eigen::Vector3d{random.Normal(), random.Normal(), random.Normal()}.cast<float>();
    joint.rotation = ToQuaternion(ToEigen(joint.rotation) * Turn(0.4F * static_cast<float>(random.Normal()), axis));
  }
  return pose;
}

layers::RigPose PoseOf(const Eigen::Matrix3f& turn) {
  layers::RigPose pose(kBendingJoints, 9);
  for (int j = 0; j < kBendingJoints; ++j) {
    for (int k = 0; k < 9; ++k) pose(j, k) = turn(k / 3, k % 3);
  }
  return pose;
}

// Those of the published networks.
TEST(ResidualBranch, HasThePapersSize) {
  const layers::DescribedNetwork shapes(DescribeShapes(512 + kJoints), "shapes");
  EXPECT_EQ(shapes.outputs(), 27);
  EXPECT_EQ(shapes.parameter_count(), 720'923u);
  EXPECT_EQ(CoefficientNetworks().parameter_count(), 24'955u);
  const layers::DescribedNetwork paper(DescribeNetwork({"paper", OffsetBlock::kPaper, false}), "paper");
  const Json& layers = paper.description()["layers"];
  for (size_t k = 0; k < layers.size(); ++k) {
    if (layers[k]["name"] == "geometry4.active") {
      EXPECT_EQ(paper.WidthOfLayer(k), 512);
    }
  }
}

// The last layer starts small, so that training starts from the envelope.
TEST(ResidualBranch, StartsNearNothing) {
  const layers::DescribedNetwork network(DescribeShapes(kSmallFeatures), "net");
  Random random(2);
  const std::vector<float> parameters = network.InitialParameters(random);
  float first = 0, last = 0;
  for (const layers::TensorPlace& place : network.tensors()) {
    for (size_t k = 0; k < place.size(); ++k) {
      float& largest = place.name[8] == '1' ? first : last;
      largest = std::max(largest, std::abs(parameters[place.offset + k]));
    }
  }
  EXPECT_GT(first, 0.05F);
  EXPECT_LT(last, 1e-3F);
  EXPECT_GT(last, 1e-6F);
}

TEST(ResidualBranch, CoefficientsAreZeroAtRestAndOfOneJoint) {
  const ResidualBranch branch = RandomBranch(MaskKind::kSharp, 1);
  layers::RigPose pose = PoseOf(Eigen::Matrix3f::Identity());
  EXPECT_EQ(branch.Coefficients(pose).cwiseAbs().maxCoeff(), 0);
  const Eigen::Matrix3f turn = Turn(1, {1, 2, 3}).toRotationMatrix();
  pose.row(5) = PoseOf(turn).row(5);
  const RowMatrix alpha = branch.Coefficients(pose);
  for (int j = 0; j < kBendingJoints; ++j) EXPECT_EQ(alpha.row(j).isZero(0), j != 5) << j;
  EXPECT_THROW(branch.Coefficients(pose.topRows(3)), UsageError);
}

TEST(BendingMasks, FollowTheJointAndTheOneAboveIt) {
  RowMatrix weights = RowMatrix::Zero(4, kJoints);
  const int elbow = 18, wrist = 20, hand = 22;  // left
  weights(0, elbow) = 0.06F;
  weights(1, wrist) = 0.03F;
  weights(2, hand) = 0.04F;
  weights(3, elbow) = 0.04F;
  const RowMatrix sharp = BendingMasks(weights, MaskKind::kSharp), smooth = BendingMasks(weights, MaskKind::kSmooth);
  const auto ones = [](const RowMatrix& masks, int v) {
    std::vector<int> joints;
    for (int j = 1; j < kJoints; ++j) {
      if (masks(v, j - 1) > 0) joints.push_back(j);
    }
    return joints;
  };
  EXPECT_EQ(ones(sharp, 0), (std::vector<int>{elbow, wrist}));  // the wrist hangs from the elbow
  EXPECT_EQ(ones(sharp, 1), (std::vector<int>{wrist}));         // wrists begin at 0.02
  EXPECT_EQ(ones(sharp, 2), (std::vector<int>{}));
  EXPECT_EQ(ones(sharp, 3), (std::vector<int>{wrist}));
  EXPECT_EQ(sharp(0, elbow - 1), 1);
  EXPECT_EQ(ones(smooth, 2), (std::vector<int>{hand}));
  EXPECT_NEAR(smooth(0, elbow - 1), 0.5, 1e-6);
  EXPECT_THROW(MaskOf("round"), UsageError);
}

TEST(ResidualBranch, ComesBackFromItsModel) {
  learn::Model model = SmallModel();
  EXPECT_FALSE(ResidualBranch::Of(model, SmallNetwork(), "rig.model"));
  const ResidualBranch branch = RandomBranch(MaskKind::kSmooth, 1);
  branch.AddTo(model, {{"mm", 1}});
  branch.AddTo(model, {{"mm", 2}});  // in place of the first
  const learn::Model read = learn::DecodeModel(learn::EncodeModel(model), "rig.model");
  const RigNetwork network(read, "rig.model");
  const auto again = ResidualBranch::Of(read, network, "rig.model");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->masks(), MaskKind::kSmooth);
  const layers::RigPose pose = PoseOf(Turn(1, {1, 2, 3}).toRotationMatrix());
  EXPECT_EQ(again->Coefficients(pose), branch.Coefficients(pose));
  EXPECT_EQ((*read.figures)["residual"]["mm"], 2);
}

TEST(ResidualBranch, SaysWhatIsWrongWithAModel) {
  learn::Model good = SmallModel();
  RandomBranch(MaskKind::kSharp, 1).AddTo(good, Json::object());
  const auto error = [](const learn::Model& model) -> std::string {
    try {
      ResidualBranch::Of(model, SmallNetwork(), "rig.model");
    } catch (const InputError& caught) {
      return caught.what();
    }
    return "no error";
  };
  EXPECT_EQ(error(good), "no error");
  const auto with = [&good](const Json& residual) {
    learn::Model model = good;
    Json settings = *model.settings;
    settings["residual"] = residual;
    model.settings = JsonBox(settings);
    return model;
  };
  EXPECT_THAT(error(with({{"masks", "round"}})), HasSubstr("has masks 'round', which there are not"));
  EXPECT_THAT(error(with(3)), HasSubstr("is not an object"));
  EXPECT_THAT(error(with(Json::object())), HasSubstr("masks"));
  for (size_t t = 0; t < good.tensors.size(); ++t) {
    const std::string name = good.tensors[t].name;
    if (name.rfind("residual", 0) != 0) continue;
    learn::Model without = good, longer = good;
    without.tensors.erase(without.tensors.begin() + static_cast<std::ptrdiff_t>(t));
    EXPECT_THAT(error(without), HasSubstr(name));
    longer.tensors[t].shape[0] += 5;
    EXPECT_THAT(error(longer), HasSubstr(name));
  }
}

// The rotations that the branch sees, and skinning in the biped's own space, are those of the character.
TEST(TurnsOfJoints, PoseTheBodyAsItsFileDoes) {
  const Character& biped = testing::SmallBiped();
  const std::array<int, kJoints> joints = FindBipedJoints(biped.skeleton, "biped");
  const WeightedBody body = MakeWeightedBody(biped, "biped");
  const Pose rest = MainBindPose(biped), pose = Bent(biped.skeleton, 4);
  std::vector<int> parents;
  for (const BipedJoint& joint : BipedJoints()) parents.push_back(joint.parent);
  const layers::RigPose turns = TurnsOfJoints(biped.skeleton, joints, rest, pose, Eigen::Matrix3d::Identity());
  const RowMatrix places = body.joints.cast<float>();
  const RowMatrix posed = layers::PoseSurface(parents, body.surface.positions, body.weights, places, turns);
  const Eigen::Affine3f pelvis =
      LocalToModel(biped.skeleton, pose)[joints[0]] * LocalToModel(biped.skeleton, rest)[joints[0]].inverse();
  const Points shape = SkinnedShape(biped, pose);
  double off = 0;
  for (Eigen::Index v = 0; v < shape.rows(); ++v) {
    off = std::max<double>(off, (pelvis * Eigen::Vector3f(posed.row(v).transpose()) - shape.row(v).transpose()).norm());
  }
  EXPECT_LT(off, 1e-4);
  const layers::RigPose still = TurnsOfJoints(biped.skeleton, joints, rest, rest, Eigen::Matrix3d::Identity());
  for (int j = 0; j < kJoints; ++j) {
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(still(j, k), k % 4 == 0 ? 1 : 0, 1e-5);
  }
}

// A body whose elbows and knees swell where they bend.
KnownShapes Swelling(int poses) {
  const Character& biped = testing::SmallBiped();
  KnownShapes shapes;
  for (int k = 0; k < poses; ++k) shapes.poses.push_back(Bent(biped.skeleton, 20 + k));
  shapes.truth = [poses_of = shapes.poses, &biped](int k) {
    const auto joints = FindBipedJoints(biped.skeleton, "biped");
    const WeightedBody body = MakeWeightedBody(biped, "biped");
    const layers::RigPose turns =
        TurnsOfJoints(biped.skeleton, joints, MainBindPose(biped), poses_of[k], Eigen::Matrix3d::Identity());
    Character swollen = biped;
    int row = 0;
    for (Part& part : swollen.parts) {
      for (int v = 0; v < part.mesh.vertex_count(); ++v, ++row) {
        for (const int j : {4, 5, 18, 19}) {
          const float bend = 1 - turns(j, 0);
          part.mesh.positions.row(v) *= 1 + 0.2F * bend * body.weights(row, j);
        }
      }
    }
    return SkinnedShape(swollen, poses_of[k]);
  };
  return shapes;
}

ShapedBody SmallShapedBody(const KnownShapes& shapes, MaskKind masks = MaskKind::kSharp) {
  return MakeShapedBody(testing::SmallBiped(), shapes, SmallNetwork(), {.masks = masks, .vertices = 400}, 2, "biped");
}

// What the envelope leaves at rest is nothing: the truth is the surface there.
TEST(ShapedBody, IsRightAtRest) {
  const Character& biped = testing::SmallBiped();
  KnownShapes shapes{{MainBindPose(biped)}, [&](int) { return SkinnedShape(biped, MainBindPose(biped)); }};
  const ShapedBody body = SmallShapedBody(shapes);
  ASSERT_EQ(body.poses.size(), 1u);
  EXPECT_LT(body.poses[0].off.cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_EQ(body.features.cols(), kSmallFeatures);
  EXPECT_EQ(body.features.rows(), body.edges->count());
}

TrainShapesOptions SmallOptions() {
  TrainShapesOptions options;
  options.poses = 4;
  options.run.steps = 80;
  options.run.batch = 1;
  options.run.rate = 5e-4;
  options.run.threads = 1;
  return options;
}

TEST(TrainShapes, LowersTheErrorOfTheEnvelope) {
  if (!TorchIsBuilt()) GTEST_SKIP() << "libsinew_torch.so is not built";
  const std::vector<ShapedBody> bodies = {SmallShapedBody(Swelling(6))};
  const testing::TemporaryFolder folder;
  const auto train = [&](const TrainShapesOptions& options) {
    return TrainShapes(bodies, bodies, options, "hash", folder.path() / "a.state", false);
  };
  TrainShapesOptions options = SmallOptions();
  const TrainedShapes trained = train(options);
  EXPECT_TRUE(trained.finished);
  EXPECT_GT(trained.training.envelope, 1e-4);
  EXPECT_LT(trained.training.shapes, 0.8 * trained.training.envelope);
  // Threads change no bit.
  options.run.steps = 5;
  const TrainedShapes one = train(options);
  options.run.threads = 2;
  EXPECT_EQ(one.state.parameters, train(options).state.parameters);
}

TEST(TrainShapes, GoesOnToTheSameBits) {
  if (!TorchIsBuilt()) GTEST_SKIP() << "libsinew_torch.so is not built";
  const std::vector<ShapedBody> bodies = {SmallShapedBody(Swelling(3), MaskKind::kSmooth)};
  const testing::TemporaryFolder folder;
  TrainShapesOptions options = SmallOptions();
  options.masks = MaskKind::kSmooth;
  options.run.steps = 6;
  const auto checkpoint = folder.path() / "a.state";
  const TrainedShapes whole = TrainShapes(bodies, bodies, options, "hash", checkpoint, false);
  options.run.minutes = 1e-9;
  TrainedShapes part = TrainShapes(bodies, bodies, options, "hash", checkpoint, false);
  EXPECT_FALSE(part.finished);
  while (!part.finished) part = TrainShapes(bodies, bodies, options, "hash", checkpoint, true);
  EXPECT_EQ(part.state.parameters, whole.state.parameters);
  EXPECT_THROW(TrainShapes(bodies, bodies, options, "another network", checkpoint, true), InputError);
}

// The biped with its own rig as that of a file with other axes.
Rig TurnedRig(const Eigen::Quaternionf& turn) {
  Rig rig;
  rig.character = testing::SmallBiped();
  rig.frame.turn = turn.inverse().toRotationMatrix().cast<double>();
  for (Joint& joint : rig.character.skeleton.joints) {
    if (joint.parent >= 0) continue;
    joint.rest.rotation = ToQuaternion((turn * ToEigen(joint.rest.rotation)).normalized());
    joint.rest.translation = ToFloat3(turn * ToEigen(joint.rest.translation));
  }
  return rig;
}

TEST(BranchShapes, AddNothingAtRestAndTurnWithTheFile) {
  const ResidualBranch branch = RandomBranch(MaskKind::kSmooth, 0.05);
  const Rig rig = TurnedRig(Eigen::Quaternionf::Identity());
  const BranchShapes shapes(rig.character, rig.frame.turn, SmallNetwork(), branch, 1, "biped");
  const Pose rest = MainBindPose(rig.character);
  EXPECT_LT(shapes.Added(rest).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((shapes.Shape(rest) - SkinnedShape(rig.character, rest)).cwiseAbs().maxCoeff(), 1e-6);
  const Pose pose = Bent(rig.character.skeleton, 4);
  const float size = shapes.Added(pose).rowwise().norm().maxCoeff();
  EXPECT_GT(size, 1e-3F);
  EXPECT_GT((shapes.Shape(pose) - SkinnedShape(rig.character, pose)).rowwise().norm().maxCoeff(), 0.5F * size);
}

TEST(BranchShapes, BecomeADeformer) {
  const ResidualBranch branch = RandomBranch(MaskKind::kSmooth, 0.05);
  const Rig rig = TurnedRig(Eigen::Quaternionf::Identity());
  const ShapeOptions quick = {.poses = 24, .shapes = 3, .levels = 2, .steps = 50};
  const PredictedShapes predicted = PredictShapes(rig, SmallNetwork(), branch, quick, "biped");
  EXPECT_EQ(predicted.asked, quick.poses);
  const bake::DeformerEvaluator evaluator(predicted.hierarchy, predicted.training.deformer, runtime::Precision::kF32);
  const int finest = predicted.hierarchy.level_count();
  EXPECT_LT(evaluator.Displacements(MainBindPose(rig.character), finest).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_GT(evaluator.Displacements(Bent(rig.character.skeleton, 4), finest).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LT(predicted.training.levels.back().after_basis, 0.8 * predicted.training.levels.back().residual);
}

}  // namespace
}  // namespace sinew::autorig
