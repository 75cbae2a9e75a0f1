// sinew simulate as a user and a farm call it: ended at any moment, in parts, with wrong inputs.
#include <fmt/format.h>

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/io/poses.h"
#include "tests/support/datasets.h"
#include "tests/support/full_disk.h"
#include "tests/tools/egg_command.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::FilesBelow;
using testing::ProgramResult;
using testing::Words;

constexpr int kFrames = 40;

class SimulateCommand : public testing::EggCommand {
 protected:
  SimulateCommand() {
    Clip clip;
    clip.skeleton = testing::TestCharacter().skeleton;
    clip.motion = {.name = "walk", .frames_per_second = 30, .joints = JointNames(clip.skeleton), .frames = {}};
    Random random(1);
    for (int f = 0; f < kFrames; ++f) clip.motion.frames.push_back(testing::RandomPose(clip.skeleton, random, 0.1));
    WritePoses(folder_ / "walk.poses", clip);
  }

  static Words Call(const std::string& output, const Words& more = {}) {
    Words words = {"simulate", "egg.glb", "--poses", "walk.poses", "-o", output, "--tets", "300", "--json", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  // Starts it, and kills it as soon as a chunk is in the dataset.
  void KillAfterAChunk(const Words& words, const fs::path& dataset) const {
    testing::RunAndKillSinewIn(folder_.path(), words, [&] {
      return dataset::IsDataset(dataset) && dataset::Dataset(dataset).frame_count() > 0;
    });
  }
};

TEST_F(SimulateCommand, EndedAndInPartsItGivesTheSameBytes) {
  RunWell(Call("whole"));
  const auto whole = FilesBelow(folder_ / "whole");
  ASSERT_EQ(dataset::Dataset(folder_ / "whole").frame_count(), kFrames);

  KillAfterAChunk(Call("killed", {"--threads", "2"}), folder_ / "killed");
  const int before = dataset::Dataset(folder_ / "killed").frame_count();
  EXPECT_GT(before, 0);
  const Json resumed = RunWell(Call("killed", {"--resume", "--threads", "1"}));
  EXPECT_EQ(resumed["simulated"].get<int>(), kFrames - before);
  auto killed = FilesBelow(folder_ / "killed");
  std::erase_if(killed, [](const auto& file) { return file.first.ends_with(".tmp"); });
  EXPECT_EQ(killed, whole);

  RunWell(Call("part1", {"--frames", "0:13"}));
  RunWell(Call("part2", {"--frames", "13:"}));
  EXPECT_EQ(Run({"dataset", "merge", "part2", "part1", "-o", "merged"}).code, 0);
  EXPECT_EQ(FilesBelow(folder_ / "merged"), whole);
}

TEST_F(SimulateCommand, DynamicsSolveMotionsAsWholes) {
  Words both = Call("swing", {"--dynamics"});
  both.insert(both.begin() + 4, "more.poses");
  Clip clip = ReadPoses(folder_ / "walk.poses");
  clip.motion.name = "run";
  clip.motion.frames.resize(6);
  WritePoses(folder_ / "more.poses", clip);
  RunWell(both);
  const dataset::Dataset swing(folder_ / "swing");
  EXPECT_EQ(swing.frame_count(), kFrames + 6);
  for (const dataset::DatasetMotion& motion : swing.manifest().motions) EXPECT_EQ(motion.rate, 30) << motion.name;

  both[6] = "killed";
  KillAfterAChunk(both, folder_ / "killed");
  both.insert(both.end(), {"--resume", "--threads", "1"});
  RunWell(both);
  auto killed = FilesBelow(folder_ / "killed");
  std::erase_if(killed, [](const auto& file) { return file.first.ends_with(".tmp"); });
  EXPECT_EQ(killed, FilesBelow(folder_ / "swing"));
  both[6] = "part";
  both.insert(both.end(), {"--frames", "40:46"});
  RunWell(both);

  ExpectRefused(Call("new", {"--dynamics", "--frames", "3:9"}), 2, {"in two, which dynamics cannot"});
  clip.motion.frames_per_second = 0;
  WritePoses(folder_ / "walk.poses", clip);
  ExpectRefused(Call("new", {"--dynamics"}), 3, {"has no frame rate"});
}

TEST_F(SimulateCommand, WrongInputsAreOneSentence) {
  RunWell(Call("there", {"--frames", "0:2"}));
  const auto before = FilesBelow(folder_ / "there");
  ExpectRefused(Call("there"), 4, {"there: exists; go on with it with --resume"});
  ExpectRefused(Call("there", {"--resume", "--poisson", "0.4"}), 3, {"was begun with poisson 0.47 instead of 0.4"});
  ExpectRefused(Call("there", {"--resume", "--tolerance", "1e-6"}), 3, {"tolerance"});
  fs::create_directory(folder_ / "other");
  ExpectRefused(Call("other", {"--resume"}), 4, {"other: exists and is not a dataset"});
  ExpectRefused(Call("new", {"--frames", "99:"}), 2, {"--frames 99:: names no frame"});
  ExpectRefused(Call("new", {"--poisson", "0.6"}), 2, {"oisson"});
  ExpectRefused(Call("new", {"--role", "hat=rigid"}), 2, {"\"hat\"", "skin"});
  ExpectRefused(Call("there", {"--resume", "--role", "skin=flesh"}), 3,
                {"was begun with parts \"\" instead of \"skin=flesh\""});

  Character bare = testing::TestCharacter();
  WriteCharacter(testing::TestCharacter({.height = 1.5, .names = {}}), folder_ / "small.glb");
  bare.parts[0].weights = {};
  bare.parts[0].skin = -1;
  WriteCharacter(bare, folder_ / "bare.glb");
  Words words = Call("there", {"--resume"});
  words[1] = "small.glb";
  ExpectRefused(words, 3, {"there: is a dataset of another character"});
  words[1] = "bare.glb";
  ExpectRefused(words, 3, {"bare.glb: has no skeleton, or no vertex with skinning weights"});
  {
    const testing::FullDisk disk(4000);
    ExpectRefused(Call("new"), 4, {"cannot be written"});
  }
  EXPECT_FALSE(fs::exists(folder_ / "new"));
  EXPECT_EQ(FilesBelow(folder_ / "there"), before);
}

TEST_F(SimulateCommand, AFullDiskLosesNothing) {
  RunWell(Call("whole"));
  RunWell(Call("begun", {"--frames", "0:16"}));
  const auto before = FilesBelow(folder_ / "begun");
  uintmax_t largest = 0;
  for (const auto& [file, bytes] : before)
    largest = std::max<uintmax_t>(largest, fs::file_size(folder_ / "begun" / file));
  {
    const testing::FullDisk disk(largest - 1);
    ExpectRefused(Call("begun", {"--resume", "--threads", "1"}), 4,
                  {"16 frames are kept in begun, so make room and go on with --resume"});
  }
  EXPECT_EQ(Run({"dataset", "check", "begun"}).code, 0);
  EXPECT_EQ(dataset::Dataset(folder_ / "begun").frame_count(), 16);
  RunWell(Call("begun", {"--resume"}));
  EXPECT_EQ(FilesBelow(folder_ / "begun"), FilesBelow(folder_ / "whole"));
}

TEST_F(SimulateCommand, PlansPartsOfWholeMotions) {
  Clip clip = ReadPoses(folder_ / "walk.poses");
  for (const int frames : {6, 5, 30}) {
    clip.motion.frames.resize(frames, clip.motion.frames[0]);
    WritePoses(folder_ / fmt::format("more{}.poses", frames), clip);
  }
  Words words = Call("none", {"--plan", "12"});
  words.insert(words.begin() + 4, {"more6.poses", "more5.poses", "more30.poses"});
  EXPECT_EQ(RunWell(words)["parts"].dump(), R"(["0:12","12:24","24:36","36:48","48:60","60:72","72:81"])");
  words.push_back("--dynamics");
  EXPECT_EQ(RunWell(words)["parts"].dump(), R"(["0:40","40:51","51:81"])");
  EXPECT_FALSE(fs::exists(folder_ / "none"));
}

TEST_F(SimulateCommand, PosesThatAreNoneAreOneSentence) {
  Clip clip = ReadPoses(folder_ / "walk.poses");
  clip.skeleton.joints[3].name = "fin";
  clip.motion.joints = JointNames(clip.skeleton);
  WritePoses(folder_ / "walk.poses", clip);
  ExpectRefused(Call("new"), 3, {"poses joints that the character lacks: \"fin\""});
  EXPECT_FALSE(fs::exists(folder_ / "new"));
}

}  // namespace
}  // namespace sinew
