// The command line as a whole. Which commands there are, and how they are called, is asked from the program itself: a
// new command is covered as soon as it is listed.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "tests/support/full_disk.h"
#include "tests/support/small_model.h"
#include "tests/support/synthetic_deformer.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_character.h"
#include "tests/tools/command_files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::ExpectOneJsonObject;
using testing::ExpectOneSentence;
using testing::InputFiles;
using testing::IsOutputOption;
using testing::MadeSmall;
using testing::MakeBundle;
using testing::MakeDataset;
using testing::MakeInput;
using testing::ProgramResult;
using testing::Sinew;
using testing::SplitWords;
using testing::TemporaryFolder;
using testing::With;
using testing::Words;

// The names under "Subcommands:" in the help of a command, or of sinew itself.
Words NamesBelow(Words command) {
  command.emplace_back("--help");
  std::istringstream help(Sinew(command).output);
  Words names;
  bool listing = false;
  for (std::string line; std::getline(help, line);) {
    if (line.starts_with("Subcommands:")) listing = true;
    // Two columns in are names; further in, their descriptions go on.
    if (listing && line.size() > 2 && line.starts_with("  ") && line[2] != ' ') names.push_back(SplitWords(line)[0]);
  }
  return names;
}

// All that do something: "inspect", and of commands that have some below them those, as "dataset info".
Words CommandNames() {
  Words names;
  for (const std::string& name : NamesBelow({})) {
    const Words below = NamesBelow({name});
    for (const std::string& verb : below) names.push_back(name + " " + verb);
    if (below.empty()) names.push_back(name);
  }
  return names;
}

// The command lines at the end of a command's help, without the program's name.
std::vector<Words> Examples(const std::string& command) {
  const std::string help = Sinew(With(command, {"--help"})).output;
  const size_t at = help.rfind("Example:");
  std::vector<Words> examples;
  if (at == std::string::npos) return examples;
  std::istringstream lines(help.substr(at));
  for (std::string line; std::getline(lines, line);) {
    Words words = SplitWords(line);
    if (words.size() < 2 || words[0] != "sinew") continue;
    examples.emplace_back(words.begin() + 1, words.end());
  }
  return examples;
}

TEST(CommandLine, ListsItsCommands) {
  const Words names = CommandNames();
  EXPECT_NE(std::find(names.begin(), names.end(), "inspect"), names.end());
}

TEST(CommandLine, VersionAndHelpAreNoErrors) {
  const ProgramResult version = Sinew({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.output.starts_with("sinew ")) << version.output;
  EXPECT_EQ(SplitWords(version.output).size(), 2u);
  EXPECT_EQ(Sinew({"--help"}).code, 0);
}

TEST(CommandLine, WrongCallsExitWith2AndSayWhatToDo) {
  for (const Words& wrong :
       std::vector<Words>{{}, {"no-such-command"}, {"--no-such-option"}, {"dataset"}, {"dataset", "no-such-verb"}}) {
    const ProgramResult run = Sinew(wrong);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.output, "");
    EXPECT_TRUE(run.errors.starts_with("sinew: ")) << run.errors;
    EXPECT_NE(run.errors.find("--help"), std::string::npos) << run.errors;
  }
}

TEST(EveryCommand, HasHelpWithAnExampleThatTheHelpExplains) {
  for (const std::string& name : CommandNames()) {
    SCOPED_TRACE(name);
    const ProgramResult help = Sinew(With(name, {"--help"}));
    EXPECT_EQ(help.code, 0);
    for (const char* option : {"--json", "--quiet", "--seed", "--threads"}) {
      EXPECT_NE(help.output.find(option), std::string::npos) << option;
    }
    const std::vector<Words> examples = Examples(name);
    EXPECT_FALSE(examples.empty());
    const std::string options = help.output.substr(0, help.output.rfind("Example:"));
    for (const Words& example : examples) {
      const Words own = SplitWords(name);
      EXPECT_TRUE(std::equal(own.begin(), own.end(), example.begin()));
      for (const std::string& word : example) {
        if (word.starts_with("-")) {
          EXPECT_NE(options.find(word), std::string::npos) << word;
        }
      }
    }
  }
}

TEST(EveryCommand, RefusesWhatItDoesNotKnow) {
  for (const std::string& name : CommandNames()) {
    SCOPED_TRACE(name);
    for (const Words& wrong : std::vector<Words>{{"--no-such-option"}, {"--threads", "many"}}) {
      const ProgramResult run = Sinew(With(name, wrong));
      EXPECT_EQ(run.code, 2);
      EXPECT_EQ(run.output, "");
      EXPECT_TRUE(run.errors.starts_with("sinew: ")) << run.errors;
    }
  }
}

TEST(EveryCommand, SaysWhichFileIsMissing) {
  const TemporaryFolder empty;
  for (const std::string& name : CommandNames()) {
    for (const Words& example : Examples(name)) {
      const Words inputs = InputFiles(example);
      if (inputs.empty()) continue;
      SCOPED_TRACE(name);
      const ProgramResult run = Sinew(example, empty.path());
      EXPECT_EQ(run.code, 3);
      EXPECT_EQ(run.output, "");
      ExpectOneSentence(run.errors);
      EXPECT_TRUE(std::any_of(inputs.begin(), inputs.end(), [&](const std::string& file) {
        return run.errors.find(file) != std::string::npos;
      })) << run.errors;
      EXPECT_TRUE(fs::is_empty(empty.path())) << "something was written";
      Words with_json = example;
      with_json.push_back("--json");
      const ProgramResult as_json = Sinew(with_json, empty.path());
      EXPECT_EQ(as_json.code, 3);
      ExpectOneJsonObject(as_json.output);
      EXPECT_EQ(Json::parse(as_json.output).value("code", 0), 3);
    }
  }
}

