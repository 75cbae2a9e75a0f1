#include "sinew/offline/bodies/scale_bones.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/character/bind_pose.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/self_intersection.h"
#include "tests/offline/bodies/small_biped.h"
#include "tests/support/robots.h"
#include "tests/support/same_character.h"
#include "tests/support/test_character.h"

namespace sinew::bodies {
namespace {

Eigen::Vector3f PlaceOf(const Character& character, const std::string& joint) {
  const auto frames = LocalToModel(character.skeleton, character.skeleton.RestPose());
  return frames[character.skeleton.Find(joint)].translation();
}

double Length(const Character& character, const std::string& from, const std::string& to) {
  return (PlaceOf(character, from) - PlaceOf(character, to)).norm();
}

TEST(ScaleBones, ScalesLengthsAndStaysOnTheGround) {
  const Character biped = SmallBiped();
  BoneScales scales;
  scales.factors.assign(biped.skeleton.joint_count(), 1);
  const auto set = [&](const char* name, double factor) { scales.factors[biped.skeleton.Find(name)] = factor; };
  set("left_hip", 1.4), set("right_hip", 1.4), set("left_elbow", 0.7), set("neck", 1.1);
  const Character scaled = ScaleBones(biped, scales);
  EXPECT_NEAR(Length(scaled, "left_hip", "left_knee") / Length(biped, "left_hip", "left_knee"), 1.4, 1e-5);
  EXPECT_NEAR(Length(scaled, "left_elbow", "left_wrist") / Length(biped, "left_elbow", "left_wrist"), 0.7, 1e-5);
  EXPECT_NEAR(Length(scaled, "right_elbow", "right_wrist") / Length(biped, "right_elbow", "right_wrist"), 1, 1e-5);
  EXPECT_NEAR(Length(scaled, "neck", "head") / Length(biped, "neck", "head"), 1.1, 1e-5);
  const auto lowest = [](const Character& c) { return c.parts[0].mesh.positions.col(1).minCoeff(); };
  EXPECT_NEAR(lowest(scaled), lowest(biped), 1e-6);
  EXPECT_EQ(scaled.parts[0].mesh.triangles, biped.parts[0].mesh.triangles);
  // Skinning at rest shows the mesh as it is: skeleton, bind matrices and mesh were scaled alike.
  const Points rest = SkinnedShape(scaled, scaled.skeleton.RestPose());
  EXPECT_LT((rest - scaled.parts[0].mesh.positions).cwiseAbs().maxCoeff(), 1e-5F);
  EXPECT_EQ(CompareRestWithBind(scaled, 0, 1.7).moved, 0);
}

// The skin of a heel follows the shin a little: it must not be stretched below the rest of the sole.
TEST(ScaleBones, SolesStayFlatOnTheGround) {
  const Character biped = SmallBiped();
  for (const double factor : {0.7, 1.4}) {
    BoneScales scales;
    scales.factors.assign(biped.skeleton.joint_count(), 1);
    for (const char* name : {"left_knee", "right_knee"}) scales.factors[biped.skeleton.Find(name)] = factor;
    const Character scaled = ScaleBones(biped, scales);
    int soles = 0;
    for (int v = 0; v < biped.parts[0].mesh.vertex_count(); ++v) {
      const float before = biped.parts[0].mesh.positions(v, 1);
      if (before > 0.005F) continue;
      ++soles;
      EXPECT_NEAR(scaled.parts[0].mesh.positions(v, 1), before, 0.001F);
    }
    EXPECT_GT(soles, 10);
  }
}

TEST(ScaleBones, FactorsOfOneChangeNothing) {
  const Character biped = SmallBiped();
  BoneScales scales;
  scales.factors.assign(biped.skeleton.joint_count(), 1);
  const Character same = ScaleBones(biped, scales);
  EXPECT_LT((same.parts[0].mesh.positions - biped.parts[0].mesh.positions).cwiseAbs().maxCoeff(), 1e-6F);
  EXPECT_LT((PlaceOf(same, "left_hand") - PlaceOf(biped, "left_hand")).norm(), 1e-6F);
}

TEST(ScaleBones, RandomLengthsFoldNothing) {
  const Character biped = SmallBiped();
  for (const uint64_t seed : {1, 2, 3}) {
    const BoneScales scales = DrawScales(biped.skeleton, {.alike = seed != 3}, seed, "biped");
    const Character scaled = ScaleBones(biped, scales);
    EXPECT_TRUE(SelfIntersections(scaled.parts[0].mesh, 1).empty());
    EXPECT_TRUE(scaled.parts[0].normals.allFinite());
    const double left = scales.factors[biped.skeleton.Find("left_knee")];
    EXPECT_EQ(left == scales.factors[biped.skeleton.Find("right_knee")], seed != 3);
    EXPECT_GE(left, 0.7);
    EXPECT_LE(left, 1.4);
    EXPECT_EQ(
        testing::Differences(scaled, ScaleBones(biped, DrawScales(biped.skeleton, {.alike = seed != 3}, seed, ""))),
        std::vector<std::string>());
  }
}

// A skeleton whose frames are turned against the model's axes.
TEST(ScaleBones, WorksInAnyJointFrames) {
  const Character character = testing::TestCharacter();
  const BoneScales scales = DrawScales(character.skeleton, {}, 5, "test");
  const Character scaled = ScaleBones(character, scales);
  const Points rest = SkinnedShape(scaled, scaled.skeleton.RestPose());
  const Points before = SkinnedShape(character, character.skeleton.RestPose());
  EXPECT_GT((rest - before).cwiseAbs().maxCoeff(), 0.01F);
  EXPECT_LT((rest - scaled.parts[0].mesh.positions).cwiseAbs().maxCoeff(),
            (before - character.parts[0].mesh.positions).cwiseAbs().maxCoeff() + 1e-4F);
}

TEST(ScaleBones, RefusesWhatCannotBe) {
  const Character biped = SmallBiped();
  BoneScales scales;
  EXPECT_THROW(ScaleBones(biped, scales), UsageError);
  scales.factors.assign(biped.skeleton.joint_count(), 1);
  scales.factors[biped.skeleton.Find("head")] = 1.2;
  EXPECT_THROW(ScaleBones(biped, scales), UsageError);
  scales.factors[biped.skeleton.Find("head")] = 1;
  scales.factors[biped.skeleton.Find("left_hip")] = std::nan("");
  EXPECT_THROW(ScaleBones(biped, scales), UsageError);
  EXPECT_THROW(DrawScales(testing::Robot().skeleton, {}, 1, "robot.glb"), InputError);
}

}  // namespace
}  // namespace sinew::bodies
