// Every reader but glTF's, through a command that uses it, on files that are damaged or say what cannot be.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "sinew/offline/io/npy.h"
#include "tests/support/point_caches.h"
#include "tests/support/temporary_folder.h"
#include "tests/tools/hostile_runs.h"

namespace sinew::testing {
namespace {

namespace fs = std::filesystem;

// A kind of file: where it lies, and the calls that read it, with what they write.
struct Kind {
  std::string name;
  std::vector<std::pair<Words, Words>> calls;
};

class HostileReaders : public ::testing::Test {
 protected:
  HostileReaders() { WriteFileAtomic(folder_ / "limb.glb", MakeLimb().builder.Glb()); }

  // Makes a sound file beside the character by a call of the program; returns what it printed.
  std::string Make(const Words& words) {
    const ProgramResult run = RunSinewIn(folder_.path(), words);
    EXPECT_EQ(run.code, 0) << run.errors;
    return run.output;
  }

  void Run(const Kind& kind, const Family& family) {
    std::vector<HostileRun> runs;
    for (const HostileFile& file : family) {
      for (const auto& call : kind.calls) {
        runs.push_back(
            {.file = file, .name = kind.name, .words = call.first, .outputs = call.second, .beside = folder_.path()});
      }
    }
    RunHostile(runs);
  }

  // The sound file itself, and damaged.
  void RunDamaged(const Kind& kind, int files = 12) {
    const Bytes valid = ReadFile(folder_ / kind.name);
    Run(kind, {{"sound", valid}});
    Run(kind, CutOff(valid, files));
    Run(kind, Flipped(valid, files, 500));
  }

