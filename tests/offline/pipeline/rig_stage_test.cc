#include "sinew/offline/pipeline/rig_stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "sinew/offline/autorig/known_body.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/pipeline/report_rig.h"
#include "sinew/offline/pipeline/times.h"
#include "tests/support/small_rig.h"
#include "tests/support/temporary_folder.h"

namespace sinew::pipeline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A mesh of a biped without a skeleton, and a network that has learned nothing.
class RigStages : public ::testing::Test {
 protected:
  RigStages() {
    WriteCharacter(autorig::WithoutRig(testing::SmallBiped()), folder_ / "mesh.glb");
    WriteCharacter(testing::SmallBiped(), folder_ / "biped.glb");
    WriteModel(10);
  }
  // usual_spread: small enough that everything is refused, or large enough that nothing is.
  void WriteModel(double usual_spread) const {
    WriteFileAtomic(folder_ / "rig.model", learn::EncodeModel(testing::UntrainedRigModel(usual_spread)));
  }
  Request RequestWith(const std::vector<std::string>& settings, const char* mesh = "mesh.glb") const {
    Request request{.character = folder_ / mesh, .config = Config(), .seed = 1};
    for (const std::string& setting : settings) request.config.Set(setting);
    request.find_model = [this](const std::string& name) { return folder_ / name; };
    return request;
  }
  std::vector<Stage> StagesWith(const std::vector<std::string>& settings, const char* mesh = "mesh.glb") const {
    const Request request = RequestWith(settings, mesh);
    return MakeStages(request, FindSubject(request));
  }
  // Runs the stages `rig` and `input`, and returns input.json.
  Json TakeInput(const std::vector<std::string>& settings) const {
    Times times(folder_ / "times.json");
    const std::vector<Stage> stages = StagesWith(settings);
    for (int i = 0; i < 2; ++i) stages[i].run({folder_.path(), times});
    return ParseJson(ReadTextFile(folder_ / kInputFacts), kInputFacts);
  }

  const testing::TemporaryFolder folder_;
};

TEST_F(RigStages, AMeshWithoutASkeletonGetsOneBeforeAllElse) {
  const std::vector<Stage> stages = StagesWith({});
  EXPECT_EQ(stages[0].name, "rig");
  std::set<std::string> written;
  for (const Stage& stage : stages) {
    for (const std::string& need : stage.needs) EXPECT_TRUE(written.contains(need)) << stage.name << ": " << need;
    written.insert(stage.outputs.begin(), stage.outputs.end());
  }
  EXPECT_TRUE(written.contains(kEverydayTruths)) << "it is judged as a biped";
  EXPECT_EQ(StagesWith({}, "biped.glb")[0].name, "input") << "one that has a skeleton keeps it";
}

TEST_F(RigStages, EverySettingDecidesOverTheStage) {
  WriteFileAtomic(folder_ / "joints.json", std::string_view(R"({"head": [0, 1.6, 0]})"));
  WriteFileAtomic(folder_ / "other.model", learn::EncodeModel(testing::UntrainedRigModel(11)));
  const Stage before = StagesWith({})[0];
  const auto differs = [&](const std::string& setting) {
    const Stage after = StagesWith({setting})[0];
    return after.settings != before.settings || after.outside != before.outside;
  };
  EXPECT_TRUE(differs("rig.names=mixamo"));
  EXPECT_TRUE(differs("rig.weights=skincells"));
  EXPECT_TRUE(differs("rig.joints=" + (folder_ / "joints.json").string()));
  EXPECT_TRUE(differs("rig.model=" + (folder_ / "other.model").string()));
  EXPECT_TRUE(differs("input.skeleton=" + (folder_ / "biped.glb").string()));
  EXPECT_FALSE(differs("rig.from=network")) << "which is what a mesh without a skeleton gets anyway";
}

