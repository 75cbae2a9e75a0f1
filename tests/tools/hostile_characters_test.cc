// Every command that takes a character, on characters that nobody means to make.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tools/hostile_runs.h"

namespace sinew::testing {
namespace {

struct Call {
  Words words;  // with FILE for the character
  Words outputs;
};

const Call kInspect{{"inspect", "FILE"}, {}};
const Call kInspectDeep{{"inspect", "FILE", "--deep", "--json"}, {}};
const Call kConvert{{"convert", "FILE", "out.glb", "--json"}, {"out.glb"}};
const Call kConvertMesh{{"convert", "FILE", "out.obj"}, {"out.obj"}};
const Call kConvertMotion{{"convert", "FILE", "out.bvh", "--animation", "0", "--json"}, {"out.bvh"}};
const Call kLevels{{"lod", "FILE", "-o", "out.lod", "--levels", "2", "--regions", "4", "--poses", "2", "--fit-poses",
                    "2", "--no-pictures"},
                   {"out.lod"}};
const Call kPoses{{"poses", "FILE", "--count", "3", "-o", "out.poses", "--json"}, {"out.poses"}};
const Call kPosesFrom{{"poses", "FILE", "--from", "FILE", "-o", "out.poses"}, {"out.poses"}};
const Call kSkin{{"skin", "FILE", "-o", "out.glb", "--steps", "2", "--json"}, {"out.glb"}};
const Call kSkinNear{{"skin", "FILE", "-o", "out.glb", "--method", "proximity"}, {"out.glb"}};
const Call kSimulate{
    {"simulate", "FILE", "--poses", "FILE#0", "-o", "out.dataset", "--tets", "200", "--frames", "0:2", "--json"},
    {"out.dataset"}};
const Call kProcedural{{"dataset", "procedural", "FILE", "--poses", "FILE#0", "-o", "out.dataset"}, {"out.dataset"}};
const Call kRender{{"render", "FILE", "-o", "out.png", "--size", "32", "--json"}, {"out.png"}};
const Call kRenderMotion{
    {"render", "FILE", "-o", "out.png", "--size", "16", "--animation", "0", "--fps", "10", "--skeleton"}, {"out.png"}};
// Of so few tetrahedra, for it simulates some poses to tell how long a build takes.
const Call kBuild{{"build", "FILE", "-o", "out", "--dry-run", "--set", "simulation.tets=200", "--json"}, {}};
const Call kLimits{{"limits", "FILE", "-o", "out.json", "--picture", "out.svg"}, {"out.json", "out.svg"}};
const Call kSkinMesh{{"skin-mesh", "FILE", "--poses", "FILE#0", "--frame", "1", "-o", "out.obj", "--json"},
                     {"out.obj"}};

const std::vector<Call> kAll = {kInspectDeep,   kConvert,   kLevels,   kPoses,    kSkin,        kSimulate,
                                kProcedural,    kRender,    kBuild,    kLimits,   kInspect,     kConvertMesh,
                                kConvertMotion, kPosesFrom, kSkinNear, kSkinMesh, kRenderMotion};

HostileRun Applied(const Call& call, const HostileFile& file) {
  HostileRun run{.file = file, .name = "bad.glb", .words = call.words, .outputs = call.outputs, .beside = {}};
  for (std::string& word : run.words) {
    if (word.starts_with("FILE")) word.replace(0, 4, run.name);
  }
  return run;
}

void RunEach(const Family& family, const std::vector<Call>& calls) {
  std::vector<HostileRun> runs;
  for (const HostileFile& file : family) {
    for (const Call& call : calls) runs.push_back(Applied(call, file));
  }
  RunHostile(runs);
}

// So many calls per file, other ones for the next file: in a family of many files that differ little, all are called.
void RunInTurn(const Family& family, const std::vector<Call>& calls, int per_file) {
  std::vector<HostileRun> runs;
  size_t next = 0;
  for (const HostileFile& file : family) {
    for (int i = 0; i < per_file; ++i) runs.push_back(Applied(calls[next++ % calls.size()], file));
  }
  RunHostile(runs);
}

// Else a family could be refused for something that is wrong with all of it.
TEST(HostileCharacters, TheLimbItselfIsAsGoodAsAny) {
  for (const Call& call : kAll) {
    const HostileRun run = Applied(call, {"sound", MakeLimb().builder.Glb()});
    RunHostile({run});
  }
}

TEST(HostileCharacters, ExtremeNumbers) { RunInTurn(ExtremeNumbers(), kAll, 2); }

TEST(HostileCharacters, OddScales) { RunInTurn(OddScales(), kAll, 3); }

TEST(HostileCharacters, OddTimes) {
  RunEach(OddTimes(),
          {kInspectDeep, kConvert, kConvertMotion, kPosesFrom, kProcedural, kRenderMotion, kSkinMesh, kLimits});
}

TEST(HostileCharacters, OddTrees) {
  RunEach(OddTrees(), {kInspectDeep, kConvert, kConvertMotion, kPoses, kSkinMesh, kLimits, kBuild});
}

TEST(HostileCharacters, OddSkins) {
  RunEach(OddSkins(), {kInspectDeep, kConvert, kConvertMotion, kLevels, kPoses, kSkin, kSimulate, kProcedural, kRender,
                       kBuild, kLimits});
}

TEST(HostileCharacters, OddMeshes) {
  RunEach(OddMeshes(),
          {kInspectDeep, kConvert, kConvertMesh, kLevels, kPoses, kSkin, kSkinNear, kSimulate, kRender, kBuild});
}

TEST(HostileCharacters, OddNames) {
  RunEach(OddNames(), {kInspect, kInspectDeep, kConvert, kConvertMesh, kConvertMotion, kLevels, kPoses, kRenderMotion,
                       kLimits, kProcedural});
}

TEST(HostileCharacters, FalseClaims) { RunEach(FalseClaims(), {kInspectDeep, kConvert}); }

TEST(HostileCharacters, WrongTypes) { RunInTurn(WrongTypes(), {kConvert, kInspectDeep, kRender}, 1); }

TEST(HostileCharacters, OddPictures) { RunEach(OddPictures(), {kInspectDeep, kConvert, kRender}); }

TEST(HostileCharacters, CutOff) { RunInTurn(CutOff(MakeLimb().builder.Glb(), 50), {kInspectDeep, kConvert}, 1); }

TEST(HostileCharacters, Flipped) { RunInTurn(Flipped(MakeLimb().builder.Glb(), 60, 100), kAll, 2); }

}  // namespace
}  // namespace sinew::testing
