// Trials by a program that takes the words of `sinew learn train` and trains nothing.
#include "sinew/offline/ablation/run_trials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "sinew/offline/core/file.h"
#include "tests/support/temporary_folder.h"

namespace sinew::ablation {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Finds the file after --output, notes how it was called, and does what the script says.
constexpr const char* kStart = R"(#!/bin/sh
echo "$@" >> "$(dirname "$0")/calls"
resume=no
while [ $# -gt 0 ]; do
  [ "$1" = --output ] && model=$2
  [ "$1" = --resume ] && resume=yes
  shift
done
)";

class RunTrialsTest : public ::testing::Test {
 protected:
  std::vector<TrialEnd> Run(const std::string& script, double seconds = 300) {
    WriteFileAtomic(program_, kStart + script);
    fs::permissions(program_, fs::perms::owner_all);
    return RunTrials(
        rows_, trials_, trial_folder_,
        {.program = program_,
         .inputs = {"people.corpus"},
         .at_once = 2,
         .threads = 4,
         .deadline = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                            std::chrono::duration<double>(seconds))});
  }
  std::string Calls() const { return fs::exists(folder_ / "calls") ? ReadTextFile(folder_ / "calls") : ""; }

  sinew::testing::TemporaryFolder folder_;
  fs::path program_ = folder_ / "program";
  std::vector<Row> rows_ = ChooseRows(MakeRows({.steps = 9}, 4), {"ours", "mlp"});
  std::vector<Trial> trials_ = MakeTrials(rows_, {1e-3, 3e-3});
  TrialFolder trial_folder_{folder_ / "rows", Json::object()};
};

TEST_F(RunTrialsTest, TrainsEachOnceAndNothingTwice) {
  for (const TrialEnd& end : Run("touch $model")) EXPECT_TRUE(end.done && end.failure.empty());
  const std::string calls = Calls();
  EXPECT_EQ(std::count(calls.begin(), calls.end(), '\n'), 4);
  EXPECT_THAT(calls, HasSubstr("learn train people.corpus --output " + trial_folder_.Model(trials_[0]).string() +
                               " --threads 2 --network hierarchy"));
  EXPECT_THAT(calls, HasSubstr("--rate 0.001 --steps 9"));
  for (const TrialEnd& end : Run("touch $model")) EXPECT_TRUE(end.done);
  EXPECT_EQ(Calls(), calls) << "nothing is trained again";
}

TEST_F(RunTrialsTest, OneThatFailsKeepsNoOtherFromBeingTrained) {
  const std::vector<TrialEnd> ends =
      Run("case $model in *ours-0.003*) echo 'sinew: cannot train: the loss is not finite' >&2; exit 4;; esac\n"
          "case $model in *mlp-0.001*) exit 5;; esac\ntouch $model");
  EXPECT_TRUE(ends[0].done);
  EXPECT_FALSE(ends[1].done);
  EXPECT_EQ(ends[1].failure, "cannot train: the loss is not finite");
  EXPECT_EQ(ends[2].failure, "it ended with code 5");
  EXPECT_TRUE(ends[3].done);
}

TEST_F(RunTrialsTest, GoesOnFromStatesAfterTheTimeIsOver) {
  WriteFileAtomic(trial_folder_.Model(trials_[3]), "done");
  for (const TrialEnd& end : Run("touch $model.state; exec sleep 1000", 10)) EXPECT_EQ(end.failure, "");
  ASSERT_TRUE(fs::exists(trial_folder_.State(trials_[0])));
  EXPECT_FALSE(fs::exists(trial_folder_.State(trials_[2]))) << "two at once";
  for (const TrialEnd& end :
       Run("[ -e $model.state ] && [ $resume = no ] && exit 9; rm -f $model.state; touch $model")) {
    EXPECT_TRUE(end.done) << end.failure;
  }
}

TEST_F(RunTrialsTest, WithoutTimeNothingStarts) {
  for (const TrialEnd& end : Run("touch $model", -1)) EXPECT_FALSE(end.done);
  EXPECT_EQ(Calls(), "");
}

}  // namespace
}  // namespace sinew::ablation
