#include "sinew/offline/character/symmetry.h"

#include <gtest/gtest.h>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/character/rest_surface.h"
#include "tests/support/rigs.h"
#include "tests/support/test_character.h"

namespace sinew {
namespace {

using testing::RandomPose;
using testing::RigOptions;
using testing::TestCharacter;

// Rest poses, and joint frames that have nothing to do with the plane.
const std::vector<RigOptions>& Rigs() {
  static const std::vector<RigOptions> rigs = {
      {}, {.frames_seed = 3}, {.arm_down = 0.8, .leg_apart = 0.2, .frames_seed = 4}, {.height = 170, .frames_seed = 5}};
  return rigs;
}

double SizeOf(const Character& character) { return BoundingBox(character.parts[0].mesh.positions).sizes().maxCoeff(); }

double Farthest(const Points& a, const Points& b) { return (a - b).rowwise().norm().maxCoeff(); }

TEST(Symmetry, JointsChangePlacesWithThoseOfTheOtherSide) {
  for (const RigOptions& rig : Rigs()) {
    const Character character = TestCharacter(rig);
    const std::optional<Symmetry> symmetry = FindSymmetry(character);
    ASSERT_TRUE(symmetry);
    const Skeleton& skeleton = character.skeleton;
    int pairs = 0;
    for (int j = 0; j < skeleton.joint_count(); ++j) {
      std::string name = skeleton.joints[j].name;
      const bool left = name.rfind("left_", 0) == 0;
      if (left) name = "right_" + name.substr(5);
      pairs += left ? 1 : 0;
      if (name.rfind("right_", 0) == 0 && !left) continue;
      EXPECT_EQ(skeleton.joints[symmetry->partners[j]].name, name);
    }
    EXPECT_GE(pairs, 8);
  }
}

TEST(Symmetry, TwiceIsThePoseAndTheBindPoseIsItsOwnImage) {
  Random random(7);
  for (const RigOptions& rig : Rigs()) {
    const Character character = TestCharacter(rig);
    const Symmetry symmetry = FindSymmetry(character).value();
    const Pose bind = MainBindPose(character);
    std::vector<Pose> poses = {bind};
    for (int i = 0; i < 5; ++i) poses.push_back(RandomPose(character.skeleton, random, 1.5));
    for (const Pose& pose : poses) {
      const Pose image = MirrorPose(symmetry, character.skeleton, pose);
      const auto shape = [&](const Pose& in) { return PoseCharacter(character, in).parts[0].positions; };
      EXPECT_LT(Farthest(shape(MirrorPose(symmetry, character.skeleton, image)), shape(pose)),
                1e-5 * SizeOf(character));
    }
    const std::vector<Eigen::Affine3f> at = LocalToModel(character.skeleton, bind),
                                       image = LocalToModel(character.skeleton,
                                                            MirrorPose(symmetry, character.skeleton, bind));
    for (size_t j = 0; j < at.size(); ++j) {
      EXPECT_TRUE(at[j].matrix().isApprox(image[j].matrix(), 1e-4f)) << j;
    }
  }
}

TEST(Symmetry, SkinningOfTheImageIsTheImageOfSkinning) {
  Random random(8);
  for (const RigOptions& rig : Rigs()) {
    const Character character = TestCharacter(rig);
    const Symmetry symmetry = FindSymmetry(character).value();
    for (int i = 0; i < 5; ++i) {
      const Pose pose = RandomPose(character.skeleton, random, 0.7);
      const Points skinned = PoseCharacter(character, pose).parts[0].positions;
      const Points of_image =
          PoseCharacter(character, MirrorPose(symmetry, character.skeleton, pose)).parts[0].positions;
      const Points image = MirrorShape(symmetry, skinned);
      const double differs = std::sqrt((of_image - image).squaredNorm() / static_cast<double>(image.rows()));
      const double moved = std::sqrt((skinned - image).squaredNorm() / static_cast<double>(image.rows()));
      EXPECT_LT(differs, 0.05 * moved);  // the egg is meshed as it comes
    }
  }
}

TEST(Symmetry, OneSidedBodiesHaveNone) {
  const Character whole = TestCharacter();
  ASSERT_TRUE(FindSymmetry(whole));
  // A bump on one side.
  Character bumped = whole;
  Eigen::Index left = 0;
  bumped.parts[0].mesh.positions.col(0).maxCoeff(&left);
  bumped.parts[0].mesh.positions(left, 0) += 0.05f * static_cast<float>(SizeOf(whole));
  EXPECT_FALSE(FindSymmetry(bumped));
  // One arm that is bound lower.
  Character lowered = whole;
  const int elbow = lowered.skeleton.Find("left_elbow");
  ASSERT_GE(elbow, 0);
  Eigen::Affine3f& bind = lowered.skins[0].inverse_bind[elbow];
  bind = bind * Eigen::Translation3f(0, 0.1f, 0);
  EXPECT_FALSE(FindSymmetry(lowered));
}

}  // namespace
}  // namespace sinew
