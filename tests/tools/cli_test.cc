// The command line as a whole. Which commands there are, and how they are called, is asked from the program itself: a
// new command is covered as soon as it is listed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/npy.h"
#include "sinew/offline/io/poses.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "tests/support/full_disk.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/point_caches.h"
#include "tests/support/run_program.h"
#include "tests/support/small_graph_model.h"
#include "tests/support/small_model.h"
#include "tests/support/small_recipes.h"
#include "tests/support/small_rig.h"
#include "tests/support/synthetic_deformer.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_character.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::ProgramResult;
using testing::TemporaryFolder;
using Words = std::vector<std::string>;

ProgramResult Sinew(const Words& arguments, const fs::path& folder = "/") {
  return testing::RunSinewIn(folder, arguments);
}

Words SplitWords(const std::string& line) {
  std::istringstream stream(line);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

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

Words With(const std::string& command, const Words& more) {
  Words words = SplitWords(command);
  words.insert(words.end(), more.begin(), more.end());
  return words;
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

// The result, and nothing else, is on standard output.
void ExpectOneJsonObject(const std::string& out) {
  const Json json = Json::parse(out, nullptr, false);
  EXPECT_TRUE(json.is_object()) << out.substr(0, 500);
}

// "sinew: ..." and one sentence, on standard error.
void ExpectOneSentence(const std::string& err) {
  EXPECT_TRUE(err.starts_with("sinew: ")) << err;
  EXPECT_EQ(err.find("unexpected:"), std::string::npos) << err;
  EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
}

bool IsOutputOption(const std::string& word) {
  return word == "-o" || word == "--output" || word == "--picture" || word == "--report" || word == "--plots";
}

// Which of an example's words name files that must be there before: FILE, or what follows the "=" of NAME=FILE.
Words InputFiles(const Words& words) {
  static const std::set<std::string> known = {".glb",   ".gltf",  ".obj",     ".bvh",   ".npy",  ".ply",
                                              ".poses", ".field", ".dataset", ".pc2",   ".lod",  ".deformer",
                                              ".sinew", ".page",  ".build",   ".model", ".toml", ".corpus"};
  Words inputs;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string extension = LowerExtension(words[i]);
    if (known.contains(extension) && !IsOutputOption(words[i - 1])) {
      inputs.push_back(words[i].substr(words[i].find('=') + 1));
    }
  }
  return inputs;
}

Clip TestClip(uint64_t seed = 1) {
  Clip clip;
  clip.skeleton = testing::MakeRig({});
  clip.motion = {.name = "walk", .frames_per_second = 30, .joints = JointNames(clip.skeleton), .frames = {}};
  Random random(seed);
  for (int f = 0; f < 30; ++f) clip.motion.frames.push_back(testing::RandomPose(clip.skeleton, random, 0.2));
  return clip;
}

// The field of the character that MakeInput() gives for meshes.
void MakeField(const fs::path& path) {
  const TemporaryFolder folder;
  WriteCharacter(testing::TestCharacter(), folder / "egg.glb");
  const ProgramResult run =
      Sinew({"skin", "egg.glb", "-o", "skinned.glb", "--field", path.string(), "--steps", "2"}, folder.path());
  ASSERT_EQ(run.code, 0) << run.errors;
}

// Frames that no other dataset here has, if it is for testing.
void MakeDataset(const fs::path& path) {
  const TemporaryFolder folder;
  WriteCharacter(testing::TestCharacter(), folder / "egg.glb");
  WritePoses(folder / "egg.poses", TestClip(path.stem() == "test" ? 2 : 1));
  const ProgramResult run =
      Sinew({"dataset", "procedural", "egg.glb", "--poses", "egg.poses", "-o", path.string()}, folder.path());
  ASSERT_EQ(run.code, 0) << run.errors;
}

// Of the character that MakeInput() gives for meshes: what bundles are made of, too.
const lod::Hierarchy& TestHierarchy() {
  static const lod::Hierarchy hierarchy =
      lod::BuildHierarchy(testing::TestCharacter(), "egg", {.points = {160, 60}, .regions = 12});
  return hierarchy;
}

void MakeHierarchy(const fs::path& path) { lod::WriteHierarchy(path, TestHierarchy()); }

void MakeDeformer(const fs::path& path) {
  const TemporaryFolder folder;
  MakeDataset(folder / "egg.dataset");
  MakeHierarchy(folder / "egg.lod");
  const ProgramResult run =
      Sinew({"train", "egg.dataset", "--hierarchy", "egg.lod", "--steps", "20", "-o", path.string()}, folder.path());
  ASSERT_EQ(run.code, 0) << run.errors;
}

void MakeBundle(const fs::path& path) {
  const bake::BakedBundle baked = bake::BuildBundle(TestHierarchy(), testing::SyntheticDeformer(TestHierarchy()), {});
  WriteFileAtomic(path, baked.file.bytes());
}

// As many shapes as TestClip() has poses, of the character that MakeInput() gives for meshes.
void MakePointCache(const fs::path& path) {
  const int frames = TestClip().motion.frame_count(), vertices = testing::TestCharacter().vertex_count();
  WriteFileAtomic(path, testing::Pc2File(frames, vertices, std::vector<float>(3 * frames * vertices, 0.5f)));
}

// What `sinew view` shows characters on.
void MakePage(const fs::path& path) {
  fs::create_directory(path);
  WriteFileAtomic(path / "index.html", "<p>page</p>");
}

constexpr std::string_view kPointsPly =
    "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nproperty uchar "
    "shade\n"
    "end_header\n0 0.5 0 7\n0.1 1 0 8\n";

// Settings of a build that is over in a moment.
const Words kSmallBuild = {"hierarchy.levels=2",  "hierarchy.regions=8",      "poses.training=8",
                           "poses.test=2",        "poses.motion_frames=4",    "poses.wide=0",
                           "poses.human=false",   "poses.inner=0.2",          "poses.clear=false",
                           "simulation.tets=300", "simulation.contact=false", "training.steps=20",
                           "training.outliers=2", "timing.rounds=1",          "report.pictures=false"};

Words WithSettings(Words words) {
  for (const std::string& setting : kSmallBuild) words.insert(words.end(), {"--set", setting});
  return words;
}

void MakeBuild(const fs::path& path) {
  const TemporaryFolder folder;
  WriteCharacter(testing::TestCharacter(), folder / "egg.glb");
  const ProgramResult run = Sinew(WithSettings({"build", "egg.glb", "-o", path.string()}), folder.path());
  ASSERT_EQ(run.code, 0) << run.errors;
}

// A recipe, and beside it the bodies that it names.
// One biped per side, for networks that rig meshes.
constexpr const char* kBipeds = R"([corpus]
name = "bipeds"
[[bodies]]
name = "a"
embedded = "biped"
count = 1
vertices = 1000
split = "train"
[[bodies]]
name = "b"
embedded = "biped"
count = 1
vertices = 1000
split = "validation"
[[bodies]]
name = "c"
embedded = "biped"
count = 1
vertices = 1000
split = "test"
)";

