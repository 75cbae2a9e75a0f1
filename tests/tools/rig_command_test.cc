// `sinew rig` and its survey as a user calls them: bad and strange files, and what is said about them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sinew/offline/autorig/known_body.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/learn/model_file.h"
#include "tests/support/run_program.h"
#include "tests/support/small_rig.h"
#include "tests/support/temporary_folder.h"

namespace sinew {
namespace {

using ::testing::HasSubstr;
using testing::ProgramResult;

class RigCommand : public ::testing::Test {
 protected:
  RigCommand() { learn::WriteModel(testing::UntrainedRigModel(1e9), folder_ / "any.model"); }

  ProgramResult Run(const std::vector<std::string>& words) const { return testing::RunSinewIn(folder_.path(), words); }

  const testing::TemporaryFolder folder_;
};

TEST_F(RigCommand, ASurveyGoesOnAfterFilesThatItCannotRead) {
  WriteFileAtomic(folder_ / "bad.glb", "no character");
  WriteCharacter(testing::SmallBiped(), folder_ / "good.glb");
  const ProgramResult run = Run({"learn", "survey-rig", "any.model", "-o", "out", "--others", "0", "--biped", "bad.glb",
                                 "good.glb", "--other", "missing.glb", "--remesh", "bad.glb"});
  ASSERT_EQ(run.code, 0) << run.errors;
  EXPECT_THAT(run.errors, HasSubstr("warning: missing.glb"));
  const std::string table = ReadTextFile(folder_ / "out/rigs.md");
  EXPECT_THAT(table, HasSubstr("| bad.glb | 0 | 0 |  |  |  |  | failed |"));
  EXPECT_THAT(table, HasSubstr("| good.glb | 1500 | 24 |"));
  EXPECT_THAT(table, HasSubstr("- bad.glb (given bipeds) failed: bad.glb: "));
  EXPECT_THAT(table, HasSubstr("- missing.glb (no biped) failed: missing.glb: "));
  EXPECT_THAT(table, HasSubstr("- bad.glb (remeshed) failed: bad.glb: "));
}

// A file that holds a body twice, at the same place, is rigged as one that holds it once.
TEST_F(RigCommand, ABodyThatIsThereTwiceIsRiggedOnce) {
  const Character body = autorig::WithoutRig(testing::SmallBiped());
  Character twice = body;
  twice.parts.push_back(body.parts[0]);
  WriteCharacter(body, folder_ / "once.glb");
  WriteCharacter(twice, folder_ / "twice.glb");
  const auto joints = [&](const char* file) {
    const ProgramResult run = Run({"rig", file, "-o", "out.glb", "--model", "any.model", "--json", "--quiet"});
    EXPECT_EQ(run.code, 0) << run.errors;
    return ParseJson(run.output, "output").at("joints");
  };
  const Json once = joints("once.glb"), again = joints("twice.glb");
  for (const auto& [name, joint] : once.items()) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(joint["position"][k].get<double>(), again[name]["position"][k].get<double>(), 1e-9) << name;
    }
  }
}

TEST_F(RigCommand, SaysThatAFileHoldsTwoBodies) {
  Character two = autorig::WithoutRig(testing::SmallBiped());
  two.parts.push_back(two.parts[0]);
  two.parts[1].mesh.positions.col(0).array() += 3;
  WriteCharacter(two, folder_ / "two.glb");
  const ProgramResult rigged = Run({"rig", "two.glb", "-o", "out.glb", "--model", "any.model", "--quiet"});
  EXPECT_EQ(rigged.code, 0) << rigged.errors;
  EXPECT_THAT(rigged.output, HasSubstr("look here   the file seems to hold 2 bodies"));
  learn::WriteModel(testing::UntrainedRigModel(1e-9), folder_ / "strict.model");
  const ProgramResult refused = Run({"rig", "two.glb", "-o", "none.glb", "--model", "strict.model", "--quiet"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.errors, HasSubstr("it seems to hold 2 bodies that do not touch"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none.glb"));
}

TEST_F(RigCommand, AFlatMeshIsRefused) {
  WriteFileAtomic(folder_ / "triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const ProgramResult run = Run({"rig", "triangle.obj", "-o", "out.glb", "--model", "any.model"});
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.errors, "sinew: triangle.obj: is flat, so that it has no inside; give a mesh of a body\n");
}

}  // namespace
}  // namespace sinew
