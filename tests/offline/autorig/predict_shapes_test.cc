// Blend shapes from the mesh alone, with a network that has learned nothing: their form, and what they do not depend
// on.
#include "sinew/offline/autorig/predict_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/offline/bake/bundle_evaluator.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/deformer/deformer_file.h"
#include "sinew/offline/graphnet/familiarity.h"
#include "tests/support/small_graph_model.h"
#include "tests/support/small_rig.h"
#include "tests/support/temporary_folder.h"

namespace sinew::autorig {
namespace {

using ::testing::HasSubstr;

const ShapeOptions kQuick = {.poses = 8, .shapes = 3, .levels = 2, .steps = 10, .keep_all = true};

// The biped with its own rig, turned: its file's axes are not those of the networks' bodies.
Rig TurnedRig(const Eigen::Quaterniond& turn) {
  Rig rig;
  rig.character = testing::SmallBiped();
  rig.frame.turn = turn.inverse().toRotationMatrix();
  for (Joint& joint : rig.character.skeleton.joints) {
    if (joint.parent >= 0) continue;
    const Eigen::Quaternionf q = turn.cast<float>();
    joint.rest.rotation = ToQuaternion((q * ToEigen(joint.rest.rotation)).normalized());
    joint.rest.translation = ToFloat3(q * ToEigen(joint.rest.translation));
  }
  return rig;
}

class PredictShapesTest : public ::testing::Test {
 protected:
  PredictShapesTest() : body_(testing::SmallBiped(), "biped", {.features = graphnet::Features::kJoints}) {}

  // distance: of the rest pose from what the network is said to have learned, over the limit.
  teach::Teacher TeacherAt(double distance) {
    learn::Model model = testing::SmallGraphModel(body_);
    const int columns = body_.columns();
    graphnet::Familiarity familiarity{std::vector<float>(columns, 0.0F), std::vector<float>(columns * columns, 0.0F),
                                      1};
    for (int c = 0; c < columns; ++c) familiarity.whitening[c * columns + c] = 1;
    const Pose rest = body_.character().skeleton.RestPose();
    familiarity.limit = static_cast<float>(familiarity.FrameDistance(body_, body_.Evaluate(rest).features) / distance);
    graphnet::StoreFamiliarity(familiarity, model);
    learn::WriteModel(model, folder_.path() / "a.model");
    return teach::Teacher({folder_.path() / "a.model"});
  }

  testing::TemporaryFolder folder_;
  graphnet::Body body_;
};

Points DisplacementsOf(const PredictedShapes& shapes, const Pose& pose) {
  return bake::DeformerEvaluator(shapes.hierarchy, shapes.training.deformer, runtime::Precision::kF32)
      .Displacements(pose, shapes.hierarchy.level_count());
}

// A pose in which elbows and knees bend, whatever the root's turn.
Pose Bent(const Skeleton& skeleton) {
  Pose pose = skeleton.RestPose();
  for (const char* name : {"left_elbow", "right_knee", "left_shoulder"}) {
    Transform& joint = pose[skeleton.Find(name)];
    joint.rotation = ToQuaternion(ToEigen(joint.rotation) *
                                  Eigen::Quaternionf(Eigen::AngleAxisf(0.8F, Eigen::Vector3f(0.6F, 0, 0.8F))));
  }
  return pose;
}

TEST_F(PredictShapesTest, EveryJointHasItsOwnShapesAndRestIsKept) {
  const teach::Teacher teacher = TeacherAt(0.5);
  const Rig rig = TurnedRig(Eigen::Quaterniond::Identity());
  const PredictedShapes shapes = PredictShapes(rig, teacher, kQuick, "biped.obj");
  EXPECT_EQ(shapes.asked, kQuick.poses);
  EXPECT_EQ(shapes.settings.at("method"), deformer::kBlendShapes);
  EXPECT_EQ(shapes.settings.at("dataset").at("maker"), "teach");
  ASSERT_EQ(shapes.hierarchy.level_count(), 2);
  for (const deformer::LevelCorrectives& level : shapes.training.deformer.levels) {
    EXPECT_GT(level.regions.size(), 10u);
    for (const deformer::RegionCorrective& region : level.regions) {
      EXPECT_EQ(region.joints.size(), 1u);
      EXPECT_LE(region.modes(), kQuick.shapes);
    }
  }
  const Skeleton& skeleton = rig.character.skeleton;
  EXPECT_EQ(DisplacementsOf(shapes, skeleton.RestPose()).cwiseAbs().maxCoeff(), 0);
  EXPECT_GT(DisplacementsOf(shapes, Bent(skeleton)).cwiseAbs().maxCoeff(), 1e-6);
}

// Networks know bodies that stand upright; shapes of one whose file has other axes are the same.
TEST_F(PredictShapesTest, AxesOfTheFileDoNotMatter) {
  const teach::Teacher teacher = TeacherAt(0.5);
  const Rig upright = TurnedRig(Eigen::Quaterniond::Identity());
  const Rig lying = TurnedRig(Eigen::Quaterniond(Eigen::AngleAxisd(-1.5708, Eigen::Vector3d::UnitX())));
  const PredictedShapes a = PredictShapes(upright, teacher, kQuick, "upright.obj");
  const PredictedShapes b = PredictShapes(lying, teacher, kQuick, "lying.obj");
  const Points of_a = DisplacementsOf(a, Bent(upright.character.skeleton));
  const Points of_b = DisplacementsOf(b, Bent(lying.character.skeleton));
  EXPECT_GT(of_a.norm(), 1e-5);
  // Rounding makes other poses, and few steps other networks.
  EXPECT_LT((of_a - of_b).norm(), 0.3 * of_a.norm());
  EXPECT_NEAR(a.score, b.score, 0.02 * a.score);
}

TEST_F(PredictShapesTest, ThreadsChangeNothing) {
  const teach::Teacher teacher = TeacherAt(0.5);
  const Rig rig = TurnedRig(Eigen::Quaterniond::Identity());
  SetThreads(1);
  const PredictedShapes one = PredictShapes(rig, teacher, kQuick, "biped.obj");
  SetThreads(3);
  const PredictedShapes three = PredictShapes(rig, teacher, kQuick, "biped.obj");
  SetThreads(0);
  EXPECT_EQ(deformer::FormatDeformer(one.training.deformer), deformer::FormatDeformer(three.training.deformer));
}

TEST_F(PredictShapesTest, AStrangerIsRefusedUnlessAllIsKept) {
  const teach::Teacher teacher = TeacherAt(100);
  const Rig rig = TurnedRig(Eigen::Quaterniond::Identity());
  ShapeOptions options = kQuick;
  options.keep_all = false;
  try {
    PredictShapes(rig, teacher, options, "alien.obj");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("alien.obj"));
    EXPECT_THAT(error.what(), HasSubstr("too different"));
    EXPECT_THAT(error.what(), HasSubstr("--keep-all"));
  }
  const PredictedShapes kept = PredictShapes(rig, teacher, kQuick, "alien.obj");
  EXPECT_EQ(kept.beyond, kept.asked);
}

}  // namespace
}  // namespace sinew::autorig