void MakeRecipe(const fs::path& path) {
  if (path.stem() == "bodies") return WriteFileAtomic(path, kBipeds);
  corpus::WriteSmallBodies(path.parent_path(), 4);
  WriteFileAtomic(path, corpus::SmallRecipe(4));
}

// A corpus; with a number before its extension, as in people.2.corpus, that part of two.
void MakeCorpus(const fs::path& path) {
  const TemporaryFolder folder;
  MakeRecipe(folder / "people.toml");
  Words words = {"corpus", "make", "people.toml", "-o", path.string()};
  if (path.stem().has_extension()) {
    words.insert(words.end(), {"--part", path.stem().extension().string().substr(1) + "/2"});
  }
  const ProgramResult run = Sinew(words, folder.path());
  ASSERT_EQ(run.code, 0) << run.errors;
}

void MakeInput(const fs::path& path) {
  const std::string extension = LowerExtension(path);
  if (extension == ".build") return MakeBuild(path);
  if (extension == ".sinew") return MakeBundle(path);
  if (extension == ".dataset") return MakeDataset(path);
  if (extension == ".deformer") return MakeDeformer(path);
  if (extension == ".lod") return MakeHierarchy(path);
  if (extension == ".pc2") return MakePointCache(path);
  if (extension == ".field") return MakeField(path);
  if (extension == ".model" && path.stem() == "people") {
    return learn::WriteModel(testing::SmallGraphModel(graphnet::Body(testing::TestCharacter(), "egg")), path);
  }
  if (extension == ".model" && path.stem() == "rig") return learn::WriteModel(testing::UntrainedRigModel(1), path);
  if (extension == ".model") return learn::WriteModel(testing::SmallModel(), path);
  if (path.filename() == "hero.obj") return WriteCharacter(testing::WithoutRig(testing::SmallBiped()), path);
  if (extension == ".toml") return MakeRecipe(path);
  if (extension == ".corpus") return MakeCorpus(path);
  if (extension == ".page") return MakePage(path);
  if (extension == ".ply") return WriteFileAtomic(path, kPointsPly);
  if (extension == ".bvh") return WriteBvh(path, TestClip());
  if (extension == ".poses") return WritePoses(path, TestClip());
  if (extension == ".npy") return WriteNpy(path, MakeNpy(std::vector<float>{1, 2, 3}, {3}));
  WriteCharacter(testing::TestCharacter(), path);
}

