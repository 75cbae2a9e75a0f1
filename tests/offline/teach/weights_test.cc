// Weights of taught frames on their way into training.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "sinew/offline/core/error.h"
#include "sinew/offline/dataset/chosen_frames.h"
#include "sinew/offline/dataset/mirror_frames.h"
#include "sinew/offline/lod/hierarchy.h"
#include "tests/support/datasets.h"
#include "tests/support/temporary_folder.h"

namespace sinew::teach {
namespace {

class WeightsTest : public ::testing::Test {
 protected:
  WeightsTest()
      : stored_(sinew::testing::StoredTestCharacter()),
        sequence_(sinew::testing::TestSequence(stored_.character.skeleton, 2)),
        hierarchy_(lod::BuildHierarchy(stored_.character, "egg.glb", {.points = {}})) {}

  // Writes frames whose weights are 1, 1/2, 1/3, ... times `scale`.
  dataset::Dataset Write(const std::string& name, bool weighted, float scale = 1) {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directory(path);
    dataset::DatasetWriter writer(path, dataset::StartManifest(stored_, sequence_, Json::object()),
                                  {{stored_.entry.file, stored_.file}});
    dataset::MakeFrames(writer, sequence_, {0, sequence_.frame_count()}, {.label = "frames"}, [&](int i) {
      dataset::FrameTruth truth = sinew::testing::NumberedTruth(stored_, i);
      if (weighted) truth.arrays["weight"] = MakeNpy(std::vector<float>{scale / static_cast<float>(i + 1)}, {});
      return truth;
    });
    return dataset::Dataset(path);
  }

  sinew::testing::TemporaryFolder folder_;
  dataset::StoredCharacter stored_;
  dataset::PoseSequence sequence_;
  lod::Hierarchy hierarchy_;
};

TEST_F(WeightsTest, FramesBringTheirWeights) {
  EXPECT_TRUE(dataset::FramesOf(Write("without", false), hierarchy_).weights.empty());
  const dataset::Dataset with = Write("with", true);
  dataset::TrainingFrames frames = dataset::FramesOf(with, hierarchy_);
  ASSERT_EQ(static_cast<int>(frames.weights.size()), frames.count());
  EXPECT_FLOAT_EQ(frames.weights[2], 1.0f / 3);
  const dataset::TrainingFrames chosen = dataset::ChosenFrames(with, hierarchy_, {1, 4});
  EXPECT_THAT(chosen.weights, ::testing::ElementsAre(::testing::FloatEq(0.5f), ::testing::FloatEq(0.2f)));
  if (dataset::AddMirrorImages(stored_.character, frames)) {
    ASSERT_EQ(static_cast<int>(frames.weights.size()), frames.count());
    EXPECT_EQ(frames.weights[frames.images + 2], frames.weights[2]);
  }
}

TEST_F(WeightsTest, FramesWithoutAWeightCountOneBesideOthers) {
  const std::filesystem::path path = folder_.path() / "mixed";
  std::filesystem::create_directory(path);
  dataset::DatasetWriter writer(path, dataset::StartManifest(stored_, sequence_, Json::object()),
                                {{stored_.entry.file, stored_.file}});
  const auto make = [&](const dataset::FrameRange& range, bool weighted) {
    dataset::MakeFrames(writer, sequence_, range, {.label = "frames"}, [&](int i) {
      dataset::FrameTruth truth = sinew::testing::NumberedTruth(stored_, i);
      if (weighted) truth.arrays["weight"] = MakeNpy(std::vector<float>{0.25f}, {});
      return truth;
    });
  };
  make({0, 2}, true);
  make({2, 4}, false);
  EXPECT_THAT(dataset::FramesOf(dataset::Dataset(path), hierarchy_).weights,
              ::testing::ElementsAre(0.25f, 0.25f, 1, 1));
}

TEST_F(WeightsTest, WeightsOutOfRangeAreRefused) {
  for (const float scale : {0.0f, -1.0f, 2.0f, std::numeric_limits<float>::quiet_NaN()}) {
    const dataset::Dataset bad = Write("bad" + std::to_string(scale), true, scale);
    try {
      dataset::FramesOf(bad, hierarchy_);
      ADD_FAILURE() << scale;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("a \"weight\" that is not one number above 0 and at most 1"));
    }
  }
}

}  // namespace
}  // namespace sinew::teach