// Whether scripts/torch has built what training of large networks loads.
bool TorchIsBuilt() { return fs::exists(fs::read_symlink("/proc/self/exe").parent_path() / "libsinew_torch.so"); }

bool NeedsTorch(const std::string& command) {
  const Words those = {"learn train", "learn ablate", "learn rig", "learn rig-shapes"};
  return std::find(those.begin(), those.end(), command) != those.end();
}

void ExpectDoesWhatIsShown(const Words& example) {
  const TemporaryFolder folder;
  Words words = MadeSmall(example);
  for (const std::string& file : InputFiles(words)) MakeInput(folder / file);
  words.insert(words.end(), {"--json", "--quiet"});
  const ProgramResult run = Sinew(words, folder.path());
  EXPECT_EQ(run.code, 0) << run.errors;
  ExpectOneJsonObject(run.output);
  const bool writes = std::find(words.begin(), words.end(), "--dry-run") == words.end();
  for (size_t i = 1; i < words.size(); ++i) {
    if (IsOutputOption(words[i - 1])) {
      EXPECT_EQ(fs::exists(folder / words[i]), writes) << words[i];
    }
  }
}

// All examples take minutes: in shares that run side by side, every eighth command each.
constexpr size_t kShares = 8;
class ShareOfCommands : public ::testing::TestWithParam<size_t> {};

TEST_P(ShareOfCommands, DoesWhatItsExampleShows) {
  const std::vector<std::string> names = CommandNames();
  for (size_t i = GetParam(); i < names.size(); i += kShares) {
    if (NeedsTorch(names[i]) && !TorchIsBuilt()) continue;
    SCOPED_TRACE(names[i]);
    for (const Words& example : Examples(names[i])) ExpectDoesWhatIsShown(example);
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, ShareOfCommands, ::testing::Range<size_t>(0, kShares));

TEST(Limits, WhatCannotBeWrittenIsExitCode4) {
  const TemporaryFolder folder;
  MakeInput(folder / "a.glb");
  const ProgramResult run = Sinew({"limits", "a.glb", "-o", "no/such/folder/limits.json"}, folder.path());
  EXPECT_EQ(run.code, 4);
  ExpectOneSentence(run.errors);
  EXPECT_NE(run.errors.find("limits.json"), std::string::npos) << run.errors;
}

TEST(Bench, TakesSeveralBundlesOfOneCharacterAlone) {
  const TemporaryFolder folder;
  MakeBundle(folder / "a.sinew");
  MakeBundle(folder / "b.sinew");
  testing::RigOptions options;
  options.spines = 2;
  const lod::Hierarchy other =
      lod::BuildHierarchy(testing::TestCharacter(options), "egg", {.points = {160, 60}, .regions = 12});
  WriteFileAtomic(folder / "other.sinew", bake::BuildBundle(other, testing::SyntheticDeformer(other), {}).file.bytes());

  const ProgramResult two = Sinew({"bench", "a.sinew", "b.sinew", "--rounds", "1", "--json"}, folder.path());
  ASSERT_EQ(two.code, 0) << two.errors;
  const Json characters = Json::parse(two.output).at("characters");
  ASSERT_EQ(characters.size(), 2u);
  EXPECT_EQ(characters[0].at("file"), "a.sinew");
  EXPECT_EQ(characters[1].at("file"), "b.sinew");

  const ProgramResult hot = Sinew({"bench", "a.sinew", "--rounds", "1", "--hot", "--json"}, folder.path());
  ASSERT_EQ(hot.code, 0) << hot.errors;
  for (const Json& timing : Json::parse(hot.output).at("timings")) {
    EXPECT_TRUE(timing.contains("hot_us") && !timing.contains("cold_us")) << timing;
  }

  const ProgramResult wrong = Sinew({"bench", "a.sinew", "other.sinew", "--rounds", "1"}, folder.path());
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.errors, "sinew: other.sinew has 23 joints, a.sinew has 24: give bundles of one character\n");
}

TEST(CommandLine, AFullDiskIsOneSentenceAndExitCode4) {
  const TemporaryFolder folder;
  MakeInput(folder / "a.glb");
  WriteFileAtomic(folder / "b.glb", "old");
  const testing::FullDisk disk(2000);
  const ProgramResult run = Sinew({"convert", "a.glb", "b.glb"}, folder.path());
  EXPECT_EQ(run.code, 4);
  ExpectOneSentence(run.errors);
  EXPECT_NE(run.errors.find("b.glb: cannot be written"), std::string::npos) << run.errors;
  EXPECT_EQ(ReadTextFile(folder / "b.glb"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 2);
}

TEST(Learn, SaysWhatTrainingNeedsAndRefusesOtherModels) {
  const TemporaryFolder folder;
  MakeDataset(folder / "egg.dataset");
  if (!TorchIsBuilt()) {
    const ProgramResult run = Sinew({"learn", "train", "egg.dataset", "-o", "x.model"}, folder.path());
    EXPECT_EQ(run.code, 4);
    EXPECT_NE(run.errors.find("build it with `scripts/torch`"), std::string::npos) << run.errors;
  }
  learn::WriteModel(testing::SmallModel(), folder / "other.model");
  const ProgramResult run = Sinew({"learn", "test", "other.model", "egg.dataset"}, folder.path());
  EXPECT_EQ(run.code, 3);
  ExpectOneSentence(run.errors);
  // A training that was stopped is not thrown away by mistake.
  WriteFileAtomic(folder / "x.model.state", "state");
  const ProgramResult again = Sinew({"learn", "train", "egg.dataset", "-o", "x.model"}, folder.path());
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.errors.find("--resume"), std::string::npos) << again.errors;
}

}  // namespace
}  // namespace sinew