// Examples show what looks good; for a test small is enough.
Words MadeSmall(Words words) {
  const std::map<std::string, std::string> small = {
      {"--vertices", "1000"},    {"--count", "5"},       {"--bodies", "2"}, {"--size", "64"},    {"--rounds", "1"},
      {"--pose", "left_hip=20"}, {"--triangles", "400"}, {"--places", "2"}, {"--rotations", "2"}};
  for (size_t i = 1; i < words.size(); ++i) {
    if (const auto found = small.find(words[i - 1]); found != small.end()) words[i] = found->second;
  }
  // Good without it, and then slow.
  if (words[0] == "skin" || words[0] == "train") words.insert(words.end(), {"--steps", "20"});
  if (words[0] == "learn" && words[1] == "train") words.insert(words.end(), {"--steps", "4"});
  if (words[0] == "learn" && words[1] == "rig") {
    words.insert(words.end(), {"--network", "small", "--examples", "1", "--validation-examples", "1", "--steps", "2"});
  }
  if (words[0] == "learn" && words[1] == "test-rig") words.insert(words.end(), {"--examples", "1"});
  if (std::find(words.begin(), words.end(), "--rig") != words.end()) {
    words.insert(words.end(), {"--connectivities", "1", "--test-connectivities", "1"});
  }
  if (words[0] == "contact" && words[1] == "learn") {
    words.insert(words.end(), {"--steps", "3", "--states", "1", "--depths", "1", "--width", "8", "--tets", "600"});
  }
  if (words[0] == "contact" && words[1] == "bench") {
    words.insert(words.end(), {"--steps", "3", "--states", "1", "--depths", "2", "--test", "2", "--width", "8"});
  }
  if (words[0] == "fronts") words.insert(words.end(), {"--steps", "20", "--epsilons", "1e-3", "--rounds", "1"});
  if (words[0] == "build") words = WithSettings(words);
  if (words[0] == "simulate") words.insert(words.end(), {"--tets", "600", "--frames", "0:2"});
  // Shows a page until someone ends it.
  if (words[0] == "view") words.insert(words.end(), {"--page", "small.page", "--export", "site"});
  return words;
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

TEST(EveryCommand, DoesWhatItsExampleShows) {
  for (const std::string& name : CommandNames()) {
    if ((name == "learn train" || name == "learn rig") && !TorchIsBuilt()) continue;
    for (const Words& example : Examples(name)) {
      SCOPED_TRACE(name);
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
  }
}

TEST(Inspect, ReadsEveryKindOfFileAndExitsWith0WhateverItFinds) {
  const TemporaryFolder folder;
  for (const char* file : {"a.glb", "a.gltf", "a.obj", "a.bvh", "a.npy", "a.poses", "a.sinew", "a.model"}) {
    SCOPED_TRACE(file);
    MakeInput(folder / file);
    const ProgramResult text = Sinew({"inspect", file}, folder.path());
    EXPECT_EQ(text.code, 0) << text.errors;
    EXPECT_TRUE(text.output.starts_with(file)) << text.output;
    EXPECT_NE(text.output.find("Findings"), std::string::npos) << text.output;
    const ProgramResult json = Sinew({"inspect", file, "--json"}, folder.path());
    ExpectOneJsonObject(json.output);
    EXPECT_TRUE(Json::parse(json.output).contains("findings"));
  }
}

TEST(Inspect, ListsTheJointsOfACharacter) {
  const TemporaryFolder folder;
  MakeInput(folder / "a.glb");
  MakeInput(folder / "a.bvh");
  const Skeleton skeleton = testing::TestCharacter().skeleton;
  const ProgramResult text = Sinew({"inspect", "a.glb", "--joints"}, folder.path());
  EXPECT_EQ(text.code, 0) << text.errors;
  const Json joints = Json::parse(Sinew({"inspect", "a.glb", "--json"}, folder.path()).output).at("joints");
  ASSERT_EQ(joints.size(), skeleton.joints.size());
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    EXPECT_EQ(joints[j].at("name"), skeleton.joints[j].name);
    EXPECT_EQ(joints[j].at("parent"), skeleton.joints[j].parent);
    EXPECT_NE(text.output.find(" " + skeleton.joints[j].name + " "), std::string::npos) << skeleton.joints[j].name;
  }
  EXPECT_EQ(Sinew({"inspect", "a.glb"}, folder.path()).output.find("limits from"), std::string::npos);
  const ProgramResult motion = Sinew({"inspect", "a.bvh", "--joints"}, folder.path());
  EXPECT_EQ(motion.code, 2);
  ExpectOneSentence(motion.errors);
}

TEST(Inspect, LimitsThatCannotBeUsedAreAFinding) {
  const TemporaryFolder folder;
  MakeInput(folder / "a.gltf");
  Json json = Json::parse(ReadTextFile(folder / "a.gltf"));
  json["scenes"][0]["extras"]["sinew"]["limits"] = "wrong";
  WriteFileAtomic(folder / "a.gltf", json.dump());
  EXPECT_EQ(Sinew({"limits", "a.gltf"}, folder.path()).code, 3);
  const ProgramResult run = Sinew({"inspect", "a.gltf", "--joints"}, folder.path());
  EXPECT_EQ(run.code, 0) << run.errors;
  EXPECT_NE(run.output.find("limits from"), std::string::npos);
  EXPECT_NE(run.output.find("[read]"), std::string::npos) << run.output;
}

TEST(Inspect, CountsVerticesWithNanForWeights) {
  const TemporaryFolder folder;
  testing::GltfBuilder builder = testing::SmallRig();
  builder.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] =
      builder.Accessor({1, 0, 0, 0, NAN, NAN, NAN, NAN, 0, NAN, 0, 0, 1, 0, 0, 0}, 4);
  WriteFileAtomic(folder / "a.glb", builder.Glb());
  const std::string problem =
      "a.glb: mesh 0, primitive 0: 2 vertices had no weights (NaN instead of 0) and were given to the skin's first "
      "joint";
  const ProgramResult text = Sinew({"inspect", "a.glb"}, folder.path());
  EXPECT_EQ(text.code, 0) << text.errors;
  const Words words = SplitWords(text.output), wanted = SplitWords("warning file: " + problem + ";");
  EXPECT_NE(std::search(words.begin(), words.end(), wanted.begin(), wanted.end()), words.end()) << text.output;
  const Json json = Json::parse(Sinew({"inspect", "a.glb", "--json"}, folder.path()).output);
  EXPECT_EQ(json["findings"][0]["code"], "read");
  EXPECT_EQ(json["findings"][0]["severity"], "warning");
  EXPECT_EQ(json["findings"][0]["problem"], problem);
  EXPECT_EQ(json["weights"]["repaired"]["without_weight"], 2);
}