  const TemporaryFolder folder_;
};

Family Texts(const std::vector<std::pair<std::string, std::string>>& texts) {
  Family family;
  for (const auto& text : texts) family.push_back({text.first, ToBytes(text.second)});
  return family;
}

TEST_F(HostileReaders, Motions) {
  Make({"convert", "limb.glb", "motion.bvh", "--animation", "0"});
  const Kind kind{"motion.bvh",
                  {{{"inspect", "motion.bvh", "--json"}, {}},
                   {{"poses", "limb.glb", "--from", "motion.bvh", "-o", "out.poses", "--json"}, {"out.poses"}},
                   {{"convert", "motion.bvh", "out.glb"}, {"out.glb"}}}};
  RunDamaged(kind);
  const auto motion = [](const std::string& name, const std::string& offset, const std::string& frames,
                         const std::string& time, const std::string& row) {
    return "HIERARCHY\nROOT " + name + "\n{\nOFFSET " + offset +
           "\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nJOINT shin\n{\nOFFSET 0 0.3 0\n"
           "CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 0.3 0\n}\n}\n}\nMOTION\nFrames: " +
           frames + "\nFrame Time: " + time + "\n" + row + "\n" + row + "\n";
  };
  const std::string row = "0 0 0 0 0 0 0 10 0", far = "1e38 -1e38 0 1e38 1e300 0 0 1e-320 0";
  std::string deep = "HIERARCHY\n";
  for (int i = 0; i < 10'000; ++i)
    deep += (i == 0 ? "ROOT a" : "JOINT a") + std::to_string(i) + "\n{\nOFFSET 0 1 0\nCHANNELS 0\n";
  Run(kind, Texts({{"a sound motion", motion("thigh", "0 0 0", "2", "0.03", row)},
                   {"extreme numbers", motion("thigh", "1e38 0 1e38", "2", "0.03", far)},
                   {"numbers that are none", motion("thigh", "nan inf -inf", "2", "0.03", "nan nan inf 0 0 0 0 0 0")},
                   {"numbers beyond double", motion("thigh", "1e999 0 0", "2", "0.03", row)},
                   {"frames for ever", motion("thigh", "0 0 0", "4000000000", "0.03", row)},
                   {"more frames than a number holds", motion("thigh", "0 0 0", "99999999999999999999", "0.03", row)},
                   {"a negative number of frames", motion("thigh", "0 0 0", "-2", "0.03", row)},
                   {"no frame time", motion("thigh", "0 0 0", "2", "0", row)},
                   {"a negative frame time", motion("thigh", "0 0 0", "2", "-1", row)},
                   {"a frame time of years", motion("thigh", "0 0 0", "2", "1e30", row)},
                   {"a frame time of nothing", motion("thigh", "0 0 0", "2", "1e-300", row)},
                   {"terminal escapes in a name", motion("\x1b[31mthigh", "0 0 0", "2", "0.03", row)},
                   {"a name that is not UTF-8", motion("\xff\xfethigh", "0 0 0", "2", "0.03", row)},
                   {"a number that is not UTF-8", motion("thigh", "\xff\x1b[0m 0 0", "2", "0.03", row)},
                   {"joints 10,000 deep", deep}}));
}

TEST_F(HostileReaders, Meshes) {
  Make({"convert", "limb.glb", "mesh.obj"});
  const Kind kind{
      "mesh.obj",
      {{{"inspect", "mesh.obj", "--deep", "--json"}, {}},
       {{"convert", "mesh.obj", "out.glb"}, {"out.glb"}},
       {{"skin", "mesh.obj", "--skeleton", "limb.glb", "--method", "proximity", "-o", "out.glb"}, {"out.glb"}}}};
  RunDamaged(kind, 8);
  std::string corners = "f", square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
  for (int i = 0; i < 20'000; ++i) corners += " " + std::to_string(1 + i % 4);
  Run(kind, Texts({{"nothing", ""},
                   {"no faces", square},
                   {"extreme numbers", "v 1e38 -1e38 0\nv 1e-42 0 0\nv 1e300 1 1\nf 1 2 3\n"},
                   {"numbers that are none", "v nan inf 0\nv 0 -inf 0\nv 1 1 1\nf 1 2 3\n"},
                   {"corners that are not there", square + "f 1 2 5\n"},
                   {"corner 0", square + "f 0 1 2\n"},
                   {"corners before the first", square + "f -1 -2 -9\n"},
                   {"corners beyond all numbers", square + "f 1 2 99999999999999999999\n"},
                   {"a face of 20,000 corners", square + corners + "\n"},
                   {"a face of one vertex", square + "f 1 1 1\n"},
                   {"names that are not UTF-8", "mtllib \xff\no \x80\x1b[31m\n" + square + "usemtl \xfe\nf 1 2 3\n"},
                   {"a word that is not UTF-8", square + "f 1 2 \xff\x1b[31m\n"},
                   {"a line that goes on for ever", square + "f 1 2 3 \\\n\\\n\\\n\\"}}));
}

TEST_F(HostileReaders, Points) {
  Make({"skin", "limb.glb", "-o", "skinned.glb", "--field", "limb.field", "--steps", "2"});
  const Kind kind{"cloud.ply",
                  {{{"skin", "--apply", "limb.field", "cloud.ply", "-o", "out.ply", "--json"}, {"out.ply"}}}};
  const auto cloud = [](const std::string& count, const std::string& numbers, const std::string& more = "") {
    return "ply\nformat ascii 1.0\nelement vertex " + count +
           "\nproperty float x\nproperty float y\nproperty float z\n" + more + "end_header\n" + numbers;
  };
  WriteFileAtomic(folder_ / kind.name, cloud("2", "0 0.5 0\n0.1 0.2 0\n"));
  RunDamaged(kind);
  Run(kind, Texts({{"extreme numbers", cloud("2", "1e38 -1e38 0\n1e-42 0 3e38\n")},
                   {"numbers that are none", cloud("2", "nan inf 0\n-inf 0 0\n")},
                   {"no points", cloud("0", "")},
                   {"points for ever", cloud("4000000000", "0 0 0\n")},
                   {"more points than a number holds", cloud("99999999999999999999", "0 0 0\n")},
                   {"properties without names", cloud("1", "0 0 0\n", "property float\n")},
                   {"a list for ever", cloud("1", "0 0 0 4000000000\n", "property list uint int a\n")},
                   {"names that are not UTF-8", cloud("1", "0 0 0 1\n", "property float \xff\x1b[31m\n")}}));
  const Kind field{"limb.field",
                   {{{"skin", "--apply", "limb.field", "limb.glb", "-o", "out.glb", "--json"}, {"out.glb"}}}};
  RunDamaged(field);
}

TEST_F(HostileReaders, PoseFolders) {
  Make({"poses", "limb.glb", "--count", "3", "-o", "limb.poses"});
  const std::vector<std::pair<Words, Words>> calls = {
      {{"inspect", "limb.poses", "--json"}, {}},
      {{"skin-mesh", "limb.glb", "--poses", "limb.poses", "--frame", "1", "-o", "out.glb"}, {"out.glb"}}};
  RunDamaged({"limb.poses/poses.json", calls}, 20);
  RunDamaged({"limb.poses/rotation.npy", calls}, 4);
}

TEST_F(HostileReaders, Arrays) {
  std::vector<float> points(3 * 58);
  for (size_t i = 0; i < points.size(); ++i) points[i] = static_cast<float>(i % 7);
  WriteNpy(folder_ / "array.npy", MakeNpy(points, {58, 3}));
  const Kind kind{"array.npy",
                  {{{"inspect", "array.npy", "--json"}, {}},
                   {{"convert", "array.npy", "out.obj"}, {"out.obj"}},
                   {{"render", "limb.glb", "--heat", "array.npy", "-o", "out.png", "--size", "32"}, {"out.png"}}}};
  RunDamaged(kind, 8);
  const auto array = [](std::string header) {
    header.resize(118, ' ');
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + std::string(64, '\0');
  };
  Run(kind, Texts({{"zeros", array("{'descr': '<f4', 'fortran_order': False, 'shape': (16,), }")},
                   {"no numbers", array("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }")},
                   {"numbers for ever",
                    array("{'descr': '<f4', 'fortran_order': False, 'shape': (4000000000, 4000000000), }")},
                   {"more than a number holds",
                    array("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }")},
                   {"no shape", array("{'descr': '<f4', 'fortran_order': False, 'shape': (), }")},
                   {"a type of bytes that are not UTF-8",
                    array("{'descr': '\xff\x1b[0m', 'fortran_order': False, 'shape': (16,), }")},
                   {"objects", array("{'descr': '|O', 'fortran_order': False, 'shape': (16,), }")}}));
}

TEST_F(HostileReaders, Limits) {
  Make({"limits", "limb.glb", "-o", "limits.json"});
  const Kind kind{
      "limits.json",
      {{{"limits", "limb.glb", "--limits", "limits.json", "-o", "out.json", "--json"}, {"out.json"}},
       {{"poses", "limb.glb", "--limits", "limits.json", "--count", "2", "-o", "out.poses"}, {"out.poses"}}}};
  RunDamaged(kind);
  const auto limits = [](const std::string& joint, const std::string& value) {
    return R"({"format": "sinew-limits", "version": 1, "unit": "degrees", "joints": {")" + joint + "\": " + value +
           "}}";
  };
  const auto ranges = [](const std::string& bone, const std::string& bend) {
    return R"({"origin": "file", "bone": )" + bone +
           R"(, "bend_toward": [0, 0, -1], "neutral": [0, 0, 0, 1], "bend": )" + bend +
           R"(, "side": [0, 0], "twist": [0, 0]})";
  };
  Run(kind, Texts({{"sound", limits("shin", ranges("[0, 1, 0]", "[0, 90]"))},
                   {"a bone of no length", limits("shin", ranges("[0, 0, 0]", "[0, 90]"))},
                   {"a bone along its bend", limits("shin", ranges("[0, 0, 1]", "[0, 90]"))},
                   {"a huge range", limits("shin", ranges("[0, 1, 0]", "[-1e300, 1e300]"))},
                   {"a range backwards", limits("shin", ranges("[0, 1, 0]", "[90, 0]"))},
                   {"a range of one side", limits("shin", ranges("[0, 1, 0]", "[90]"))},
                   {"a joint with terminal escapes", limits("\\u001b[31m", ranges("[0, 1, 0]", "[0, 90]"))},
                   {"a joint that is not UTF-8", limits("\xff", ranges("[0, 1, 0]", "[0, 90]"))},
                   {"words for numbers", limits("shin", ranges("\"up\"", "null"))},
                   {"nesting", std::string(20'000, '[')}}));
}

TEST_F(HostileReaders, BuildConfigs) {
  WriteFileAtomic(folder_ / "build.toml", Make({"build", "--print-config"}));
  const Kind kind{"build.toml",
                  {{{"build", "limb.glb", "-o", "out", "--config", "build.toml", "--set", "simulation.tets=200",
                     "--dry-run", "--json"},
                    {}}}};
  RunDamaged(kind, 20);
  Run(kind, Texts({{"nothing", ""},
                   {"numbers beyond double", "[training]\nepsilon = 1e999\n"},
                   {"numbers that are none", "[training]\nepsilon = nan\n"},
                   {"a huge number of steps", "[training]\nsteps = 99999999999999999999\n"},
                   {"a negative number of steps", "[training]\nsteps = -1\n"},
                   {"a million levels", "[hierarchy]\nlevels = 1000000\n"},
                   {"words that are not UTF-8", "[training]\n\xff\x1b[31m = 1\n"},
                   {"a section that is not UTF-8", "[\xff\x1b[31m]\n"},
                   {"a value with terminal escapes", "[poses]\nlearn_from = [\"\\u001b[31m.bvh\"]\n"},
                   {"nesting", "[poses]\nlearn_from = " + std::string(20'000, '[') + "\n"},
                   {"an endless line", "[poses]\n" + std::string(100'000, 'a') + "\n"}}));
}

// The character of the files that follow, as they are made one from the other.
TEST_F(HostileReaders, DatasetsHierarchiesDeformersAndBundles) {
  Make({"poses", "limb.glb", "--count", "6", "-o", "limb.poses"});
  Make({"dataset", "procedural", "limb.glb", "--poses", "limb.poses", "-o", "limb.dataset"});
  Make({"lod", "limb.glb", "-o", "limb.lod", "--levels", "2", "--regions", "4", "--poses", "0", "--no-pictures"});
  Make({"train", "limb.dataset", "--hierarchy", "limb.lod", "--steps", "5", "-o", "limb.deformer"});
  Make({"bake", "limb.deformer", "-o", "limb.sinew"});
  const Words info = {"dataset", "info", "limb.dataset", "--json"};
  const Words train = {"train", "limb.dataset", "--hierarchy", "limb.lod", "--steps", "2", "-o", "out.deformer"};
  const auto files_of = [&](const std::string& folder) {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_ / folder)) {
      if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), folder_.path()).string());
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  RunDamaged({"limb.dataset/dataset.json", {{info, {}}, {train, {"out.deformer"}}}}, 8);
  for (const std::string& file : files_of("limb.dataset/chunks")) RunDamaged({file, {{train, {"out.deformer"}}}}, 2);
  for (const std::string& file : files_of("limb.lod")) RunDamaged({file, {{train, {"out.deformer"}}}}, 4);
  for (const std::string& file : files_of("limb.deformer")) {
    RunDamaged({file, {{{"bake", "limb.deformer", "-o", "out.sinew", "--json"}, {"out.sinew"}}}}, 4);
  }
  RunDamaged({"limb.sinew",
              {{{"inspect", "limb.sinew", "--json"}, {}},
               {{"deform", "limb.sinew", "--poses", "limb.poses", "-o", "out.npy"}, {"out.npy"}},
               {{"export", "limb.sinew", "-o", "out.glb", "--json"}, {"out.glb"}}}},
             16);
}

TEST_F(HostileReaders, PointCaches) {
  Make({"poses", "limb.glb", "--count", "2", "-o", "limb.poses"});
  WriteFileAtomic(folder_ / "shapes.pc2", Pc2File(2, 58, std::vector<float>(2 * 58 * 3, 0.5f)));
  const Words import = {"dataset", "import",     "shapes.pc2", "--character", "limb.glb",
                        "--poses", "limb.poses", "-o",         "out.dataset"};
  const Kind kind{"shapes.pc2", {{import, {"out.dataset"}}}};
  RunDamaged(kind);
  const float infinity = std::numeric_limits<float>::infinity();
  Family family;
  for (const float value : {0.0f, 1e38f, -1e38f, 1e-42f, infinity, -infinity}) {
    family.push_back(
        {"all numbers are " + std::to_string(value), ToBytes(Pc2File(2, 58, std::vector<float>(2 * 58 * 3, value)))});
  }
  Run(kind, family);
}

// Names of files come from anywhere, too.
TEST_F(HostileReaders, NamesOfFiles) {
  const Bytes sound = MakeLimb().builder.Glb();
  std::vector<HostileRun> runs;
  for (const std::string name : {"\x1b[31mred.glb", "\xff\xfe.glb", "two\nlines.glb",
                                 "\xc2\x9b"
                                 "31m.glb"}) {
    const auto add = [&](const Bytes& bytes, const std::string& file, const Words& words) {
      runs.push_back({.file = {"a name", bytes}, .name = file, .words = words, .outputs = {}, .beside = {}});
    };
    add(ToBytes("nothing of use"), name, {"inspect", name, "--json"});
    add({}, name, {"inspect", name});
    add(sound, name, {"inspect", name, "--json"});
    add(sound, name, {"inspect", name});
    add(sound, "sound.glb", {"inspect", "missing" + name, "--json"});
  }
  RunHostile(runs);
}

TEST(HostileRuns, SeesWhatIsWrong) {
  const auto result = [](int code, const std::string& output, const std::string& errors) {
    LimitedResult made;
    made.code = code;
    made.output = output;
    made.errors = errors;
    return made;
  };
  EXPECT_EQ(WhatIsWrong(result(0, "done\n", ""), false), "");
  EXPECT_EQ(WhatIsWrong(result(0, "{}", "warning: a\nwarning: b\n"), true), "");
  EXPECT_EQ(WhatIsWrong(result(3, "", "warning: a\nsinew: a.glb: is bad\n"), false), "");
  EXPECT_EQ(WhatIsWrong(result(3, R"({"error": "a", "code": 3})", "sinew: a\n"), true), "");
  EXPECT_NE(WhatIsWrong(result(1, "", "sinew: a\n"), false), "");
  EXPECT_NE(WhatIsWrong(result(4, "", "sinew: unexpected: vector\n"), false), "");
  EXPECT_NE(WhatIsWrong(result(4, "", "sinew: not enough memory for this input\n"), false), "");
  EXPECT_NE(WhatIsWrong(result(3, "", ""), false), "");
  EXPECT_NE(WhatIsWrong(result(3, "", "sinew: a\nsinew: b\n"), false), "");
  EXPECT_NE(WhatIsWrong(result(3, "", "sinew: \x1b[31m\n"), false), "");
  EXPECT_NE(WhatIsWrong(result(3, "", "sinew: \xff\n"), false), "");
  EXPECT_NE(WhatIsWrong(result(3, "", "sinew: \xc2\x9b\n"), false), "");
  EXPECT_NE(WhatIsWrong(result(0, "done", ""), true), "");
  EXPECT_NE(WhatIsWrong(result(3, R"({"error": "a", "code": 4})", "sinew: a\n"), true), "");
  EXPECT_NE(WhatIsWrong(result(0, "", "a.cc:3: runtime error: nan is outside the range of int\n"), false), "");
  LimitedResult killed;
  killed.signal = 11;
  EXPECT_NE(WhatIsWrong(killed, false), "");
}

}  // namespace
}  // namespace sinew::testing