TEST_F(RigStages, ANetworkGivesJointsAndWeights) {
  const Json facts = TakeInput({"rig.names=mixamo"});
  EXPECT_EQ(facts.at("joints"), autorig::kJoints);
  EXPECT_TRUE(facts.at("has_weights").get<bool>());
  const Character character = ReadCharacter(folder_ / kInput);
  EXPECT_GE(character.skeleton.Find("mixamorig:LeftForeArm"), 0);
  EXPECT_EQ(character.parts[0].mesh.positions, testing::SmallBiped().parts[0].mesh.positions);
  const Json rig = ParseJson(ReadTextFile(folder_ / kRigFacts), kRigFacts);
  EXPECT_EQ(rig.at("from"), "network");
  EXPECT_EQ(facts.value("warnings", std::vector<std::string>{}), RigWarnings(rig));
  EXPECT_FALSE(TakeInput({"rig.weights=skincells"}).at("has_weights").get<bool>()) << "a later stage makes them";
}

TEST_F(RigStages, AnEstimateAndTheStageRigOnce) {
  const Request request = RequestWith({});
  Subject subject = FindSubject(request);
  const Character rigged = SubjectCharacter(request, subject);
  EXPECT_EQ(rigged.skeleton.joint_count(), autorig::kJoints);
  WriteModel(1e-9);  // would refuse
  Times times(folder_ / "times.json");
  EXPECT_NO_THROW(RigStage(request, subject).run({folder_.path(), times}));
  EXPECT_EQ(ReadCharacter(folder_ / kRigged).parts[0].weights.weights, rigged.parts[0].weights.weights);
}

TEST_F(RigStages, TheSkeletonOfAnotherFileIsTaken) {
  const Json facts = TakeInput({"input.skeleton=" + (folder_ / "biped.glb").string()});
  EXPECT_EQ(facts.at("joints"), testing::SmallBiped().skeleton.joint_count());
  EXPECT_FALSE(facts.at("has_weights").get<bool>());
  EXPECT_EQ(ParseJson(ReadTextFile(folder_ / kRigFacts), kRigFacts).at("skeleton"), "biped.glb");
}

TEST_F(RigStages, WhatIsNoBipedEndsTheBuild) {
  WriteModel(1e-9);
  try {
    TakeInput({});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("mesh.glb: is not a biped"));
  }
}

TEST_F(RigStages, ContradictionsAreRefusedWithASentence) {
  EXPECT_THROW(StagesWith({"rig.from=own"}), InputError);
  EXPECT_THROW(StagesWith({"rig.from=file"}), UsageError);
  EXPECT_THROW(StagesWith({"rig.from=network", "input.skeleton=a.bvh"}), UsageError);
  EXPECT_THROW(StagesWith({"rig.from=network"}, "biped.glb"), UsageError);
  EXPECT_THROW(StagesWith({"rig.names=maya"}), UsageError);
  Request without = RequestWith({});
  without.find_model = {};
  EXPECT_THROW(MakeStages(without, FindSubject(without)), FailedError);
}

TEST_F(RigStages, BipedsAreKnownByAllSetsOfNames) {
  for (const std::string& set : autorig::NameSets()) EXPECT_TRUE(IsBipedByNames(autorig::NamesOf(set))) << set;
  autorig::JointNames nameless;
  for (int j = 0; j < autorig::kJoints; ++j) nameless[j] = "j" + std::to_string(j);
  EXPECT_FALSE(IsBipedByNames(nameless));
}

TEST_F(RigStages, ThePageShowsVerdicts) {
  TakeInput({});
  const Json rig = ParseJson(ReadTextFile(folder_ / kRigFacts), kRigFacts);
  report::Page page("mesh");
  AddRig(rig, {}, page);
  for (const Json& verdict : rig.at("verdicts")) {
    EXPECT_THAT(page.Html(), HasSubstr(verdict.at("check").get<std::string>()));
  }
  report::Page none("mesh");
  AddRig(Json::object(), {}, none);
  EXPECT_THAT(none.Html(), Not(HasSubstr("Skeleton")));
}

}  // namespace
}  // namespace sinew::pipeline
