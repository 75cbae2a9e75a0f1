// What the program says, and exits with, where files are bad, streams are closed and names are strange: one printable
// sentence, and with --json one object, whatever happens.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/text.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/poses.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_character.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::ProgramResult;
using Words = std::vector<std::string>;

class Errors : public ::testing::Test {
 protected:
  ProgramResult Run(const Words& words) const { return testing::RunSinewIn(folder_.path(), words); }

  // Runs a command plainly and with --json. Returns the sentence, which is the same in both.
  std::string ExpectError(Words words, int code) const {
    const ProgramResult plain = Run(words);
    EXPECT_EQ(plain.code, code) << plain.errors;
    EXPECT_EQ(plain.output, "");
    EXPECT_TRUE(plain.errors.starts_with("sinew: ")) << plain.errors;
    EXPECT_EQ(std::count(plain.errors.begin(), plain.errors.end(), '\n'), 1) << plain.errors;
    EXPECT_EQ(plain.errors.find("unexpected"), std::string::npos) << plain.errors;
    EXPECT_TRUE(IsPrintable(plain.errors)) << plain.errors;
    words.emplace_back("--json");
    const ProgramResult as_json = Run(words);
    EXPECT_EQ(as_json.code, code) << as_json.errors;
    const Json json = Json::parse(as_json.output, nullptr, false);
    EXPECT_TRUE(json.is_object()) << as_json.output;
    if (!json.is_object()) return "";
    EXPECT_EQ(json.value("code", 0), code);
    const std::string sentence = json.value("error", "");
    EXPECT_EQ("sinew: " + sentence + "\n", plain.errors);
    return sentence;
  }

  static bool IsPrintable(std::string text) {
    std::erase(text, '\n');
    return IsUtf8(text) &&
           std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  }

  void Write(const std::string& name, const Character& character) const { WriteCharacter(character, folder_ / name); }

  const testing::TemporaryFolder folder_;
};

