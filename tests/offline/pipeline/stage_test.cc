// Stages that only count: what is kept, what is done again, what a broken run leaves.
#include "sinew/offline/pipeline/stage.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <map>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/core/write_error.h"
#include "tests/support/temporary_folder.h"

namespace sinew::pipeline {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

// a -> b -> d, a -> c -> d: every stage writes its inputs and its setting, d into a folder and into the times.
class Chain {
 public:
  Chain() {
    SetQuiet(true);
    fs::create_directory(folder_ / "stages");
  }

  std::vector<Stage> Stages() {
    std::vector<Stage> stages;
    stages.push_back(Make("a", {}, {"a.txt"}));
    stages.push_back(Make("b", {"a.txt"}, {"b.txt"}));
    stages.push_back(Make("c", {"a.txt"}, {"c.txt"}));
    stages.push_back(Make("d", {"b.txt", "c.txt"}, {"d.folder"}));
    stages.push_back(Make("e", {"d.folder"}, {"times.json#e"}));
    stages.back().measured = true;
    return stages;
  }

  Names Run(const Names& redo = {}) {
    done_.clear();
    RunStages(folder_.path(), Stages(), redo);
    return done_;
  }
  Names Plan(const Names& redo = {}) {
    const std::vector<Stage> stages = Stages();
    Names planned;
    for (const PlannedStage& stage : PlanStages(folder_.path(), stages, redo)) {
      if (!stage.kept) planned.push_back(stage.stage->name);
    }
    return planned;
  }

  fs::path operator/(const std::string& name) const { return folder_ / name; }
  const fs::path& path() const { return folder_.path(); }

  std::map<std::string, std::string> settings = {{"a", "1"}, {"b", "1"}, {"c", "1"}, {"d", "1"}, {"e", "1"}};
  std::string throw_in;       // this stage fails half-way
  bool disk_is_full = false;  // and not for its own sake
  bool b_ignores = false;

 private:
  Stage Make(const std::string& name, const Names& needs, const Names& outputs) {
    Stage stage{.name = name, .does = "write", .needs = needs, .settings = {{"value", settings[name]}}};
    stage.outputs = outputs;
    stage.cost = {.serial = 0, .parallel = 1};
    stage.keeps = "files";
    stage.remedy = "try again";
    stage.run = [this, name, needs, outputs](const StageContext& context) { Work(name, needs, outputs, context); };
    return stage;
  }

  void Work(const std::string& name, const Names& needs, const Names& outputs, const StageContext& context) {
    done_.push_back(name);
    std::string text = b_ignores && name == "b" ? "" : settings[name];
    for (const std::string& need : needs) text += HashPath(context.folder / need);
    if (outputs[0] == "times.json#e") return context.times.Set("measured", "e", text);
    if (outputs[0].ends_with(".folder")) fs::create_directories(context.folder / outputs[0]);
    const fs::path file = outputs[0].ends_with(".folder") ? fs::path(outputs[0]) / "x.txt" : fs::path(outputs[0]);
    if (throw_in == name) {
      WriteFileAtomic(context.folder / file, "half");
      if (disk_is_full) throw WriteError("a.bin", ENOSPC);
      throw FailedError("it broke");
    }
    if (fs::exists(context.folder / file)) ++resumed;
    WriteFileAtomic(context.folder / file, text);
  }

  const testing::TemporaryFolder folder_;
  Names done_;

 public:
  int resumed = 0;  // times that a stage found what an earlier run had left
};

const Names kAll = {"a", "b", "c", "d", "e"};

TEST(Stages, AreKeptUntilSomethingChanges) {
  Chain chain;
  EXPECT_EQ(chain.Plan(), kAll);
  EXPECT_EQ(chain.Run(), kAll);
  EXPECT_EQ(chain.Plan(), Names{});
  EXPECT_EQ(chain.Run(), Names{});
  EXPECT_EQ(chain.Run({"b"}), Names{"b"}) << "the same bytes again change nothing after it";
}

TEST(Stages, ASettingRedoesItsDependentsOnly) {
  const std::map<std::string, Names> follow = {
      {"a", kAll}, {"b", {"b", "d", "e"}}, {"c", {"c", "d", "e"}}, {"d", {"d", "e"}}, {"e", {"e"}}};
  for (const auto& [name, expected] : follow) {
    SCOPED_TRACE(name);
    Chain chain;
    chain.Run();
    chain.settings[name] = "2";
    EXPECT_EQ(chain.Plan(), expected);
    EXPECT_EQ(chain.Run(), expected);
    EXPECT_EQ(chain.Run(), Names{});
  }
}

TEST(Stages, ASettingWithoutEffectEndsThere) {
  Chain chain;
  chain.b_ignores = true;
  chain.Run();
  chain.settings["b"] = "2";
  EXPECT_EQ(chain.Plan(), (Names{"b", "d", "e"})) << "a plan cannot know";
  EXPECT_EQ(chain.Run(), Names{"b"});
}

TEST(Stages, OutputsThatWereChangedOrLostAreMadeAgain) {
  for (const bool lost : {false, true}) {
    for (const auto& [file, stage] : {std::pair("a.txt", "a"), {"c.txt", "c"}, {"d.folder/x.txt", "d"}}) {
      Chain chain;
      chain.Run();
      if (lost) {
        fs::remove(chain / file);
      } else {
        fs::resize_file(chain / file, fs::file_size(chain / file) - 1);
      }
      EXPECT_EQ(chain.Run(), Names{stage}) << file;
      EXPECT_EQ(chain.Run(), Names{});
    }
  }
}

TEST(Stages, AFileBesideThoseOfAFolderIsNoticed) {
  Chain chain;
  chain.Run();
  WriteFileAtomic(chain / "d.folder/more.txt", "more");
  EXPECT_EQ(chain.Run(), Names{"d"});
}

TEST(Stages, LostTimesCostTimesOnly) {
  Chain chain;
  chain.Run();
  WriteFileAtomic(chain / "times.json", "not json");
  EXPECT_EQ(chain.Run(), Names{"e"});
}

TEST(Stages, AFailureNamesItsStageAndTheNextRunGoesOnWithWhatItHad) {
  Chain chain;
  chain.throw_in = "c";
  try {
    chain.Run();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kFailed);
    EXPECT_STREQ(error.what(), "stage c: it broke; try again");
  }
  chain.throw_in = "";
  EXPECT_EQ(chain.Run(), (Names{"c", "d", "e"}));
  EXPECT_EQ(chain.resumed, 1);
  // Begun with other settings, what is there is of no use.
  chain.settings["c"] = "2";
  chain.throw_in = "c";
  EXPECT_THROW(chain.Run(), Error);
  chain.settings["c"] = "3";
  chain.throw_in = "";
  EXPECT_EQ(chain.Run(), (Names{"c", "d", "e"}));
  EXPECT_EQ(chain.resumed, 1);
}

