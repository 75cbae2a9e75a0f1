// sinew build as a user calls it: whole, again, with one thing changed, and killed at any moment.
#include <chrono>

#include "sinew/offline/core/random.h"
#include "tests/support/datasets.h"
#include "tests/support/mesh_families.h"
#include "tests/support/small_rig.h"
#include "tests/tools/egg_command.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::FilesBelow;
using testing::ProgramResult;
using testing::Words;

constexpr const char* kSmall =
    "[hierarchy]\nlevels = 2\nregions = 8\nfit_poses = 2\n"
    "[poses]\ntraining = 24\nwide = 0\nhuman = false\ninner = 0.2\nclear = false\ntest = 3\nmotion_frames = 4\n"
    "[simulation]\ntets = 300\ncontact = false\n[training]\nsteps = 40\n"
    "[timing]\nseconds = 0\n[report]\npictures = false\n";

class BuildCommand : public testing::EggCommand {
 protected:
  BuildCommand() { WriteFileAtomic(folder_ / "small.toml", kSmall); }

  static Words Call(const std::string& output, const Words& more = {}) {
    Words words = {"build", "egg.glb", "-o", output, "--config", "small.toml", "--json", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // The stages that a run did, in order.
  Words Done(const std::string& output, const Words& more = {}) const {
    Words done;
    const Json result = RunWell(Call(output, more));
    for (const Json& stage : result.at("stages")) {
      if (!stage.at("kept")) done.push_back(stage.at("stage"));
    }
    return done;
  }
  // Everything that a build promises to be the same bytes.
  std::map<std::string, Bytes> Promised(const std::string& output) const {
    std::map<std::string, Bytes> files = FilesBelow(folder_ / output);
    EXPECT_EQ(files.erase("times.json"), 1u);
    EXPECT_EQ(files.erase("report.html"), 1u);
    return files;
  }

  // `sinew evaluate` measures the methods that are asked for, as the build's evaluation.json does.
  void ExpectMeasures() const {
    const Words call = {"evaluate",       "egg.build/character.sinew",    "--dataset",    "egg.build/motion.dataset",
                        "--hierarchy",    "egg.build/levels.lod",         "--quiet",      "--json",
                        "--single-level", "egg.build/single_level.sinew", "--no-pictures"};
    const Json by_build = Json::parse(ReadTextFile(folder_ / "egg.build" / "evaluation.json")).at("motion");
    const Json plain = RunWell(call);
    EXPECT_EQ(plain.at("methods"), (Words{"linear blend", "dual quaternion", "sinew", "single-level"}));
    EXPECT_EQ(plain.at("levels"), by_build.at("levels"));
    for (const char* measure : {"mean_mm", "p95_mm", "p99_mm", "normal_mean_degrees"}) {
      EXPECT_GT(plain.at("levels")[1].at("sinew").at(measure), 0) << measure;
    }
    Words chosen = call;
    chosen.insert(chosen.end(),
                  {"--methods", "delta-mush,sinew,single-level", "--plots", "egg.plots", "--report", "egg.html"});
    const Json some = RunWell(chosen);
    EXPECT_EQ(some.at("methods"), (Words{"linear blend", "delta mush", "sinew", "single-level"}));
    EXPECT_EQ(some.at("levels")[1].at("sinew"), plain.at("levels")[1].at("sinew"));
    EXPECT_FALSE(some.at("levels")[1].contains("dual quaternion"));
    EXPECT_NE(ReadTextFile(folder_ / "egg.html").find("how to read it"), std::string::npos);
  }

  // Starts it and kills it after so long; whether it was done before.
  bool DoneBeforeKill(const Words& words, std::chrono::milliseconds after) const {
    const auto end = std::chrono::steady_clock::now() + after;
    const int code =
        testing::RunAndKillSinewIn(folder_.path(), words, [&] { return std::chrono::steady_clock::now() >= end; });
    EXPECT_LE(code, 0);
    return code == 0;
  }
};

TEST_F(BuildCommand, DoesAllOnceAndThenOnlyWhatFollowsFromAChange) {
  const Json first = RunWell(Call("egg.build"));
  ASSERT_EQ(first.at("stages").size(), 18u);
  for (const Json& stage : first.at("stages")) EXPECT_FALSE(stage.at("kept")) << stage;
  EXPECT_FALSE(first.at("conclusion").get<std::string>().empty());
  ASSERT_EQ(first.at("levels").size(), 2u);
  for (const char* method : {"linear blend", "dual quaternion", "sinew", "single-level"}) {
    EXPECT_GT(first.at("levels")[1].at(method).at("test_rms_mm"), 0) << method;
    EXPECT_GT(first.at("levels")[1].at(method).at("bytes"), 0) << method;
  }
  for (const char* file : {"character.sinew", "report.html", "times.json", "evaluation.json", "build.toml"}) {
    EXPECT_TRUE(fs::is_regular_file(folder_ / "egg.build" / file)) << file;
  }
  EXPECT_EQ(Done("egg.build"), Words{});
  ExpectMeasures();
  const Json everyday = Json::parse(ReadTextFile(folder_ / "egg.build" / "evaluation.json")).at("everyday");
  EXPECT_EQ(everyday.at("poses").size(), 12u);
  EXPECT_GT(everyday.at("frames"), 0);
  EXPECT_NE(ReadTextFile(folder_ / "egg.build" / "report.html").find("sinew view egg.build"), std::string::npos);

  EXPECT_EQ(Done("egg.build", {"--set", "training.epsilon=1e-3"}),
            (Words{"training", "bundle", "evaluation", "timing", "report"}));
  EXPECT_EQ(Done("egg.build"), (Words{"training", "bundle", "evaluation", "timing", "report"}));
  EXPECT_EQ(Done("egg.build", {"--set", "poses.test=4"}), (Words{"test-poses", "test-truths", "evaluation", "report"}));
  EXPECT_EQ(Done("egg.build"), (Words{"test-poses", "test-truths", "evaluation", "report"}));
  EXPECT_EQ(Done("egg.build", {"--redo", "timing"}), Words{"timing"}) << "nothing was timed before and after";

  // What was edited since is made again, and is then what it was, so that nothing follows.
  const fs::path evaluation = folder_ / "egg.build" / "evaluation.json";
  const Bytes before = ReadFile(evaluation);
  fs::resize_file(evaluation, before.size() / 2);
  EXPECT_EQ(Done("egg.build"), Words{"evaluation"});
  EXPECT_TRUE(ReadFile(evaluation) == before);

  // A machine that cannot draw still writes the page.
  fs::create_directory(folder_ / "lib");
  WriteFileAtomic(folder_ / "lib" / "libEGL.so.1", "no library");
  ::setenv("LD_LIBRARY_PATH", (folder_ / "lib").c_str(), 1);
  const ProgramResult blind = Run(Call("egg.build", {"--set", "report.pictures=true"}));
  ::unsetenv("LD_LIBRARY_PATH");
  EXPECT_EQ(blind.code, 0) << blind.errors;
  EXPECT_NE(blind.errors.find("no pictures"), std::string::npos) << blind.errors;
  EXPECT_NE(ReadTextFile(folder_ / "egg.build" / "report.html").find("There are no pictures"), std::string::npos);
}

TEST_F(BuildCommand, ShipsTheMethodThatIsAskedForOrTheBetterOne) {
  const auto read = [&](const char* file) { return ReadFile(folder_ / "egg.build" / file); };
  const auto facts = [&] { return Json::parse(ReadTextFile(folder_ / "egg.build" / "bundle.json")); };
  RunWell(Call("egg.build"));
  EXPECT_FALSE(facts().contains("shipped")) << "Sinew's method ships unless something else is asked for";
  const Bytes sinew = read("character.sinew"), single_deformer = read("single_level.deformer/deformer.bin");

  // The single-level method was trained to compare with, so that nothing is trained again.
  const Json alone = RunWell(Call("egg.build", {"--set", "training.method=single-level"}));
  EXPECT_TRUE(read("character.deformer/deformer.bin") == single_deformer);
  EXPECT_FALSE(read("character.sinew") == sinew);
  const Bytes single = read("character.sinew");
  EXPECT_FALSE(alone.at("levels")[1].contains("single-level")) << "it is what ships, not what is compared with";
  EXPECT_EQ(alone.at("shipped").at("method"), "single-level");
  for (const Json& stage : alone.at("stages")) {
    EXPECT_NE(stage.at("stage"), "training");
    if (stage.at("stage") == "single-level") {
      EXPECT_TRUE(stage.at("kept"));
    }
  }

  // Both are trained; the one that is nearer in validation frames ships, and the other one is compared with.
  const Json chosen = RunWell(Call("egg.build", {"--set", "training.method=auto"}));
  const Json shipped = facts().at("shipped");
  const bool is_single = shipped.at("method") == "single-level";
  EXPECT_TRUE(read("character.sinew") == (is_single ? single : sinew));
  EXPECT_TRUE(read("character.sinew") == read(is_single ? "single_level.sinew" : "multi_resolution.sinew"));
  EXPECT_TRUE(read("character.deformer/deformer.bin") ==
              read(is_single ? "single_level.deformer/deformer.bin" : "multi_resolution.deformer/deformer.bin"));
  const char* const other = is_single ? "multi-resolution" : "single-level";
  EXPECT_GT(chosen.at("levels")[1].at(other).at("test_rms_mm"), 0);
  EXPECT_EQ(chosen.at("shipped"), shipped);
  const std::string why = shipped.at("why");
  EXPECT_NE(chosen.at("conclusion").get<std::string>().find(why), std::string::npos) << why;
  EXPECT_NE(ReadTextFile(folder_ / "egg.build" / "report.html").find("The file that ships"), std::string::npos);
  EXPECT_EQ(Done("egg.build", {"--set", "training.method=auto"}), Words{});

  ExpectRefusedInBothForms({"build", "egg.glb", "-o", "never.build", "--quiet", "--set", "training.method=auto",
                            "--set", "single_level.compare=false"},
                           2, {"training.method is auto", "single_level.compare is false", "training.method=sinew"});
  EXPECT_FALSE(fs::exists(folder_ / "never.build"));
  ExpectRefusedInBothForms({"build", "egg.glb", "-o", "never.build", "--quiet", "--set", "training.method=best"}, 2,
                           {"training.method", "one of sinew, single-level, blendshape, auto"});
}

TEST_F(BuildCommand, LearnsContactWithColliders) {
  const auto write_ball = [&](float radius) {
    Character ball;
    ball.parts.emplace_back().mesh = testing::Moved(testing::Sphere(24, 16), {0, 0, 0}, radius);
    WriteCharacter(ball, folder_ / "ball.obj");
  };
  write_ball(0.06f);
  const Words with = {"--set", "contact.colliders=[\"ball.obj\"]",
                      "--set", "contact.states=1",
                      "--set", "contact.places=3",
                      "--set", "contact.rotations=1",
                      "--set", "contact.depths=1",
                      "--set", "contact.steps=5"};
  Done("egg.build");
  EXPECT_EQ(Done("egg.build", with), (Words{"contact", "report"})) << "all else stays as it was";
  EXPECT_EQ(Done("egg.build", with), Words{});
  const Json facts = Json::parse(ReadTextFile(folder_ / "egg.build" / "contact.json"));
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(facts[0].at("collider"), "ball");
  EXPECT_GE(facts[0].at("contacts"), 3);
  EXPECT_NE(ReadTextFile(folder_ / "egg.build" / "report.html").find("contact.sinew"), std::string::npos);
  EXPECT_GT(fs::file_size(folder_ / "egg.build" / "contact.sinew"),
            fs::file_size(folder_ / "egg.build" / "character.sinew"));
  write_ball(0.05f);
  EXPECT_EQ(Done("egg.build", with), (Words{"contact", "report"}));

  const auto refused = [&](const std::string& colliders, const Words& parts) {
    ExpectRefusedInBothForms(
        {"build", "egg.glb", "-o", "never.build", "--quiet", "--set", "contact.colliders=" + colliders}, 3, parts);
  };
  refused("[\"gone.obj\"]", {"gone.obj", "contact.colliders"});
  refused("[\"ball.obj\", \"ball.obj\"]", {"ball.obj", "different names"});
  EXPECT_FALSE(fs::exists(folder_ / "never.build"));
}

TEST_F(BuildCommand, SaysWhatItWouldDoAndWritesNothing) {
  const Json plan = RunWell(Call("egg.build", {"--dry-run"}));
  EXPECT_EQ(plan.at("stages").size(), 18u);
  EXPECT_GT(plan.at("seconds"), 0);
  EXPECT_FALSE(fs::exists(folder_ / "egg.build"));
}

TEST_F(BuildCommand, PrintsAConfigurationThatItTakes) {
  const ProgramResult printed = Run({"build", "--config", "small.toml", "--print-config"});
  EXPECT_EQ(printed.code, 0);
  WriteFileAtomic(folder_ / "printed.toml", printed.output);
  EXPECT_EQ(Run({"build", "--config", "printed.toml", "--print-config"}).output, printed.output);
}

// Pretends that a stage took long.
void SetSeconds(const fs::path& build, const std::string& stage, double seconds) {
  const fs::path file = build / "times.json";
  Json times = Json::parse(ReadTextFile(file));
  times["stages"][stage]["seconds"] = seconds;
  WriteFileAtomic(file, times.dump());
}

TEST_F(BuildCommand, AFolderRemembersItsCharacterAndSettings) {
  RunWell(Call("egg.build", {"--seed", "3"}));
  const Json built = Json::parse(ReadTextFile(folder_ / "egg.build" / "input.json"));
  SetSeconds(folder_ / "egg.build", "training-truths", 500);
  // The bare call goes on with both, wherever it is called from.
  fs::create_directory(folder_ / "elsewhere");
  const auto stages_done = [&](const Words& words) {
    Words done;
    const ProgramResult run = testing::RunSinewIn(folder_ / "elsewhere", words);
    EXPECT_EQ(run.code, 0) << run.errors;
    const Json result = Json::parse(run.output, nullptr, false);
    for (const Json& stage : result.at("stages")) {
      if (!stage.at("kept")) done.push_back(stage.at("stage"));
    }
    return done;
  };
  EXPECT_EQ(stages_done({"build", "-o", "../egg.build", "--json"}), Words{});
  EXPECT_EQ(stages_done({"build", "-o", "../egg.build", "--json", "--set", "poses.test=4"}),
            (Words{"test-poses", "test-truths", "evaluation", "report"}));
  EXPECT_EQ(stages_done({"build", "-o", "../egg.build", "--json"}), Words{}) << "the setting is remembered";

  // Another character, or a setting that minutes of work depend on, must be meant.
  Character moved = testing::TestCharacter();
  moved.parts[0].mesh.positions *= 1.01f;
  WriteCharacter(moved, folder_ / "other.glb");
  ExpectRefused({"build", "other.glb", "-o", "egg.build", "--quiet"}, 2,
                {"egg.build", "8 min", "training-truths (24 frames, 8 min 20 s)", "--replace"});
  ExpectRefused({"build", "-o", "egg.build", "--quiet", "--set", "poses.training=25"}, 2,
                {"poses.training is 25 and was 24", "--replace"});
  EXPECT_EQ(stages_done({"build", "-o", "../egg.build", "--json"}), Words{}) << "a refused call changes nothing";
  const Json plan = RunWell({"build", "other.glb", "-o", "egg.build", "--quiet", "--json", "--dry-run"});
  EXPECT_NE(plan.at("needs_replace").get<std::string>().find("--replace"), std::string::npos);
  RunWell({"build", "other.glb", "-o", "egg.build", "--quiet", "--json", "--replace"});
  EXPECT_EQ(Json::parse(ReadTextFile(folder_ / "egg.build" / "input.json")).at("name"), "other.glb");
  EXPECT_EQ(built.at("name"), "egg.glb");
}

TEST_F(BuildCommand, CtrlCSaysWhatIsKeptAndTheSameCallGoesOn) {
  const fs::path records = folder_ / "egg.build" / "stages";
  const ProgramResult run = testing::RunAndInterruptSinewIn(
      folder_.path(), Call("egg.build"), [&] { return fs::exists(records / "training-truths.begun"); });
  EXPECT_EQ(run.code, 130) << run.errors;
  for (const char* part : {"stopped", "stage", "are kept in egg.build", "goes on", "sinew build -o egg.build"}) {
    EXPECT_NE(run.errors.find(part), std::string::npos) << run.errors;
  }
  RunWell({"build", "-o", "egg.build", "--json", "--quiet"});
  RunWell(Call("whole"));
  EXPECT_TRUE(Promised("egg.build") == Promised("whole"));
}

TEST_F(BuildCommand, TimesOnlyIfAskedTo) {
  const Json untimed = RunWell(Call("egg.build"));
  EXPECT_EQ(untimed.at("levels")[0].at("sinew").value("microseconds", 0.0), 0);
  EXPECT_EQ(untimed.at("conclusion").get<std::string>().find("skinning's time"), std::string::npos);
  const Json timed = RunWell(Call("egg.build", {"--set", "timing.seconds=0.1"}));
  for (const char* method : {"linear blend", "dual quaternion", "sinew", "single-level"}) {
    EXPECT_GT(timed.at("levels")[1].at(method).at("microseconds"), 0) << method;
  }
}

// All vertices on one joint: there is nothing to bend and nothing to learn, and that is no reason to stop.
TEST_F(BuildCommand, BuildsACharacterWithOneJointToTheEnd) {
  Character stone = testing::TestCharacter();
  stone.skeleton.joints.resize(1);
  for (Skin& skin : stone.skins) {
    skin.inverse_bind.resize(1);
    skin.has_joint.resize(1);
  }
  for (Part& part : stone.parts) {
    if (part.skin < 0) continue;
    for (size_t i = 0; i < part.weights.joints.size(); ++i) {
      part.weights.joints[i] = 0;
      part.weights.weights[i] = i % static_cast<size_t>(part.weights.influences) == 0 ? 1.0f : 0.0f;
    }
  }
  WriteCharacter(stone, folder_ / "egg.glb");
  const Json built = RunWell(Call("egg.build"));
  EXPECT_NE(built.at("conclusion").get<std::string>().find("nothing to correct"), std::string::npos)
      << built.at("conclusion");
  for (const char* file : {"character.sinew", "report.html"}) EXPECT_TRUE(fs::exists(folder_ / "egg.build" / file));
}

Character Unrigged() {
  Character mesh = testing::TestCharacter();
  mesh.skeleton = {};
  mesh.skins.clear();
  for (Part& part : mesh.parts) {
    part.skin = -1;
    part.weights = {};
  }
  return mesh;
}

TEST_F(BuildCommand, WrongCallsAreOneSentenceThatSaysWhatToDo) {
  WriteFileAtomic(folder_ / "wrong.toml", "[training]\nepsilom = 1\n");
  ExpectRefused({"build", "-o", "x", "--config", "wrong.toml"}, 3, {"wrong.toml: line 2", "'epsilon'"});
  ExpectRefused({"build", "-o", "x", "--set", "traning.steps=1"}, 2, {"[training]"});
  ExpectRefused({"build", "-o", "x", "--redo", "trainin", "--dry-run"}, 2, {"'training'"});
  ExpectRefused({"build"}, 2, {"-o FOLDER"});
  ExpectRefused({"build", "-o", "."}, 4, {"not a build"});
  WriteCharacter(Unrigged(), folder_ / "mesh.glb");
  ExpectRefused({"build", "mesh.glb", "-o", "x", "--quiet", "--set", "rig.from=own"}, 3,
                {"mesh.glb", "input.skeleton", "rig.from=network"});
  ExpectRefused({"build", "egg.glb", "-o", "x", "--set", "input.skeleton=egg.glb"}, 2, {"egg.glb", "of its own"});
  ExpectRefused({"build", "egg.glb", "-o", "x", "--set", "poses.motion=gone.bvh"}, 3, {"gone.bvh", "poses.motion"});
  ExpectRefused({"build", "egg.glb", "-o", "x", "--set", "poses.learn_from=[\"none\", \"egg.glb\"]"}, 3,
                {"none", "poses.learn_from"});
  Character bones = testing::TestCharacter();
  bones.parts.clear();
  WriteCharacter(bones, folder_ / "bones.glb");
  ExpectRefused({"build", "bones.glb", "-o", "x"}, 3, {"bones.glb", "no triangles"});
  EXPECT_FALSE(fs::exists(folder_ / "x")) << "nothing is left of what was refused";
}

TEST_F(BuildCommand, RefusesASkeletonThatDoesNotStandInTheMesh) {
  WriteCharacter(Unrigged(), folder_ / "mesh.glb");
  Character far = testing::TestCharacter();
  for (Joint& joint : far.skeleton.joints) {
    if (joint.parent < 0) joint.rest.translation.x += 100;
  }
  WriteCharacter(far, folder_ / "far.glb");
  const Words call = {"build",      "mesh.glb", "-o",        "x",     "--config",
                      "small.toml", "--quiet",  "--dry-run", "--set", "input.skeleton=far.glb"};
  ExpectRefused(call, 3, {"joints stand outside of the mesh", "input.check=false"});
  Words anyway = call;
  anyway.insert(anyway.end(), {"--set", "input.check=false"});
  const ProgramResult run = Run(anyway);
  EXPECT_EQ(run.code, 0) << run.errors;
  EXPECT_NE(run.errors.find("joints stand outside of the mesh"), std::string::npos) << run.errors;
}

TEST_F(BuildCommand, RefusesToRigWhatIsNoBiped) {
  WriteCharacter(Unrigged(), folder_ / "mesh.glb");
  WriteFileAtomic(folder_ / "strict.model", learn::EncodeModel(testing::UntrainedRigModel(1e-9)));
  ExpectRefused(
      {"build", "mesh.glb", "-o", "x", "--config", "small.toml", "--quiet", "--set", "rig.model=strict.model"}, 3,
      {"stage rig", "mesh.glb: is not a biped"});
}

// What a first stage that failed leaves behind is neither taken for done nor in the way of another try.
TEST_F(BuildCommand, GoesOnAfterAFirstStageThatFailed) {
  WriteCharacter(Unrigged(), folder_ / "mesh.glb");
  WriteFileAtomic(folder_ / "broken.bvh", "HIERARCHY\nROOT a");
  ExpectRefused({"build", "mesh.glb", "-o", "egg.build", "--config", "small.toml", "--quiet", "--set",
                 "input.skeleton=broken.bvh"},
                3, {"stage rig", "broken.bvh"});
  EXPECT_TRUE(fs::exists(folder_ / "egg.build" / "stages" / "rig.begun"));
  RunWell(Call("egg.build"));
  RunWell(Call("whole"));
  EXPECT_TRUE(Promised("egg.build") == Promised("whole"));
}

TEST_F(BuildCommand, SaysOnceWhatWasRepaired) {
  Character egg = testing::TestCharacter();
  egg.parts[0].weights.weights[0] *= 0.5f;
  WriteCharacter(egg, folder_ / "egg.glb");
  const ProgramResult run = Run(Call("egg.build"));
  EXPECT_EQ(run.code, 0) << run.errors;
  const size_t first = run.errors.find("did not sum to 1");
  EXPECT_NE(first, std::string::npos) << run.errors;
  EXPECT_EQ(run.errors.find("did not sum to 1", first + 1), std::string::npos) << run.errors;
}

// The same character twice in one file, each on its own skeleton.
Json Doubled(Json json) {
  const int nodes = static_cast<int>(json.at("nodes").size()), skins = static_cast<int>(json.at("skins").size());
  const auto shift = [&](Json& list) {
    for (Json& index : list) index = index.get<int>() + nodes;
  };
  for (int n = 0; n < nodes; ++n) {
    Json node = json["nodes"][n];
    if (node.contains("children")) shift(node["children"]);
    if (node.contains("skin")) node["skin"] = node["skin"].get<int>() + skins;
    json["nodes"].push_back(node);
  }
  for (int s = 0; s < skins; ++s) {
    Json skin = json["skins"][s];
    shift(skin["joints"]);
    if (skin.contains("skeleton")) skin["skeleton"] = skin["skeleton"].get<int>() + nodes;
    skin["name"] = "twin";
    json["skins"].push_back(skin);
  }
  Json twins = json["scenes"][0]["nodes"];
  shift(twins);
  for (const Json& twin : twins) json["scenes"][0]["nodes"].push_back(twin);
  return json;
}

TEST_F(BuildCommand, TakesOneOfSeveralSkeletons) {
  WriteCharacter(testing::TestCharacter(), folder_ / "egg.gltf");
  const Json doubled = Doubled(Json::parse(ReadTextFile(folder_ / "egg.gltf")));
  WriteFileAtomic(folder_ / "twins.gltf", doubled.dump());
  const Words call = {"build", "twins.gltf", "-o", "twin.build", "--config", "small.toml", "--quiet"};
  const auto with = [&](Words more) {
    more.insert(more.begin(), call.begin(), call.end());
    return more;
  };
  ExpectRefused(call, 3, {"twins.gltf", "has 2 separate skeletons", "1 'twin'", "--skin"});
  ExpectRefused(with({"--skin", "hat"}), 2, {"no skin 'hat'", "1 'twin'"});
  EXPECT_FALSE(fs::exists(folder_ / "twin.build"));
  EXPECT_EQ(Run(with({"--skin", "twin"})).code, 0);
  const Json again = RunWell(with({"--set", "input.skin=1", "--json"}));
  EXPECT_EQ(again.at("stages").at(0).at("why"), "input.skin is \"1\" and was \"twin\"");
  EXPECT_TRUE(again.at("stages").at(1).at("kept")) << "the same skeleton by its number";
}

// Killed at ten moments and started again each time. SINEW_SOAK_SECONDS (scripts/soak): again and again for so long.
TEST_F(BuildCommand, KilledAtAnyMomentItEndsInTheSameBytes) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  RunWell(Call("whole"));
  const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
  const std::map<std::string, Bytes> expected = Promised("whole");
  const char* const soak = std::getenv("SINEW_SOAK_SECONDS");
  const auto end = Clock::now() + std::chrono::seconds(soak == nullptr ? 0 : std::atoi(soak));
  Random random(soak == nullptr ? 1 : static_cast<uint64_t>(start.time_since_epoch().count()));
  do {
    fs::remove_all(folder_ / "killed");
    int kills = 0;
    while (kills < 10) {
      // Later kills are later, so that every stage has its turn; a run that starts anew needs a moment to begin.
      const double share = random.Uniform(0.02, 0.1 + 0.05 * kills);
      if (DoneBeforeKill(Call("killed"),
                         std::chrono::milliseconds(20) +
                             std::chrono::milliseconds(static_cast<int>(share * static_cast<double>(whole.count()))))) {
        break;
      }
      ++kills;
    }
    RunWell(Call("killed"));
    const std::map<std::string, Bytes> files = Promised("killed");
    ASSERT_EQ(files.size(), expected.size());
    for (const auto& [name, bytes] : expected) {
      ASSERT_TRUE(files.contains(name)) << name;
      EXPECT_TRUE(files.at(name) == bytes) << name;
    }
  } while (Clock::now() < end && !HasFailure());
}

}  // namespace
}  // namespace sinew
