#include "sinew/offline/measure/bundle_timing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/measure/timing_report.h"
#include "tests/support/synthetic_deformer.h"
#include "tests/support/test_character.h"

namespace sinew::measure {
namespace {

TEST(TimeInTurn, TimesEveryBundleWithEveryNumberOfThreads) {
  const lod::Hierarchy hierarchy =
      lod::BuildHierarchy(testing::TestCharacter(), "egg", {.points = {160, 60}, .regions = 12});
  const deformer::Deformer deformer = testing::SyntheticDeformer(hierarchy);
  const bake::BakedBundle floats = bake::BuildBundle(hierarchy, deformer, {}, {.precision = runtime::Precision::kF32});
  const bake::BakedBundle bytes = bake::BuildBundle(hierarchy, deformer, {}, {.precision = runtime::Precision::kI8});
  const std::vector<Pose> poses = PosesToTime(floats.bundle, 2, 1);
  const std::vector<BundleTimings> timings =
      TimeInTurn({&floats.bundle, &bytes.bundle}, poses, {.threads = {1, 3}, .rounds = 3});

  ASSERT_EQ(timings.size(), 2u);
  for (const BundleTimings& own : timings) {
    EXPECT_EQ(own.timings.size(), 6u);
    for (const char* stage : {"frame", "floor", "skinning only"}) {
      for (const int threads : {1, 3}) {
        const Timing* timing = own.Find(stage, 0, threads);
        ASSERT_NE(timing, nullptr) << stage << ", " << threads << " threads";
        for (const Microseconds& time : {timing->hot, timing->cold}) {
          EXPECT_GT(time.fastest, 0);
          EXPECT_LE(time.fastest, time.median);
          EXPECT_LE(time.median, time.p99);
        }
      }
    }
  }
  EXPECT_EQ(timings[0].memory[1].bases, MemoryOf(floats.bundle)[1].bases);
  EXPECT_LT(timings[1].read_bytes, timings[0].read_bytes);
  EXPECT_EQ(timings[1].written_bytes, timings[0].written_bytes);
}

TEST(TimeBundle, EndsInTimeWhateverTheNumberOfRounds) {
  const lod::Hierarchy hierarchy = lod::BuildHierarchy(testing::TestCharacter(), "egg", {.points = {60}, .regions = 8});
  const bake::BakedBundle baked = bake::BuildBundle(hierarchy, testing::SyntheticDeformer(hierarchy), {}, {});
  const BundleTimings timings = TimeBundle(baked.bundle, PosesToTime(baked.bundle, 2, 1),
                                           {.threads = {1}, .rounds = 1'000'000'000, .seconds = 1e-3});
  ASSERT_NE(timings.Find("frame", 1, 1), nullptr);
  EXPECT_GT(timings.Find("frame", 1, 1)->hot.median, 0);
}

TEST(TimeBundle, TimesHotRunsAlone) {
  const lod::Hierarchy hierarchy = lod::BuildHierarchy(testing::TestCharacter(), "egg", {.points = {60}, .regions = 8});
  const bake::BakedBundle baked = bake::BuildBundle(hierarchy, testing::SyntheticDeformer(hierarchy), {}, {});
  const std::vector<Pose> poses = PosesToTime(baked.bundle, 2, 1);
  for (const bool cold : {true, false}) {
    const BundleTimings timings = TimeBundle(baked.bundle, poses, {.threads = {1}, .rounds = 1, .cold = cold});
    for (const Timing& timing : timings.timings) {
      EXPECT_GT(timing.hot.fastest, 0) << timing.stage;
      EXPECT_EQ(timing.cold.fastest > 0, cold) << timing.stage;
    }
    EXPECT_EQ(TimingsJson(timings)["timings"][0].contains("cold_us"), cold);
    EXPECT_EQ(TimingsText(timings).find("cold: microseconds") != std::string::npos, cold) << TimingsText(timings);
    const std::vector<BundleTimings> in_turn =
        TimeInTurn({&baked.bundle}, poses, {.threads = {1}, .rounds = 1, .cold = cold});
    EXPECT_EQ(TurnsText({"a.sinew"}, in_turn).find("\ncold") != std::string::npos, cold);
  }
}

TEST(TimeBundle, CountsNormalsFromTrianglesAndTimesSkinnedOnesBeside) {
  const lod::Hierarchy hierarchy = lod::BuildHierarchy(testing::TestCharacter(), "egg", {.points = {60}, .regions = 8});
  const deformer::Deformer deformer = testing::SyntheticDeformer(hierarchy);
  const auto time = [&](bool normals) {
    const bake::BakedBundle baked = bake::BuildBundle(hierarchy, deformer, {}, {.normals = normals});
    return TimeBundle(baked.bundle, PosesToTime(baked.bundle, 2, 1), {.threads = {1}, .rounds = 1});
  };
  const BundleTimings with = time(true), without = time(false);
  for (const int level : {0, 1, 2}) EXPECT_NE(with.Find("skinned normals", level, 1), nullptr) << level;
  size_t tables = 0;
  for (const BundleMemory& memory : with.memory) tables += memory.normals;
  EXPECT_GT(tables, 0u);
  EXPECT_EQ(with.read_bytes, without.read_bytes + tables);
  EXPECT_NE(TimingsText(with).find("what it takes with skinned normals"), std::string::npos) << TimingsText(with);
}

// Frames of 400 and 100 microseconds on one thread, half of that on two, floors of 200 and 50; cold is twice as long.
TEST(TurnsText, ComparesWithTheFloorOneThreadAndTheFirstBundle) {
  std::vector<BundleTimings> timings(2);
  for (size_t b = 0; b < timings.size(); ++b) {
    for (const int threads : {1, 2}) {
      const double frame = (b == 0 ? 400.0 : 100.0) / threads;
      const auto add = [&](const char* stage, double us) {
        timings[b].timings.push_back({stage, 0, threads, {us, us, us}, {2 * us, 2 * us, 2 * us}});
      };
      add("frame", frame);
      add("floor", b == 0 ? 200.0 : 50.0);
      add("skinning only", 10);
    }
  }
  std::istringstream text(TurnsText({"first.sinew", "second.sinew"}, timings));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    lines.push_back(std::regex_replace(line, std::regex(" +"), " "));
  }
  const std::vector<std::string> expected = {
      "hot frame floor skinning only x floor vs 1 thread vs first",
      "first.sinew",
      " 1 thread 400.0 (400.0) 200.0 (200.0) 10.0 (10.0) 2.00 (2.00) 1.00 (1.00) 1.00 (1.00)",
      " 2 threads 200.0 (200.0) 200.0 (200.0) 10.0 (10.0) 1.00 (1.00) 2.00 (2.00) 1.00 (1.00)",
      "second.sinew",
      " 1 thread 100.0 (100.0) 50.0 (50.0) 10.0 (10.0) 2.00 (2.00) 1.00 (1.00) 4.00 (4.00)",
      " 2 threads 50.0 (50.0) 50.0 (50.0) 10.0 (10.0) 1.00 (1.00) 2.00 (2.00) 4.00 (4.00)",
      "",
      "cold frame floor skinning only x floor vs 1 thread vs first",
      "first.sinew",
      " 1 thread 800.0 (800.0) 400.0 (400.0) 20.0 (20.0) 2.00 (2.00) 1.00 (1.00) 1.00 (1.00)"};
  const auto hot = std::find(lines.begin(), lines.end(), expected.front());
  ASSERT_GE(lines.end() - hot, static_cast<ptrdiff_t>(expected.size()));
  EXPECT_EQ(std::vector<std::string>(hot, hot + static_cast<ptrdiff_t>(expected.size())), expected);
}

}  // namespace
}  // namespace sinew::measure
