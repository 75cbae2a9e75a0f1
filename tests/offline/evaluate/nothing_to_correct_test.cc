// A character of rigid pieces: its truth is skinning itself, and everything from training to fronts must work to the
// end with nothing to learn.
#include <gtest/gtest.h>

#include "sinew/offline/bake/bake_character.h"
#include "sinew/offline/bake/bundle_evaluator.h"
#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/dataset/training_frames.h"
#include "sinew/offline/deformer/deformer_file.h"
#include "sinew/offline/evaluate/bundle_method.h"
#include "sinew/offline/evaluate/evaluation_page.h"
#include "sinew/offline/evaluate/evaluation_text.h"
#include "sinew/offline/evaluate/fronts.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/multires/train_dataset.h"
#include "tests/support/datasets.h"
#include "tests/support/mesh_families.h"
#include "tests/support/skinned_mesh.h"
#include "tests/support/temporary_folder.h"

namespace sinew::evaluate {
namespace {

// Three balls in a row, each of which follows one joint.
Character Robot() {
  std::vector<TriMesh> balls;
  for (int k = 0; k < 3; ++k) {
    balls.push_back(testing::Sphere(20, 14));
    balls.back().positions.col(1).array() += 2.2f * static_cast<float>(k);
  }
  Character robot = testing::SkinnedMesh(balls);
  for (size_t k = 0; k < robot.parts.size(); ++k) {
    SkinWeights& weights = robot.parts[k].weights;
    weights.influences = 1;
    weights.joints.assign(robot.parts[k].mesh.vertex_count(), static_cast<uint16_t>(k));
    weights.weights.assign(robot.parts[k].mesh.vertex_count(), 1.0f);
  }
  return robot;
}

class NothingToCorrect : public ::testing::Test {
 protected:
  NothingToCorrect() {
    stored_.character = Robot();
    stored_.file = gltf::EncodeGlb(stored_.character);
    const std::string hash = HashHex(stored_.file);
    stored_.entry = {.name = "robot",
                     .file = "characters/" + hash + ".glb",
                     .hash = hash,
                     .vertices = stored_.character.vertex_count(),
                     .joints = stored_.character.skeleton.joint_count()};
    hierarchy_ = lod::BuildHierarchy(stored_.character, "robot.glb", {.points = {200}, .regions = 6});
  }

  dataset::Dataset Write(const char* name, uint64_t seed) const {
    const dataset::PoseSequence sequence = testing::TestSequence(stored_.character.skeleton, 5, seed);
    {
      dataset::DatasetWriter writer(folder_ / name, dataset::StartManifest(stored_, sequence, {{"maker", "test"}}),
                                    {{stored_.entry.file, stored_.file}});
      dataset::MakeFrames(writer, sequence, {0, sequence.frame_count()}, {.label = "test"}, [&](int i) {
        dataset::FrameTruth frame;
        frame.shape.resize(stored_.entry.vertices, 3);
        Eigen::Index first = 0;
        for (const PosedPart& part : PoseCharacter(stored_.character, sequence.poses[i]).parts) {
          frame.shape.middleRows(first, part.positions.rows()) = part.positions;
          first += part.positions.rows();
        }
        return frame;
      });
    }
    return dataset::Dataset(folder_ / name);
  }

  testing::TemporaryFolder folder_;
  dataset::StoredCharacter stored_;
  lod::Hierarchy hierarchy_;
};

TEST_F(NothingToCorrect, TrainsBakesAndEvaluatesToTheEnd) {
  const dataset::Dataset training = Write("training.dataset", 1), test = Write("test.dataset", 2);
  const dataset::TrainingFrames frames = dataset::FramesOf(test, hierarchy_);
  ASSERT_EQ(frames.roles.size(), static_cast<size_t>(stored_.entry.vertices));
  for (const Role role : frames.roles) EXPECT_EQ(role, Role::kRigid);

  for (const bool single_level : {false, true}) {
    // Training finds no displacement that is more than rounding, and so no networks.
    multires::TrainOptions options;
    options.single_level = single_level;
    const multires::TrainedDataset trained =
        multires::TrainDataset(folder_ / "robot.deformer", hierarchy_, training, options, false);
    EXPECT_TRUE(trained.training.nothing_to_correct());
    EXPECT_EQ(trained.training.epsilon, multires::kSmallestEpsilon);
    const deformer::TrainedCharacter read = deformer::ReadDeformer(folder_ / "robot.deformer");

    // The bundle adds nothing to skinning, in every precision and within a size.
    for (const runtime::Precision precision :
         {runtime::Precision::kF32, runtime::Precision::kF16, runtime::Precision::kI8}) {
      const bake::BakedCharacter baked =
          bake::BakeCharacter(read.hierarchy, read.deformer, {.precision = precision}, "robot");
      EXPECT_EQ(baked.modes, 0);
      EXPECT_EQ(bake::Displacements(baked.baked.bundle, frames.poses[0], 2).cwiseAbs().maxCoeff(), 0);
      const std::vector<Method> methods = {BundleMethod("sinew", baked.baked.bundle, hierarchy_, "robot")};
      const Evaluation evaluation = EvaluateMethods(hierarchy_, frames, methods);
      for (int i = 1; i <= evaluation.level_count(); ++i) {
        EXPECT_EQ(evaluation.SoftShare(i), 0);
        EXPECT_LE(evaluation.errors[0][i - 1].rms, evaluation.exact());
        EXPECT_LE(evaluation.errors[1][i - 1].rms, evaluation.exact());
        EXPECT_EQ(evaluation.errors[1][i - 1].worse_frames, 0);
      }
      EXPECT_EQ(CountFaded(baked.baked.bundle, frames.poses), 0);
      EXPECT_TRUE(TestLayers(hierarchy_, frames, methods).empty());
      report::Page page("robot", "exact");
      AddEvaluation({.hierarchy = &hierarchy_,
                     .frames = &frames,
                     .evaluation = &evaluation,
                     .methods = methods,
                     .worst_frames = 0},
                    page);
      EXPECT_NE(page.Html().find(">exact</td>"), std::string::npos);
      EXPECT_EQ(page.Html().find("nan"), std::string::npos);
    }
  }
}

TEST_F(NothingToCorrect, FrontsAreComparedToTheEndAndLeaveOutRatios) {
  const dataset::Dataset training = Write("training.dataset", 1), test = Write("test.dataset", 2);
  FrontsOptions options;
  options.rounds = 1;
  options.epsilons = {2e-5};
  options.precisions = {runtime::Precision::kI8};
  const FrontsComparison fronts = CompareFronts({hierarchy_}, training, test, options, folder_ / "partial");
  EXPECT_TRUE(fronts.nothing_to_correct());
  EXPECT_TRUE(RatiosOf(fronts).empty());
  const Json json = FrontsJson(fronts, 1000);
  EXPECT_TRUE(json.at("nothing_to_correct").get<bool>());
  EXPECT_TRUE(json.at("bundles")[0].at("of_linear_blend").is_null());
  EXPECT_NE(FrontsText(fronts, 1000).find("nothing to correct"), std::string::npos);
  FrontsPlot(fronts, FrontsCost::kMemory, 1000);
}

}  // namespace
}  // namespace sinew::evaluate
