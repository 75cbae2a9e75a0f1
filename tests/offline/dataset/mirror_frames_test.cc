#include "sinew/offline/dataset/mirror_frames.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/character/posing.h"
#include "tests/support/rigs.h"
#include "tests/support/test_character.h"

namespace sinew::dataset {
namespace {

// A truth that is the same left and right: skinning, and what is far from the middle raised.
Points TruthOf(const Character& character, const Pose& pose) {
  Points shape = PoseCharacter(character, pose).parts[0].positions;
  const Points skinned = shape;
  const Eigen::RowVector3f middle =
      PoseCharacter(character, character.skeleton.RestPose()).parts[0].positions.colwise().mean();
  for (Eigen::Index v = 0; v < shape.rows(); ++v) {
    shape(v, 1) += std::pow(skinned(v, 0) - middle[0], 2.0f);
  }
  return shape;
}

TrainingFrames SomeFrames(const Character& character, int count) {
  Random random(3);
  TrainingFrames frames;
  frames.name = "test";
  for (int j = 0; j < count; ++j) {
    frames.poses.push_back(testing::RandomPose(character.skeleton, random, 0.5));
    frames.motions.push_back(j % 3 == 0 ? 0 : -1);
    frames.motion_frames.push_back(j);
    frames.hashes.push_back("hash");
  }
  frames.truth = [&character, poses = frames.poses](int j) { return TruthOf(character, poses[j]); };
  return frames;
}

TEST(MirrorFrames, ImagesAreTruthsOfTheirPoses) {
  const Character character = testing::TestCharacter({.frames_seed = 2});
  TrainingFrames frames = SomeFrames(character, 10);
  ASSERT_TRUE(AddMirrorImages(character, frames));
  ASSERT_EQ(frames.count(), 20);
  EXPECT_EQ(frames.images, 10);
  for (int j = 10; j < 20; ++j) {
    EXPECT_EQ(frames.hashes[j], "");
    const Points truth = TruthOf(character, frames.poses[j]), image = frames.truth(j);
    const Points skinned = PoseCharacter(character, frames.poses[j]).parts[0].positions;
    EXPECT_LT((truth - image).norm(), 0.1 * (truth - skinned).norm());
  }
}

TEST(MirrorFrames, ThoseOfValidationAreNotLearnedFrom) {
  const Character character = testing::TestCharacter();
  TrainingFrames frames = SomeFrames(character, 40);
  const FrameSplit before = SplitFrames(frames, 0.25, 1);
  ASSERT_TRUE(AddMirrorImages(character, frames));
  const FrameSplit after = SplitFrames(frames, 0.25, 1);
  EXPECT_EQ(after.validation, before.validation);
  ASSERT_EQ(after.training.size(), 2 * before.training.size());
  for (size_t i = 0; i < before.training.size(); ++i) {
    EXPECT_EQ(after.training[i], before.training[i]);
    EXPECT_EQ(after.training[before.training.size() + i], 40 + before.training[i]);
  }
}

TEST(MirrorFrames, AreNotMadeWhereOneSideIsOther) {
  Character bumped = testing::TestCharacter();
  bumped.parts[0].mesh.positions(0, 0) += 0.2f;
  TrainingFrames frames = SomeFrames(bumped, 5);
  EXPECT_FALSE(AddMirrorImages(bumped, frames));
  EXPECT_EQ(frames.count(), 5);
  EXPECT_EQ(frames.images, 0);
}

}  // namespace
}  // namespace sinew::dataset