TEST_F(Errors, MethodsToEvaluateAreThoseThatThereAre) {
  const auto sentence = [&](const Words& more) {
    Words words = {"evaluate", "a.deformer", "--dataset", "a.dataset"};
    words.insert(words.end(), more.begin(), more.end());
    return ExpectError(words, 2);
  };
  EXPECT_EQ(sentence({"--methods", "sinew,single-level"}),
            "--methods names single-level: give its deformer or bundle with --single-level");
  EXPECT_EQ(sentence({"--methods", "sinew", "--single-level", "b.deformer"}),
            "--single-level gives a method that --methods leaves out: add single-level there");
  EXPECT_EQ(sentence({"--methods", "sinew,delta-mush,sinew"}), "--methods names sinew twice");
  const ProgramResult unknown = Run({"evaluate", "a.deformer", "--dataset", "a.dataset", "--methods", "magic"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.errors.find(
                "magic not in {linear-blend,dual-quaternion,delta-mush,skincells,voxel-weights,single-level,sinew}"),
            std::string::npos)
      << unknown.errors;
}

TEST_F(Errors, BytesThatAreNoTextAreReplaced) {
  WriteFileAtomic(folder_ / "a.gltf", "{\"asset\": {\"version\": \"2.\xE9\"}}");
  EXPECT_TRUE(ExpectError({"inspect", "a.gltf"}, 3).starts_with("a.gltf: JSON: "));
  WriteFileAtomic(folder_ / "b.gltf", "\xFF\xFE\x80");
  ExpectError({"inspect", "b.gltf"}, 3);
  const std::string name =
      "k\xE9"
      "fer.glb";
  EXPECT_TRUE(ExpectError({"inspect", name}, 3)
                  .starts_with("k\xEF\xBF\xBD"
                               "fer.glb: No such file"));
  EXPECT_NE(ExpectError({"inspect", std::string(5000, 'n') + ".glb"}, 3).find("File name too long"), std::string::npos);
  // Bytes of a file, damaged one by one.
  Write("egg.glb", testing::TestCharacter());
  Bytes bytes = ReadFile(folder_ / "egg.glb");
  for (size_t at = 20; at < 400; at += 19) {
    Bytes damaged = bytes;
    damaged[at] = std::byte{0xE9};
    WriteFileAtomic(folder_ / "damaged.glb", damaged);
    const ProgramResult run = Run({"inspect", "damaged.glb", "--json"});
    EXPECT_TRUE(run.code == 0 || run.code == 3) << at << ": " << run.errors;
    EXPECT_TRUE(Json::parse(run.output, nullptr, false).is_object()) << at << ": " << run.output;
  }
}

TEST_F(Errors, QuotedWordsAreShortAndDoNotReachTheTerminal) {
  const std::string word(100'000, 'x');
  const auto requires_extension = [&](const std::string& name) {
    const Json json = {{"asset", {{"version", "2.0"}}}, {"extensionsRequired", {name}}};
    WriteFileAtomic(folder_ / "a.gltf", json.dump());
    return ExpectError({"inspect", "a.gltf"}, 3);
  };
  EXPECT_LT(requires_extension(word).size(), 2 * kMaxMessage);
  EXPECT_NE(requires_extension("\x1b]0;title\x07").find("the extension \\x1b]0;title\\x07, which"), std::string::npos);
  WriteFileAtomic(folder_ / "a.gltf", Json{{"asset", {{"version", word + "\x1b[2J"}}}}.dump());
  EXPECT_LT(ExpectError({"inspect", "a.gltf"}, 3).size(), 300u);
  WriteFileAtomic(folder_ / "a.obj", "\x1b[31mv 0 0 0\n");
  EXPECT_NE(ExpectError({"inspect", "a.obj"}, 3).find("'\\x1b[31mv' is not a keyword"), std::string::npos);
}

TEST_F(Errors, NamesDoNotReachTheTerminalInResultsEither) {
  Character character = testing::TestCharacter();
  character.parts[0].name = "egg\x1b[2J\xC2\x9B";
  character.parts.push_back(character.parts[0]);  // names are shown where there are several
  Write("a.glb", character);
  const ProgramResult text = Run({"inspect", "a.glb"});
  EXPECT_EQ(text.code, 0);
  EXPECT_EQ(text.output.find('\x1b'), std::string::npos);
  EXPECT_NE(text.output.find("egg\\x1b[2J\\u009b"), std::string::npos) << text.output;
  const ProgramResult json = Run({"inspect", "a.glb", "--json"});
  EXPECT_NE(Json::parse(json.output).at("parts").dump().find("egg\\u001b[2J\xC2\x9B"), std::string::npos)
      << "data stays whole";
}

TEST_F(Errors, WrongCallsAreObjectsToo) {
  for (const Words& words : std::vector<Words>{
           {"no-such-command", "--json"}, {"inspect", "--json", "--no-such-option"}, {"dataset", "--json"}}) {
    const ProgramResult run = Run(words);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(Json::parse(run.output).value("code", 0), 2) << run.output;
    EXPECT_TRUE(run.errors.starts_with("sinew: "));
  }
}

// Runs the program with its streams redirected by the shell. Returns its exit code.
int RunWith(const std::string& arguments, const std::string& redirections) {
  return testing::RunSinew(fmt::format("{} {}; code=$?; (exit $code)", arguments, redirections)).code;
}

TEST_F(Errors, StandardErrorThatCannotBeWrittenChangesNothing) {
  Write("a.glb", testing::TestCharacter());
  WriteFileAtomic(folder_ / "bad.glb", "bad");
  const std::string out = folder_ / "out.json", bad = folder_ / "bad.glb", good = folder_ / "a.glb";
  for (const char* err : {"2>&-", "2>/dev/full"}) {
    EXPECT_EQ(RunWith(fmt::format("inspect {} --json", bad), fmt::format(">{} {}", out, err)), 3) << err;
    EXPECT_EQ(Json::parse(ReadTextFile(out)).value("code", 0), 3);
    EXPECT_EQ(RunWith("no-such-command", fmt::format(">{} {}", out, err)), 2);
    // A stream that is closed must not become the next file that is opened.
    const std::string copy = folder_ / "copy.glb";
    EXPECT_EQ(RunWith(fmt::format("convert {} {}", good, copy), fmt::format(">{} {}", out, err)), 0);
    EXPECT_EQ(gltf::ReadGltf(copy).vertex_count(), gltf::ReadGltf(good).vertex_count());
    // Progress and warnings are lost, and the work is done.
    EXPECT_EQ(RunWith(fmt::format("lod {} -o {} --levels 2", good, (folder_ / "a.lod").string()),
                      fmt::format(">{} {}", out, err)),
              0);
    fs::remove_all(folder_ / "a.lod");
  }
}

TEST_F(Errors, StandardOutputThatCannotBeWrittenIsExitCode4) {
  Write("a.glb", testing::TestCharacter());
  const std::string err = folder_ / "err", good = folder_ / "a.glb";
  for (const char* out : {">&-", ">/dev/full"}) {
    for (const char* json : {"", " --json"}) {
      EXPECT_EQ(RunWith(fmt::format("inspect {}{}", good, json), fmt::format("{} 2>{}", out, err)), 4) << out;
      EXPECT_EQ(ReadTextFile(err), "sinew: standard output: cannot be written\n");
    }
    EXPECT_EQ(RunWith("inspect no-such-file.glb --json", fmt::format("{} 2>{}", out, err)), 3);
  }
}

// File names in Latin-1, and what is named after them.
TEST_F(Errors, NamesOfAnyBytesDoNotSpoilTheWork) {
  const std::string stem =
                        "k\xE9"
                        "fer",
                    name =
                        "k\xEF\xBF\xBD"
                        "fer";
  Character character = testing::TestCharacter();
  character.name = "";
  gltf::WriteGltf(character, folder_ / (stem + ".glb"));
  Clip clip;
  clip.skeleton = character.skeleton;
  clip.motion = {.name = "walk", .frames_per_second = 30, .joints = JointNames(clip.skeleton), .frames = {}};
  for (int f = 0; f < 12; ++f) clip.motion.frames.push_back(clip.skeleton.RestPose());
  WritePoses(folder_ / (stem + ".poses"), clip);
  const auto good = [&](Words words) {
    words.emplace_back("--json");
    const ProgramResult run = Run(words);
    EXPECT_EQ(run.code, 0) << words[0] << ": " << run.errors;
    const Json json = Json::parse(run.output, nullptr, false);
    EXPECT_TRUE(json.is_object()) << run.output;
    return json;
  };
  EXPECT_EQ(good({"inspect", stem + ".glb"}).value("name", ""), name);
  good({"limits", stem + ".glb", "-o", stem + ".json"});
  EXPECT_TRUE(Json::parse(ReadTextFile(folder_ / (stem + ".json"))).is_object());
  good({"lod", stem + ".glb", "-o", stem + ".lod", "--levels", "2", "--regions", "4"});
  good({"dataset", "procedural", stem + ".glb", "--poses", stem + ".poses", "-o", stem + ".dataset"});
  good({"train", stem + ".dataset", "--hierarchy", stem + ".lod", "--steps", "5", "-o", stem + ".deformer"});
  good({"bake", stem + ".deformer", "-o", stem + ".sinew"});
  good({"inspect", stem + ".sinew"});
}

TEST_F(Errors, WhatIsOutOfReachIsRefusedWhereItIsWorkedWith) {
  Character vertex = testing::TestCharacter();
  vertex.parts[0].mesh.positions(7, 0) = 1e18f;
  Write("vertex.glb", vertex);
  Character joint = testing::TestCharacter();
  joint.skeleton.joints[2].rest.translation.y = 4e18f;
  for (Skin& skin : joint.skins) skin.inverse_bind[2].translation().y() = -4e18f;
  Write("joint.glb", joint);
  Write("egg.glb", testing::TestCharacter());
  Clip clip;
  clip.skeleton = joint.skeleton;
  clip.motion = {.name = "far", .frames_per_second = 30, .joints = JointNames(clip.skeleton), .frames = {}};
  clip.motion.frames.assign(3, clip.skeleton.RestPose());
  WritePoses(folder_ / "far.poses", clip);
  const auto refused = [&](const Words& words) {
    const std::string said = ExpectError(words, 3);
    EXPECT_NE(said.find("units from the origin, where nothing beyond 1e+09"), std::string::npos) << words[0] << said;
    return said;
  };
  for (const char* file : {"vertex.glb", "joint.glb"}) {
    const std::string place = file == std::string("vertex.glb") ? "vertex 7 of" : "joint '";
    EXPECT_NE(refused({"skin", file, "-o", "out.glb", "--steps", "2"}).find(place), std::string::npos);
    EXPECT_NE(refused({"lod", file, "-o", "out.lod"}).find(place), std::string::npos);
    EXPECT_EQ(Run({"inspect", file}).code, 0) << "it is a file that can be read";
  }
  refused({"simulate", "egg.glb", "--poses", "far.poses", "-o", "out.dataset"});
  refused({"skin-mesh", "egg.glb", "--poses", "far.poses", "--frame", "0", "-o", "out.obj"});
  Clip near = clip;
  near.motion.frames.assign(3, testing::TestCharacter().skeleton.RestPose());
  near.skeleton = testing::TestCharacter().skeleton;
  WritePoses(folder_ / "near.poses", near);
  for (const char* file : {"vertex.glb", "joint.glb"}) {
    refused({"simulate", file, "--poses", "near.poses", "-o", "out.dataset", "--tets", "300"});
  }
}

// Waiting for the pipe would end this test by its time.
TEST_F(Errors, NothingBesideAFileIsFollowedOrWaitedFor) {
  Write("a.gltf", testing::TestCharacter());
  std::string binary;
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    if (entry.path().extension() == ".bin") binary = entry.path().string();
  }
  fs::rename(binary, folder_ / "elsewhere");
  fs::create_symlink("elsewhere", binary);
  EXPECT_NE(ExpectError({"inspect", "a.gltf"}, 3).find("it is a link, which is not followed"), std::string::npos);
  fs::remove(binary);
  ASSERT_EQ(::mkfifo(binary.c_str(), 0600), 0);
  EXPECT_NE(ExpectError({"inspect", "a.gltf"}, 3).find("is not a regular file"), std::string::npos);
  ASSERT_EQ(::mkfifo((folder_ / "pipe.glb").c_str(), 0600), 0);
  EXPECT_NE(ExpectError({"inspect", "pipe.glb"}, 3).find("is not a regular file"), std::string::npos);
}

}  // namespace
}  // namespace sinew
