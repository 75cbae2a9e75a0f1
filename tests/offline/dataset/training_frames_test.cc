#include "sinew/offline/dataset/training_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/offline/character/clip.h"
#include "tests/support/datasets.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"

namespace sinew::dataset {
namespace {

using ::testing::HasSubstr;

TEST(TrainingFrames, AreThoseOfACharacterWithTheSameJoints) {
  const testing::TemporaryFolder folder;
  const StoredCharacter stored = testing::StoredTestCharacter();
  const PoseSequence sequence = testing::TestSequence(stored.character.skeleton, 2);
  testing::WriteNumberedDataset(folder / "a", stored, sequence, {0, sequence.frame_count()});
  const Dataset dataset(folder / "a");
  lod::Hierarchy hierarchy = lod::BuildHierarchy(stored.character, "egg.glb", {.points = {}});
  EXPECT_EQ(FramesOf(dataset, hierarchy).count(), static_cast<int>(dataset.OkFrames().size()));
  Skeleton& skeleton = hierarchy.levels.back().character.skeleton;
  const std::string was = skeleton.joints[2].name;
  skeleton.joints[2].name = "wing";
  const std::string error = testing::ErrorOf([&] { FramesOf(dataset, hierarchy); });
  EXPECT_THAT(error, HasSubstr("its joint 2 is '" + was + "'"));
  EXPECT_THAT(error, HasSubstr("'wing'"));
  skeleton.joints.pop_back();
  EXPECT_THAT(testing::ErrorOf([&] { FramesOf(dataset, hierarchy); }), HasSubstr("the finest level of the hierarchy"));
}

TEST(TrainingFrames, OfResampledMotionsAreNumberedEvenly) {
  const testing::TemporaryFolder folder;
  const StoredCharacter stored = testing::StoredTestCharacter();
  const Skeleton& skeleton = stored.character.skeleton;
  Clip clip;
  clip.skeleton = skeleton;
  clip.motion = {.name = "walk", .frames_per_second = 30, .joints = JointNames(skeleton), .frames = {}};
  clip.sources = {{.kind = "motion", .file = "walk.bvh", .clip = "walk"}};
  for (int f = 0; f < 3; ++f) {
    clip.motion.frames.push_back(skeleton.RestPose());
    clip.origins.push_back({0, 10 + f});
  }
  const auto numbers = [&](const std::string& name, const Clip& one) {
    const PoseSequence sequence = MakePoseSequence({one}, {"a"}, skeleton);
    EXPECT_EQ(ClipsOf(sequence).size(), 1) << "a motion is one clip, at any rate";
    testing::WriteNumberedDataset(folder / name, stored, sequence, {0, sequence.frame_count()});
    const lod::Hierarchy hierarchy = lod::BuildHierarchy(stored.character, "egg.glb", {.points = {}});
    return FramesOf(Dataset(folder / name), hierarchy).motion_frames;
  };
  EXPECT_EQ(numbers("as it is", clip), (std::vector<int>{10, 11, 12}));
  // Frame 5 has no shape.
  EXPECT_EQ(numbers("fine", Resample(clip, 120)), (std::vector<int>{10, 11, 12, 13, 14, 16, 17, 18}));
  // Chosen frames have no rate, and keep their numbers.
  EXPECT_EQ(numbers("chosen", Select(clip, {0, 2})), (std::vector<int>{10, 12}));
}

}  // namespace
}  // namespace sinew::dataset
