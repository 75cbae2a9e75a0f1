// `sinew learn ablate` as a user calls it, on a small body. What trains is skipped where libsinew_torch is not
// built.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/poses.h"
#include "tests/support/random_character.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_character.h"
#include "tests/tools/command_files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::ExpectOneSentence;
using ::testing::HasSubstr;
using testing::ProgramResult;
using testing::Sinew;
using testing::Words;

bool TorchIsBuilt() { return fs::exists(fs::read_symlink("/proc/self/exe").parent_path() / "libsinew_torch.so"); }

class AblateTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new testing::TemporaryFolder;
    Make("a", 1.0, 1);
    Make("test", 1.1, 3);
  }
  static void TearDownTestSuite() { delete folder_; }

  static void Make(const std::string& name, double height, uint64_t seed) {
    const Character character = testing::TestCharacter({.height = height});
    WriteCharacter(character, *folder_ / (name + ".glb"));
    Clip clip;
    clip.skeleton = character.skeleton;
    clip.motion = {.name = "walk", .frames_per_second = 30, .joints = {}, .frames = {}};
    for (const Joint& joint : clip.skeleton.joints) clip.motion.joints.push_back(joint.name);
    Random random(seed);
    for (int f = 0; f < 20; ++f) clip.motion.frames.push_back(testing::RandomPose(clip.skeleton, random, 0.2));
    WritePoses(*folder_ / (name + ".poses"), clip);
    const ProgramResult run = Sinew(
        {"dataset", "procedural", name + ".glb", "--poses", name + ".poses", "-o", name + ".dataset"}, folder_->path());
    ASSERT_EQ(run.code, 0) << run.errors;
  }

  static Words Call(const std::string& output, const Words& more = {}) {
    Words words = {"learn", "ablate",  "a.dataset", "--on",      "test.dataset",    "-o",
                   output,  "--rows",  "mlp",       "--rates",   "1e-3,3e-3",       "--epochs",
                   "0.1",   "--batch", "2",         "--methods", "dual-quaternion", "--test-frames",
                   "3",     "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static std::string Table(const std::string& output) { return ReadTextFile(*folder_ / output / "rows.md"); }

  inline static testing::TemporaryFolder* folder_ = nullptr;
};

TEST_F(AblateTest, RefusesWhatItMust) {
  const auto refused = [&](int code, const Words& words, const char* why) {
    const ProgramResult run = Sinew(words, folder_->path());
    EXPECT_EQ(run.code, code) << run.errors;
    ExpectOneSentence(run.errors);
    EXPECT_THAT(run.errors, HasSubstr(why));
    EXPECT_FALSE(fs::exists(*folder_ / "none"));
  };
  refused(2, {"learn", "ablate", "a.dataset", "-o", "none", "--rows", "mlpp"}, "the nearest is 'mlp'");
  refused(2, {"learn", "ablate", "a.dataset", "-o", "none", "--bodies", "7"}, "the number of bodies to train on is 1");
  refused(2, {"learn", "ablate", "a.dataset", "-o", "none", "--rates", "1e-3,0.001"}, "--rates names one rate twice");
  refused(3, {"learn", "ablate", "a.dataset", "-o", "none", "--on", "a.dataset"},
          "of the 20 frames to test on are trained on; give frames that are kept apart");
  refused(3, {"learn", "ablate", "a.dataset", "-o", "none", "--on", "no.dataset"}, "no.dataset");
  refused(2, {"learn", "ablate", "a.dataset", "-o", "test.dataset"}, "holds no trainings");
}

TEST_F(AblateTest, WritesATableAndTrainsNothingTwice) {
  if (!TorchIsBuilt()) GTEST_SKIP() << "libsinew_torch.so is not built";
  const ProgramResult run = Sinew(Call("rows", {"--moved"}), folder_->path());
  ASSERT_EQ(run.code, 0) << run.errors;
  const Json json = Json::parse(ReadTextFile(*folder_ / "rows" / "rows.json"));
  ASSERT_EQ(json["rows"].size(), 1u);
  const Json& row = json["rows"][0];
  EXPECT_EQ(row["tried"].size(), 2u);
  double best = 1e9;
  for (const Json& tried : row["tried"]) best = std::min(best, tried["validation_mm"].get<double>());
  EXPECT_EQ(row["validation_mm"].get<double>(), best);
  EXPECT_EQ(row["methods"].size(), 2u);
  EXPECT_EQ(json["skinning"].size(), 2u);
  EXPECT_TRUE(fs::exists(*folder_ / "rows" / "rows.csv") && fs::exists(*folder_ / "rows" / "rows.svg"));
  EXPECT_THAT(run.output, HasSubstr(Table("rows")));

  // Nothing is trained again, a row can be added, and other options are refused.
  const fs::path model = *folder_ / "rows" / "trainings" / "mlp-0.001.model";
  const auto trained = fs::last_write_time(model);
  const std::string table = Table("rows");
  Words more = Call("rows", {"--moved"});
  *std::find(more.begin(), more.end(), "mlp") = "mlp,positions";
  ASSERT_EQ(Sinew(more, folder_->path()).code, 0);
  EXPECT_EQ(fs::last_write_time(model), trained);
  EXPECT_THAT(Table("rows"), HasSubstr("| positions |"));
  EXPECT_NE(Table("rows"), table);
  // Results are enough.
  fs::remove_all(*folder_ / "rows" / "trainings");
  ASSERT_EQ(Sinew(Call("rows", {"--moved"}), folder_->path()).code, 0);
  EXPECT_EQ(Table("rows"), table);
  EXPECT_FALSE(fs::exists(model));
  EXPECT_EQ(Sinew(Call("rows", {"--seed", "2"}), folder_->path()).code, 2);
}

TEST_F(AblateTest, HasTheSameBytesAfterAKillAndWithSeveralAtOnce) {
  if (!TorchIsBuilt()) GTEST_SKIP() << "libsinew_torch.so is not built";
  ASSERT_EQ(Sinew(Call("whole"), folder_->path()).code, 0);
  const fs::path first = *folder_ / "killed" / "trainings" / "mlp-0.001.model";
  testing::RunAndKillSinewIn(folder_->path(), Call("killed"), [&] { return fs::exists(first); });
  const ProgramResult run = Sinew(Call("killed", {"--at-once", "2", "--threads", "1"}), folder_->path());
  ASSERT_EQ(run.code, 0) << run.errors;
  EXPECT_EQ(Table("killed"), Table("whole"));
  for (const char* file : {"mlp-0.001.model", "mlp-0.003.model"}) {
    EXPECT_EQ(ReadTextFile(*folder_ / "killed" / "trainings" / file),
              ReadTextFile(*folder_ / "whole" / "trainings" / file));
  }
}

}  // namespace
}  // namespace sinew
