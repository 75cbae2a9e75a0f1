// `sinew skin` as a user calls it: results, bad calls and what they say, threads, kills.
#include "sinew/offline/core/file.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/obj.h"
#include "tests/tools/egg_command.h"

namespace sinew::testing {
namespace {

class SkinCommand : public EggCommand {
 protected:
  SkinCommand() { WriteFileAtomic(folder_ / "egg.obj", EncodeObj(TestCharacter())); }

  // Starts `sinew skin`, and kills it without warning once it has left a checkpoint.
  void RunAndKill(const Words& words) {
    const int code = RunAndKillSinewIn(folder_.path(), words,
                                       [&] { return std::filesystem::exists(folder_ / "killed.field.checkpoint"); });
    ASSERT_EQ(code, -1) << "it was done before it could be killed";
  }
};

TEST_F(SkinCommand, WritesWeightsAndAFieldThatGivesThemAgain) {
  const ProgramResult made = Run({"skin", "egg.glb", "-o", "out.glb", "--steps", "20", "--quiet"});
  ASSERT_EQ(made.code, 0) << made.errors;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.field.checkpoint"));
  const Character skinned = gltf::ReadGltf(folder_ / "out.glb");
  EXPECT_LE(skinned.parts[0].weights.influences, 4);
  ASSERT_EQ(Run({"skin", "--apply", "out.field", "egg.glb", "-o", "again.glb"}).code, 0);
  EXPECT_EQ(gltf::ReadGltf(folder_ / "again.glb").parts[0].weights.weights, skinned.parts[0].weights.weights);
  const ProgramResult several = Run({"skin", "--apply", "out.field", "egg.glb", "egg.obj", "-o", "levels"});
  ASSERT_EQ(several.code, 0) << several.errors;
  EXPECT_EQ(gltf::ReadGltf(folder_ / "levels/egg.glb").skeleton.joint_count(), skinned.skeleton.joint_count());
}

TEST_F(SkinCommand, TakesASkeletonFromElsewhere) {
  ASSERT_EQ(Run({"skin", "egg.obj", "--skeleton", "egg.glb", "--method", "proximity", "-o", "a.glb"}).code, 0);
  ASSERT_EQ(Run({"skin", "egg.obj", "--method", "transfer", "--from", "egg.glb", "-o", "b.glb"}).code, 0);
  EXPECT_EQ(gltf::ReadGltf(folder_ / "b.glb").skeleton.joint_count(), TestCharacter().skeleton.joint_count());
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
  expect({"skin", "--apply", "egg.glb", "egg.glb", "-o", "a.glb"}, 3, "is not that of a weight field");
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
