#include "sinew/offline/ablation/child_programs.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "tests/support/temporary_folder.h"

namespace sinew::ablation {
namespace {

class ChildProgramsTest : public ::testing::Test {
 protected:
  int Start(const std::string& script, const std::string& log = "log") {
    return children_.Start({"-c", script}, folder_ / log);
  }
  sinew::testing::TemporaryFolder folder_;
  ChildPrograms children_{"/bin/sh"};
};

TEST_F(ChildProgramsTest, RunBesideEachOtherAndTellHowTheyEnded) {
  const int a = Start("echo one; echo two >&2; exit 0", "a"), b = Start("exit 3", "b"), c = Start("kill -9 $$", "c");
  EXPECT_EQ(children_.running(), 3);
  std::map<int, int> codes;
  while (const auto ended = children_.Wait(60)) codes[ended->number] = ended->code;
  EXPECT_EQ(codes, (std::map<int, int>{{a, 0}, {b, 3}, {c, 128 + 9}}));
  EXPECT_EQ(children_.running(), 0);
  EXPECT_EQ(ReadTextFile(folder_ / "a"), "one\ntwo\n");
}

TEST_F(ChildProgramsTest, ArgumentsAreNotTakenApart) {
  children_.Start({"-c", "printf '%s\\n' \"$0\" \"$1\"", "a b", "$HOME '"}, folder_ / "log");
  ASSERT_TRUE(children_.Wait(60));
  EXPECT_EQ(ReadTextFile(folder_ / "log"), "a b\n$HOME '\n");
}

TEST_F(ChildProgramsTest, WaitsNoLongerThanAskedAndEndsThemAll) {
  const auto start = std::chrono::steady_clock::now();
  Start("exec sleep 1000", "a");
  Start("exec sleep 1000", "b");
  EXPECT_FALSE(children_.Wait(0.1));
  EXPECT_EQ(children_.running(), 2);
  children_.End();
  EXPECT_EQ(children_.running(), 0);
  EXPECT_FALSE(children_.Wait(1000));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(500));
}

TEST_F(ChildProgramsTest, WhatCannotBeStartedEndsAsAShellSays) {
  ChildPrograms none("/no/such/program");
  none.Start({}, folder_ / "log");
  const auto ended = none.Wait(60);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->code, 127);
  EXPECT_THROW(Start("exit 0", "no/such/folder/log"), FailedError);
}

}  // namespace
}  // namespace sinew::ablation
