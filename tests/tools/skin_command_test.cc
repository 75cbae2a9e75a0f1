// `sinew skin` as a user calls it: results, bad calls and what they say, threads, kills.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "sinew/offline/core/file.h"
#include "sinew/offline/io/gltf.h"
#include "sinew/offline/io/obj.h"
#include "tests/support/run_program.h"
#include "tests/support/test_character.h"

namespace sinew::testing {
namespace {

class SkinCommand : public ::testing::Test {
 protected:
  SkinCommand() {
    WriteGltf(TestCharacter(), folder_ / "egg.glb");
    WriteFileAtomic(folder_ / "egg.obj", EncodeObj(TestCharacter()));
  }
  ProgramResult Run(const std::vector<std::string>& words) { return RunSinewIn(folder_.path(), words); }

  // Starts `sinew skin`, and kills it without warning once it has left a checkpoint.
  void RunAndKill(std::vector<std::string> words) {
    const std::string program = SINEW_PROGRAM;
    std::vector<char*> arguments = {const_cast<char*>(program.c_str())};
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      if (::chdir(folder_.path().c_str()) == 0) ::execv(arguments[0], arguments.data());
      ::_exit(127);
    }
    for (int i = 0; i < 6000 && !std::filesystem::exists(folder_ / "killed.field.checkpoint"); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it was done before it could be killed";
  }

  TemporaryFolder folder_;
};

TEST_F(SkinCommand, WritesWeightsAndAFieldThatGivesThemAgain) {
  const ProgramResult made = Run({"skin", "egg.glb", "-o", "out.glb", "--steps", "20", "--quiet"});
  ASSERT_EQ(made.code, 0) << made.errors;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.field.checkpoint"));
  const Character skinned = ReadGltf(folder_ / "out.glb");
  EXPECT_LE(skinned.parts[0].weights.influences, 4);
  ASSERT_EQ(Run({"skin", "--apply", "out.field", "egg.glb", "-o", "again.glb"}).code, 0);
  EXPECT_EQ(ReadGltf(folder_ / "again.glb").parts[0].weights.weights, skinned.parts[0].weights.weights);
  const ProgramResult several = Run({"skin", "--apply", "out.field", "egg.glb", "egg.obj", "-o", "levels"});
  ASSERT_EQ(several.code, 0) << several.errors;
  EXPECT_EQ(ReadGltf(folder_ / "levels/egg.glb").skeleton.joint_count(), skinned.skeleton.joint_count());
}

TEST_F(SkinCommand, TakesASkeletonFromElsewhere) {
  ASSERT_EQ(Run({"skin", "egg.obj", "--skeleton", "egg.glb", "--method", "proximity", "-o", "a.glb"}).code, 0);
  ASSERT_EQ(Run({"skin", "egg.obj", "--method", "transfer", "--from", "egg.glb", "-o", "b.glb"}).code, 0);
  EXPECT_EQ(ReadGltf(folder_ / "b.glb").skeleton.joint_count(), TestCharacter().skeleton.joint_count());
}

TEST_F(SkinCommand, SaysWhatIsWrong) {
  const auto expect = [&](const std::vector<std::string>& words, int code, const std::string& part) {
    const ProgramResult result = Run(words);
    EXPECT_EQ(result.code, code) << result.errors;
    EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors;
  };
  expect({"skin", "egg.obj", "-o", "a.glb"}, 3, "--skeleton");
  expect({"skin", "egg.glb", "-o", "a.obj"}, 2, ".glb");
  expect({"skin", "egg.glb", "--skeleton", "egg.glb", "-o", "a.glb"}, 2, "of its own");
  expect({"skin", "egg.glb", "--method", "transfer", "-o", "a.glb"}, 2, "--from");
  expect({"skin", "egg.glb", "--max-influences", "9", "-o", "a.glb"}, 2, "9");
  expect({"skin", "--apply", "egg.glb", "egg.glb", "-o", "a.glb"}, 3, "is not a weight field");
  expect({"skin", "egg.glb", "egg.glb", "-o", "a.glb"}, 2, "--apply");
}

TEST_F(SkinCommand, HasTheSameBytesWhateverTheThreads) {
  ASSERT_EQ(Run({"skin", "egg.glb", "-o", "one.glb", "--steps", "10", "--threads", "1"}).code, 0);
  ASSERT_EQ(Run({"skin", "egg.glb", "-o", "two.glb", "--steps", "10", "--threads", "2"}).code, 0);
  EXPECT_EQ(ReadFile(folder_ / "one.glb"), ReadFile(folder_ / "two.glb"));
  EXPECT_EQ(ReadFile(folder_ / "one.field"), ReadFile(folder_ / "two.field"));
}

TEST_F(SkinCommand, GoesOnAfterAKillWithTheSameResult) {
  const std::vector<std::string> settings = {"skin", "egg.glb", "--steps", "400", "--checkpoint-every", "0.05"};
  const auto with = [&](const std::string& output) {
    std::vector<std::string> words = settings;
    words.insert(words.end(), {"-o", output});
    return words;
  };
  ASSERT_EQ(Run(with("whole.glb")).code, 0);
  RunAndKill(with("killed.glb"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "killed.glb"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "killed.field"));
  const ProgramResult resumed = Run(with("killed.glb"));
  ASSERT_EQ(resumed.code, 0) << resumed.errors;
  EXPECT_NE(resumed.output.find("gone on from step"), std::string::npos) << resumed.output;
  EXPECT_EQ(ReadFile(folder_ / "killed.field"), ReadFile(folder_ / "whole.field"));
  EXPECT_EQ(ReadFile(folder_ / "killed.glb"), ReadFile(folder_ / "whole.glb"));
}

}  // namespace
}  // namespace sinew::testing
