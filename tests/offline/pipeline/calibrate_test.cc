#include "sinew/offline/pipeline/calibrate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "sinew/offline/io/character_file.h"
#include "tests/support/flesh_arm.h"
#include "tests/support/robots.h"
#include "tests/support/temporary_folder.h"

namespace sinew::pipeline {
namespace {

struct Estimate {
  Calibration calibration;
  std::map<std::string, Cost> costs;  // by stage
};

Estimate EstimateOf(const Character& character) {
  const testing::TemporaryFolder folder;
  WriteCharacter(character, folder / "character.glb");
  Config config;
  config.Set("input.check=false");
  config.Set("report.pictures=false");
  config.Set("simulation.tets=1500");
  Request request{.character = folder / "character.glb", .config = config, .seed = 1};
  Subject subject = FindSubject(request);
  Estimate estimate;
  // Long enough for all that is measured, on a slow machine and under sanitizers, too; it ends once it knows enough.
  estimate.calibration = request.calibration = Calibrate(request, subject, 60);
  for (const Stage& stage : MakeStages(request, subject)) estimate.costs[stage.name] = stage.cost;
  return estimate;
}

TEST(Calibrate, CharacterWithoutFleshHasNothingToSimulateOrLearn) {
  const Estimate estimate = EstimateOf(testing::Robot({.seed = 3}));
  EXPECT_TRUE(estimate.calibration.rigid);
  EXPECT_EQ(estimate.calibration.frames, 0);
  EXPECT_EQ(estimate.calibration.networks, 0);
  EXPECT_EQ(estimate.calibration.single_level_networks, 0);
  // 400 simulated frames and 200 networks would take minutes, times how much slower this machine is than the one that
  // costs were found on.
  const double most = 5 * std::max(1.0, estimate.calibration.speed);
  for (const char* stage : {"training-truths", "training", "single-level"}) {
    EXPECT_LT(estimate.costs.at(stage).processor_seconds(), most) << stage;
  }
}

TEST(Calibrate, CountsTheNetworksThatFleshNeeds) {
  const Estimate estimate = EstimateOf(testing::FleshArm());
  const Calibration& calibration = estimate.calibration;
  SCOPED_TRACE(fmt::format("{} frames of {:.3g} s, {} and {} networks, share {:.3g}", calibration.frames,
                           calibration.frame_seconds, calibration.networks, calibration.single_level_networks,
                           calibration.share));
  EXPECT_FALSE(calibration.rigid);
  EXPECT_GT(calibration.frames, 0);
  EXPECT_GT(calibration.frame_seconds, 0);
  EXPECT_GT(calibration.hierarchy_seconds, 0);
  EXPECT_GT(calibration.pose_seconds, 0);
  EXPECT_GT(calibration.share, 0);
  EXPECT_LE(calibration.share, 1);
  EXPECT_GT(calibration.networks, 0);
  // Levels that stand on coarser ones have less left to learn.
  EXPECT_GE(calibration.single_level_networks, calibration.networks);
  EXPECT_GE(estimate.costs.at("training-truths").processor_seconds(), 400 * calibration.frame_seconds);
}

TEST(Cost, OtherProgramsSlowEverythingDownButWhatTheClockEnds) {
  const Cost cost{.serial = 2, .parallel = 8, .clock = 5};
  EXPECT_DOUBLE_EQ(cost.Seconds(4), 9);
  Cost busy = cost;
  busy.share = 0.5;
  EXPECT_DOUBLE_EQ(busy.Seconds(4), 13);
  EXPECT_DOUBLE_EQ(busy.processor_seconds(), cost.processor_seconds());
}

}  // namespace
}  // namespace sinew::pipeline
