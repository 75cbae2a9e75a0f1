// The command `inspect` as a user calls it.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/io/character_file.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_character.h"
#include "tests/tools/command_files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::ExpectOneJsonObject;
using testing::ExpectOneSentence;
using testing::MakeInput;
using testing::ProgramResult;
using testing::Sinew;
using testing::SplitWords;
using testing::TemporaryFolder;
using testing::With;
using testing::Words;

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

}  // namespace
}  // namespace sinew