TEST(Stages, APlanSaysWhatWorkWouldBeLost) {
  Chain chain;
  const auto lost = [&](const Names& redo = {}) {
    Names names;
    const std::vector<Stage> stages = chain.Stages();
    for (const PlannedStage& planned : PlanStages(chain.path(), stages, redo)) {
      if (planned.lost_seconds > 0) names.push_back(planned.stage->name);
    }
    return names;
  };
  EXPECT_EQ(lost(), Names{}) << "there is nothing yet";
  chain.Run();
  EXPECT_EQ(lost(), Names{});
  chain.settings["c"] = "2";
  EXPECT_EQ(lost(), (Names{"c", "d", "e"}));
  fs::remove(chain / "c.txt");
  EXPECT_EQ(lost(), (Names{"d", "e"})) << "what is gone is not lost";
}

TEST(Stages, AnInterruptedStageGoesOnOnlyIfItKeptSomething) {
  Chain chain;
  chain.throw_in = "c";
  EXPECT_THROW(chain.Run(), Error);
  const auto why = [&] {
    const std::vector<Stage> stages = chain.Stages();
    return PlanStages(chain.path(), stages, {})[2].why;
  };
  EXPECT_EQ(why(), "it was begun and goes on");
  chain.settings["c"] = "2";
  EXPECT_EQ(why(), "it was begun with other settings or inputs");
  chain.settings["c"] = "1";
  fs::remove(chain / "c.txt");
  EXPECT_EQ(why(), "it was begun, and nothing of it is kept");
}

TEST(Stages, AFullDiskIsNotMetWithAdviceAboutTheStage) {
  Chain chain;
  chain.throw_in = "c";
  chain.disk_is_full = true;
  try {
    chain.Run();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kFailed);
    EXPECT_STREQ(error.what(), "stage c: a.bin: cannot be written: the disk is full (No space left on device)");
  }
}

TEST(Stages, AStageThatIsNoneIsAUsageError) {
  Chain chain;
  EXPECT_THROW(chain.Run({"f"}), UsageError);
  EXPECT_THROW(chain.Plan({"f"}), UsageError);
}

TEST(Stages, APlanWritesNothing) {
  const testing::TemporaryFolder empty;
  const std::vector<Stage> stages = Chain().Stages();
  EXPECT_EQ(PlanStages(empty.path(), stages, {}).size(), 5u);
  EXPECT_EQ(PlanStages(empty / "no/such", stages, {}).size(), 5u);
  EXPECT_TRUE(fs::is_empty(empty.path()));
}

// Whatever is done in between, the end is what one clean run gives.
TEST(Stages, EveryHistoryEndsInTheSameBytes) {
  Chain clean;
  clean.Run();
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Chain used;
    for (int step = 0; step < 6; ++step) {
      const std::string name(1, static_cast<char>('a' + random.Below(5)));
      const auto what = static_cast<int>(random.Below(4));
      used.throw_in = what == 3 ? name : "";
      used.settings[name] = std::to_string(what);
      try {
        used.Run();
      } catch (const Error&) {
      }
    }
    used.throw_in = "";
    used.settings = clean.settings;
    used.Run();
    for (const char* file : {"a.txt", "b.txt", "c.txt", "d.folder", "stages"}) {
      EXPECT_EQ(HashPath(used / file), HashPath(clean / file)) << file;
    }
  }
}

}  // namespace
}  // namespace sinew::pipeline
