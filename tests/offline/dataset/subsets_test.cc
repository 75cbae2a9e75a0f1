#include "sinew/offline/dataset/subsets.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "tests/support/datasets.h"
#include "tests/support/temporary_folder.h"

namespace sinew::dataset {
namespace {

namespace fs = std::filesystem;
using testing::FilesBelow;
using testing::TemporaryFolder;

class SubsetsTest : public ::testing::Test {
 protected:
  const StoredCharacter stored_ = testing::StoredTestCharacter();
  const PoseSequence sequence_ = testing::TestSequence(stored_.character.skeleton, 40);
  const TemporaryFolder folder_;

  fs::path Write(const std::string& name, FrameRange range = {0, 120}) {
    testing::WriteNumberedDataset(folder_ / name, stored_, sequence_, range);
    return folder_ / name;
  }
  std::string MergeMessage(const std::vector<fs::path>& parts) {
    try {
      MergeDatasets(folder_ / "merged", parts);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(SubsetsTest, PartsInAnyOrderGiveTheBytesOfOneRun) {
  const auto whole = FilesBelow(Write("whole", {0, 41}));
  const fs::path a = Write("a", {0, 7}), b = Write("b", {7, 30}), c = Write("c", {25, 41});
  const MergeSummary summary = MergeDatasets(folder_ / "merged", {c, a, b});
  EXPECT_EQ(summary.frames, 41);
  EXPECT_EQ(summary.repeated, 5);
  EXPECT_EQ(FilesBelow(folder_ / "merged"), whole);
  // Also into one of the parts.
  MergeDatasets(a, {a, b, c});
  EXPECT_EQ(FilesBelow(a), whole);
}

TEST_F(SubsetsTest, OtherPosesOfTheSameCharacterAreJoined) {
  const PoseSequence other = testing::TestSequence(stored_.character.skeleton, 3, 99);
  testing::WriteNumberedDataset(folder_ / "other", stored_, other, {0, 9});
  MergeDatasets(folder_ / "merged", {Write("a", {0, 7}), folder_ / "other"});
  const Dataset merged(folder_ / "merged");
  ASSERT_EQ(merged.frame_count(), 16);
  EXPECT_EQ(merged.manifest().poses.size(), 2u);
  EXPECT_EQ(merged.manifest().motions.size(), 3u);
  EXPECT_EQ(merged.frame(7).hash, Dataset(folder_ / "other").frame(0).hash);
  EXPECT_TRUE(FindDamage(merged).empty());
}

TEST_F(SubsetsTest, WhatWasMadeOtherwiseIsRefused) {
  const fs::path a = Write("a", {0, 7}), b = Write("b", {7, 9});
  const auto edit = [&](const std::function<void(Json&)>& change) {
    Json json = ParseJson(ReadTextFile(b / "dataset.json"), "x");
    change(json);
    WriteFileAtomic(b / "dataset.json", json.dump());
  };
  edit([](Json& j) { j["settings"]["maker"] = "other"; });
  EXPECT_NE(MergeMessage({a, b}).find("b: was made with other settings than"), std::string::npos)
      << MergeMessage({a, b});
  edit([](Json& j) { j["settings"]["maker"] = "test", j["metres_per_unit"] = 0.01; });
  EXPECT_NE(MergeMessage({a, b}).find("b: has another unit than"), std::string::npos);
  edit([](Json& j) { j["metres_per_unit"] = 1; });
  EXPECT_EQ(MergeMessage({a, b}), "no error");
  const StoredCharacter slim = testing::StoredTestCharacter({.height = 1.6, .names = {}});
  testing::WriteNumberedDataset(folder_ / "slim", slim, sequence_, {7, 9});
  EXPECT_NE(MergeMessage({a, folder_ / "slim"}).find("slim: has another character than"), std::string::npos);
}

TEST_F(SubsetsTest, AFrameThatDiffersBetweenPartsIsRefused) {
  const fs::path a = Write("a", {0, 4});
  DatasetManifest start = StartManifest(stored_, sequence_, {{"maker", "test"}});
  start.chunk_frames = 4;
  {
    DatasetWriter writer(folder_ / "b", start, {{stored_.entry.file, stored_.file}});
    MakeFrames(writer, sequence_, {3, 6}, {.label = "test"},
               [&](int i) { return testing::NumberedTruth(stored_, i + 1); });
  }
  EXPECT_NE(MergeMessage({a, folder_ / "b"}).find("is another one than frame 3 of"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "merged"));
}

TEST_F(SubsetsTest, NoNeighboursAreOnTwoSides) {
  const Dataset dataset(Write("a"));
  for (const int gap : {1, 3}) {
    for (const uint64_t seed : {1, 2, 3}) {
      const Split split = SplitFrames(dataset, {.deal = {.block = 5, .gap = gap, .seed = seed}, .test_motions = {}});
      size_t kept = 0;
      for (const auto& side : split.frames) kept += side.size();
      EXPECT_EQ(kept + split.failed + split.between, 120u);
      EXPECT_GT(split.frames[0].size(), 60u);
      for (int s = 0; s < kSides; ++s) {
        EXPECT_FALSE(split.frames[s].empty());
        for (int t = 0; t < s; ++t) {
          for (const int a : split.frames[s]) {
            for (const int b : split.frames[t]) {
              const DatasetFrame &x = dataset.frame(a), &y = dataset.frame(b);
              const bool timed = dataset.manifest().motions[x.motion].timed;
              const bool near = x.motion == y.motion && std::abs(x.motion_frame - y.motion_frame) <= gap;
              EXPECT_FALSE(a == b || (timed && near)) << a << " " << b;
            }
          }
        }
      }
    }
  }
}

TEST_F(SubsetsTest, ByMotionMotionsStayWhole) {
  const Dataset dataset(Write("a"));
  const Split split = SplitFrames(dataset, {.deal = {.shares = {0.7, 0, 0.3}, .by_motion = true}, .test_motions = {}});
  EXPECT_EQ(split.between, 0);
  EXPECT_TRUE(split.frames[1].empty());
  std::array<std::set<int>, kSides> motions;
  for (int s = 0; s < kSides; ++s) {
    for (const int i : split.frames[s]) {
      if (dataset.manifest().motions[dataset.frame(i).motion].timed) motions[s].insert(dataset.frame(i).motion);
    }
  }
  EXPECT_EQ(motions[0].size() + motions[2].size(), 2u);
}

TEST_F(SubsetsTest, ANamedMotionIsForTestingOnly) {
  const Dataset dataset(Write("a"));
  const Split split = SplitFrames(dataset, {.deal = {.shares = {0.9, 0.1, 0}}, .test_motions = {"run"}});
  for (const int i : split.frames[2]) EXPECT_EQ(dataset.frame(i).motion, 1);
  for (const int i : split.frames[0]) EXPECT_NE(dataset.frame(i).motion, 1);
  EXPECT_GT(split.frames[2].size(), 30u);
  EXPECT_THROW(SplitFrames(dataset, {.deal = {}, .test_motions = {"swim"}}), UsageError);
}

TEST_F(SubsetsTest, SidesAreDatasetsWithAllArrays) {
  const Dataset dataset(Write("a"));
  const Split split = SplitFrames(dataset, {.deal = {}, .test_motions = {}});
  WriteSplit(folder_ / "sides", dataset, split);
  WriteSplit(folder_ / "sides", dataset, split);
  for (int s = 0; s < kSides; ++s) {
    const Dataset side(folder_ / fmt::format("sides/{}.dataset", Name(static_cast<Side>(s))));
    ASSERT_EQ(side.frame_count(), static_cast<int>(split.frames[s].size()));
    EXPECT_TRUE(FindDamage(side).empty());
    for (int i = 0; i < side.frame_count(); ++i) {
      EXPECT_EQ(side.frame(i).hash, dataset.frame(split.frames[s][i]).hash);
      EXPECT_EQ(side.Array(i, "steps").data, dataset.Array(split.frames[s][i], "steps").data);
    }
  }
  EXPECT_THROW(WriteSplit(folder_ / "a", dataset, split), FailedError);
}

}  // namespace
}  // namespace sinew::dataset