TEST(Inspect, SaysTheSameWhateverTheNumberOfThreads) {
  const TemporaryFolder folder;
  MakeInput(folder / "a.glb");
  const auto with = [&](const char* threads) {
    return Sinew({"inspect", "a.glb", "--deep", "--json", "--threads", threads}, folder.path()).output;
  };
  EXPECT_EQ(with("1"), with("5"));
}

TEST(Inspect, AFileThatCannotBeReadIsOneSentenceAndExitCode3) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "folder");
  for (const char* file : {"a.glb", "a.gltf", "a.obj", "a.bvh", "a.npy", "a.sinew", "a.unknown"}) {
    WriteFileAtomic(folder / file, "\1\2\3 nothing of use");
    const ProgramResult run = Sinew({"inspect", file}, folder.path());
    EXPECT_EQ(run.code, 3) << file;
    ExpectOneSentence(run.errors);
    EXPECT_NE(run.errors.find(file), std::string::npos) << run.errors;
  }
  EXPECT_EQ(Sinew({"inspect", "folder"}, folder.path()).code, 3);
}

TEST(Inspect, TakesRolesOfParts) {
  const TemporaryFolder folder;
  MakeInput(folder / "a.glb");
  const auto inspect = [&](const Words& more) { return Sinew(With("inspect a.glb", more), folder.path()); };
  EXPECT_NE(inspect({}).output.find("roles       flesh 100%"), std::string::npos);
  const ProgramResult given = Sinew({"inspect", "--role", "skin=thin", "a.glb", "--json"}, folder.path());
  ASSERT_EQ(given.code, 0) << given.errors;
  EXPECT_EQ(Json::parse(given.output)["roles"]["rows"][0]["role"], "thin");
  EXPECT_EQ(Json::parse(
                inspect({"--role", "skin=thin", "--role", "skin=rigid", "--json"}).output)["roles"]["shares"]["rigid"],
            1.0)
      << "the last one counts";

  // Text that is no role is refused with the call itself.
  for (const Words& wrong : std::vector<Words>{{"skin=cloth"}, {"skin"}, {"=thin"}, {" "}, {"skin=cloth", "--json"}}) {
    const ProgramResult run = inspect(With("--role", wrong));
    EXPECT_EQ(run.code, 2) << wrong[0];
    if (wrong.size() > 1) {
      EXPECT_EQ(Json::parse(run.output).at("code"), 2);
      continue;
    }
    EXPECT_EQ(run.output, "");
    EXPECT_TRUE(run.errors.starts_with("sinew: --role: ")) << run.errors;
    EXPECT_NE(run.errors.find(wrong[0] == "skin=cloth" ? "flesh, layer, thin, rigid" : "PART=ROLE"), std::string::npos)
        << run.errors;
  }
  // Parts are known once the file is read.
  const ProgramResult plain = inspect({"--role", "hat=rigid"});
  EXPECT_EQ(plain.code, 2);
  EXPECT_EQ(plain.output, "");
  ExpectOneSentence(plain.errors);
  EXPECT_NE(plain.errors.find("\"hat\""), std::string::npos) << plain.errors;
  const ProgramResult json = inspect({"--role", "hat=rigid", "--json"});
  EXPECT_EQ(json.code, 2);
  ExpectOneJsonObject(json.output);
  EXPECT_EQ(Json::parse(json.output).value("code", 0), 2);
}

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

TEST(Inspect, NamesEveryTypeThatItReads) {
  const TemporaryFolder folder;
  WriteFileAtomic(folder / "a.fbx", "what is this");
  const ProgramResult run = Sinew({"inspect", "a.fbx"}, folder.path());
  EXPECT_EQ(run.code, 3);
  ExpectOneSentence(run.errors);
  for (const char* type : {".glb", ".gltf", ".obj", ".bvh", ".npy"}) {
    EXPECT_NE(run.errors.find(type), std::string::npos) << run.errors;
  }
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
