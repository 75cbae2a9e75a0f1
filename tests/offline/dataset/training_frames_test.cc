#include "sinew/offline/dataset/training_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sinew::dataset
