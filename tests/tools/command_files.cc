#include "tests/tools/command_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "sinew/offline/autorig/known_body.h"
#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/npy.h"
#include "sinew/offline/io/poses.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "tests/support/point_caches.h"
#include "tests/support/small_graph_model.h"
#include "tests/support/small_model.h"
#include "tests/support/small_recipes.h"
#include "tests/support/small_rig.h"
#include "tests/support/synthetic_deformer.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_character.h"

namespace sinew::testing {
namespace {

namespace fs = std::filesystem;

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

// As many shapes as TestClip() has poses, of the character that MakeInput() gives for meshes.
void MakePointCache(const fs::path& path) {
  const int frames = TestClip().motion.frame_count(), vertices = testing::TestCharacter().vertex_count();
  WriteFileAtomic(path, testing::Pc2File(frames, vertices, std::vector<float>(3 * frames * vertices, 0.5f)));
}

// What `sinew view` shows characters and soft objects on.
void MakePage(const fs::path& path) {
  fs::create_directory(path);
  for (const char* file : {"index.html", "soft.html"}) WriteFileAtomic(path / file, "<p>page</p>");
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

// A recipe, and beside it the bodies that it names.
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

}  // namespace

ProgramResult Sinew(const Words& arguments, const fs::path& folder) { return RunSinewIn(folder, arguments); }

Words SplitWords(const std::string& line) {
  std::istringstream stream(line);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Words With(const std::string& command, const Words& more) {
  Words words = SplitWords(command);
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

void ExpectOneJsonObject(const std::string& out) {
  const Json json = Json::parse(out, nullptr, false);
  EXPECT_TRUE(json.is_object()) << out.substr(0, 500);
}

void ExpectOneSentence(const std::string& err) {
  EXPECT_TRUE(err.starts_with("sinew: ")) << err;
  EXPECT_EQ(err.find("unexpected:"), std::string::npos) << err;
  EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
}

bool IsOutputOption(const std::string& word) {
  return word == "-o" || word == "--output" || word == "--picture" || word == "--report" || word == "--plots" ||
         word == "--blend-shapes";
}

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

// Frames that no other dataset here has, if it is for testing.
void MakeDataset(const fs::path& path) {
  const TemporaryFolder folder;
  WriteCharacter(testing::TestCharacter(), folder / "egg.glb");
  WritePoses(folder / "egg.poses", TestClip(path.stem() == "test" ? 2 : 1));
  const ProgramResult run =
      Sinew({"dataset", "procedural", "egg.glb", "--poses", "egg.poses", "-o", path.string()}, folder.path());
  ASSERT_EQ(run.code, 0) << run.errors;
}

void MakeBundle(const fs::path& path) {
  const bake::BakedBundle baked = bake::BuildBundle(TestHierarchy(), testing::SyntheticDeformer(TestHierarchy()), {});
  WriteFileAtomic(path, baked.file.bytes());
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
  if (path.filename() == "hero.obj") return WriteCharacter(autorig::WithoutRig(testing::SmallBiped()), path);
  if (extension == ".toml") return MakeRecipe(path);
  if (extension == ".corpus") return MakeCorpus(path);
  if (extension == ".page") return MakePage(path);
  if (extension == ".ply") return WriteFileAtomic(path, kPointsPly);
  if (extension == ".bvh") return WriteBvh(path, TestClip());
  if (extension == ".poses") return WritePoses(path, TestClip());
  if (extension == ".npy") return WriteNpy(path, MakeNpy(std::vector<float>{1, 2, 3}, {3}));
  WriteCharacter(testing::TestCharacter(), path);
}

Words MadeSmall(Words words) {
  const std::map<std::string, std::string> small = {
      {"--vertices", "1000"},    {"--count", "5"},       {"--bodies", "2"}, {"--size", "64"},    {"--rounds", "1"},
      {"--pose", "left_hip=20"}, {"--triangles", "400"}, {"--places", "2"}, {"--rotations", "2"}};
  for (size_t i = 1; i < words.size(); ++i) {
    if (const auto found = small.find(words[i - 1]); found != small.end()) words[i] = found->second;
  }
  // Good without it, and then slow.
  if (words[0] == "skin" || words[0] == "train") words.insert(words.end(), {"--steps", "20"});
  if (words[0] == "learn" && words[1] == "ablate") {
    words = {"learn", "ablate",  words[2], "--on",     words[4], "-o",        words[6],         "--rows",
             "mlp",   "--rates", "3e-3",   "--epochs", "0.5",    "--methods", "dual-quaternion"};
  }
  if (words[0] == "learn" && words[1] == "train") words.insert(words.end(), {"--steps", "4"});
  if (words[0] == "learn" && words[1] == "rig") {
    words.insert(words.end(), {"--network", "small", "--examples", "1", "--validation-examples", "1", "--steps", "2"});
  }
  if (words[0] == "learn" && words[1] == "rig-shapes") {
    words.insert(words.end(), {"--steps", "2", "--batch", "1", "--meshes", "1", "--vertices", "500"});
  }
  if (words[0] == "learn" && words[1] == "refine-rig") {
    words.insert(words.end(), {"--steps", "20", "--width", "8", "--stances", "2", "--draws", "2", "--networks", "1"});
  }
  if (words[0] == "learn" && words[1] == "refine-weights") {
    words.insert(words.end(), {"--steps", "20", "--width", "8", "--stances", "1", "--places", "50"});
  }
  if (words[0] == "learn" && words[1] == "test-rig") words.insert(words.end(), {"--examples", "1"});
  if (words[0] == "learn" && words[1] == "survey-rig") words.insert(words.end(), {"--others", "0"});
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
  if (words[0] == "rig" && std::find(words.begin(), words.end(), "--blend-shapes") != words.end()) {
    words.insert(words.end(), {"--shape-poses", "8", "--keep-all"});
  }
  if (words[0] == "simulate") words.insert(words.end(), {"--tets", "600", "--frames", "0:2"});
  // Shows a page until someone ends it.
  if (words[0] == "view") words.insert(words.end(), {"--page", "small.page", "--export", "site"});
  return words;
}

}  // namespace sinew::testing
