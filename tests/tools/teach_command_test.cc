// `sinew teach` as a user calls it, and builds that are taught.
#include <gtest/gtest.h>

#include <filesystem>

#include "sinew/offline/core/file.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/graphnet/familiarity.h"
#include "sinew/offline/graphnet/frame_store.h"
#include "sinew/offline/learn/model_file.h"
#include "tests/support/mesh_families.h"
#include "tests/support/skinned_mesh.h"
#include "tests/support/small_graph_model.h"
#include "tests/support/small_recipes.h"
#include "tests/tools/egg_command.h"

namespace sinew::testing {
namespace {

namespace fs = std::filesystem;

class TeachCommand : public EggCommand {
 protected:
  TeachCommand() {
    const graphnet::Body body(TestCharacter(), "egg");
    learn::Model model = SmallGraphModel(body);
    learn::WriteModel(model, folder_ / "plain.model");
    const int columns = body.columns();
    graphnet::Familiarity familiarity{std::vector<float>(columns, 0.0f), std::vector<float>(columns * columns, 0.0f),
                                      10};
    for (int c = 0; c < columns; ++c) familiarity.whitening[c * columns + c] = 1;
    graphnet::StoreFamiliarity(familiarity, model);
    learn::WriteModel(model, folder_ / "home.model");
    familiarity.limit = 1e-3f;
    model = SmallGraphModel(body);
    graphnet::StoreFamiliarity(familiarity, model);
    learn::WriteModel(model, folder_ / "far.model");
    RunWell({"poses", "egg.glb", "-o", "range.poses", "--count", "6", "--json"});
  }

  static Words Call(const std::string& output, const Words& more) {
    Words words = {"teach", "egg.glb", "--poses", "range.poses", "-o", output};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(TeachCommand, WritesADatasetThatOtherCommandsTake) {
  const Json json = RunWell(Call("egg.dataset", {"--model", "home.model", "--model", "plain.model", "--json"}));
  EXPECT_EQ(json.at("taught"), 6);
  EXPECT_EQ(json.at("dropped"), 0);
  EXPECT_EQ(json.at("scores").size(), 6u);
  for (const Json& score : json.at("scores")) {
    EXPECT_GT(score.at("score"), 0);
    EXPECT_LT(score.at("score"), 1);
    EXPECT_GT(score.at("weight"), 0.5);
    EXPECT_EQ(score.at("disagreement"), 0) << "they differ in their statistics alone";
  }
  EXPECT_EQ(json.at("taught_by").at("models").size(), 2u);
  const Json info = RunWell({"dataset", "info", "egg.dataset", "--json"});
  EXPECT_EQ(info.at("settings").at("maker"), "teach");
  EXPECT_EQ(Run({"dataset", "check", "egg.dataset"}).code, 0);
  RunWell({"lod", "egg.glb", "-o", "egg.lod", "--levels", "2", "--json"});
  RunWell({"train", "egg.dataset", "--hierarchy", "egg.lod", "-o", "egg.deformer", "--steps", "20", "--json"});
}

TEST_F(TeachCommand, RefusesWhatItMust) {
  const Words plain = {"--model", "plain.model"};
  RunWell(Call("egg.dataset", {"--model", "plain.model", "--json"}));
  ExpectRefusedInBothForms(Call("egg.dataset", {"--model", "home.model"}), 4, {"egg.dataset", "exists", "--resume"});
  ExpectRefusedInBothForms(Call("egg.dataset", {"--model", "home.model", "--resume"}), 3,
                           {"was begun with models", "plain.model"});
  ExpectRefusedInBothForms(Call("far.dataset", {"--model", "far.model"}), 3,
                           {"egg.glb", "too different", "6 of 6 frames", "simulate instead", "--keep-all"});
  EXPECT_FALSE(fs::exists(folder_ / "far.dataset"));
  EXPECT_EQ(RunWell(Call("far.dataset", {"--model", "far.model", "--keep-all", "--json"})).at("beyond"), 6);
  ExpectRefusedInBothForms(Call("x.dataset", {"--model", "home.model", "--model", "home.model"}), 2,
                           {"the same network"});
  ExpectRefusedInBothForms(Call("x.dataset", {"--model", "none.model"}), 3, {"none.model"});
  ExpectRefusedInBothForms(Call("x.dataset", {"--model", "egg.glb"}), 3, {"egg.glb"});
  ExpectRefusedInBothForms(Call("x.dataset", {"--model", "home.model", "--frames", "9:12"}), 2, {"9:12"});
  WriteCharacter(TestCharacter({.spines = 2}), folder_ / "other.glb");
  RunWell({"poses", "other.glb", "-o", "other.poses", "--count", "2", "--json"});
  ExpectRefusedInBothForms({"teach", "other.glb", "--poses", "other.poses", "-o", "x.dataset", "--model", "home.model"},
                           3, {"other.glb", "joints that", "home.model was trained for"});
  EXPECT_FALSE(fs::exists(folder_ / "x.dataset"));
}

TEST_F(TeachCommand, ScoresAreMeasuredOnUnseenFramesAlone) {
  RunWell(Call("egg.dataset", {"--model", "plain.model", "--json"}));
  const dataset::Dataset dataset(folder_ / "egg.dataset");
  const Json json = RunWell({"learn", "score", "home.model", "--on", "egg.dataset", "--json"});
  EXPECT_EQ(json.at("frames"), 6);
  ExpectRefusedInBothForms({"learn", "score", "none.model", "--on", "egg.dataset", "--record"}, 2,
                           {"--record: one network has nobody to agree with"});
  const graphnet::Body body(TestCharacter(), "egg");
  const learn::Model model = SmallGraphModel(body, {graphnet::SeenHash(dataset.frame(2))});
  learn::WriteModel(model, folder_ / "seen.model");
  ExpectRefusedInBothForms({"learn", "score", "home.model", "seen.model", "--on", "egg.dataset"}, 3,
                           {"egg.dataset", "1 of its 6 frames were used in training"});
}

TEST_F(TeachCommand, ScoresNeedFramesToMeasureThemOn) {
  corpus::WriteSmallBodies(folder_.path(), 2);
  WriteFileAtomic(folder_ / "tests.toml", corpus::SmallRecipe(2, "[splits]\nvalidation = 0\ntest = 1\n"));
  WriteFileAtomic(folder_ / "trains.toml", corpus::SmallRecipe(2, "[splits]\nvalidation = 0\ntest = 0\n"));
  RunWell({"corpus", "make", "tests.toml", "-o", "tests.corpus", "--json"});
  RunWell({"corpus", "make", "trains.toml", "-o", "trains.corpus", "--json"});
  ExpectRefusedInBothForms({"learn", "score", "home.model", "far.model", "--on", "tests.corpus", "--record"}, 2,
                           {"tests.corpus has no validation frames"});
  ExpectRefusedInBothForms({"learn", "score", "home.model", "--on", "trains.corpus"}, 2,
                           {"trains.corpus has no test frames"});
}

TEST_F(TeachCommand, ARateThatFallsByTheClockNeedsATime) {
  const Words call = {"learn", "train", "none.dataset", "-o", "x.model", "--anneal"};
  ExpectRefusedInBothForms(call, 2, {"--anneal", "--minutes"});
}

constexpr const char* kSmall =
    "[hierarchy]\nlevels = 2\nregions = 8\nfit_poses = 2\n"
    "[poses]\ntraining = 20\nwide = 0\nhuman = false\ninner = 0.2\nclear = false\ntest = 3\nmotion_frames = 4\n"
    "[simulation]\ntets = 300\ncontact = false\n[training]\nsteps = 40\n"
    "[timing]\nseconds = 0\n[report]\npictures = false\n";

TEST_F(TeachCommand, BuildsAreTaughtOrGivenAndSayWhoJudged) {
  WriteFileAtomic(folder_ / "small.toml", std::string(kSmall));
  const auto build = [](const std::string& output, const Words& more) {
    Words words = {"build", "egg.glb", "-o", output, "--preset", "instant", "--config", "small.toml", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const Words model = {"--set", "truths.models=[\"home.model\"]", "--json"};
  const Json json = RunWell(build("taught.build", model));
  EXPECT_NE(json.at("conclusion")
                .get<std::string>()
                .find("It learned from what trained networks answer and is judged by simulated flesh."),
            std::string::npos)
      << json.at("conclusion");
  EXPECT_FALSE(json.at("levels")[1].contains("single-level"));
  const dataset::Dataset training(folder_ / "taught.build" / "training.dataset");
  EXPECT_EQ(training.manifest().settings.at("maker"), "teach");
  EXPECT_EQ(training.frame_count(), 20);
  EXPECT_EQ(dataset::Dataset(folder_ / "taught.build" / "test.dataset").manifest().settings.at("maker"), "simulate");
  for (const Json& stage : RunWell(build("taught.build", model)).at("stages")) EXPECT_TRUE(stage.at("kept")) << stage;

  const Json few =
      RunWell(build("few.build", {"--set", "truths.models=[\"home.model\"]", "--set", "truths.few_shot=4", "--json"}));
  EXPECT_NE(few.at("conclusion").get<std::string>().find("that were tuned to 4 simulated poses and is judged by"),
            std::string::npos)
      << few.at("conclusion");
  EXPECT_EQ(dataset::Dataset(folder_ / "few.build" / "few.dataset").frame_count(), 4);
  EXPECT_EQ(dataset::Dataset(folder_ / "few.build" / "training.dataset").frame_count(), 20);

  const Json given = RunWell(build(
      "given.build", {"--set", "truths.from=given", "--set", "truths.given=taught.build/training.dataset", "--json"}));
  EXPECT_EQ(dataset::Dataset(folder_ / "given.build" / "training.dataset").frame_count(), 20);
  EXPECT_EQ(given.at("levels")[1].at("sinew"), json.at("levels")[1].at("sinew"));

  ExpectRefused(build("x.build", {"--set", "truths.from=given"}), 2, {"truths.given=FOLDER"});
  ExpectRefused(build("x.build", {"--set", "truths.from=given", "--set", "truths.given=egg.glb"}), 3,
                {"is no dataset"});
}

// Two open sheets that cross, with a fin on an edge of theirs that three triangles share: nothing encloses anything.
Character Cloth() {
  TriMesh across = Grid(6, 30);
  across.positions.col(1) *= 3;
  TriMesh along = across;
  for (int v = 0; v < along.vertex_count(); ++v) {
    const Eigen::RowVector3f x = along.positions.row(v);
    along.positions.row(v) << 0.45f, x.y(), x.x() - 0.5f;
  }
  TriMesh both = Merge(across, along);
  const int fin = both.vertex_count();
  both.positions.conservativeResize(fin + 1, 3);
  both.positions.row(fin) << 0.5f, 1.5f, 0.8f;
  both.triangles.conservativeResize(both.triangle_count() + 1, 3);
  both.triangles.row(both.triangle_count() - 1) << both.triangles(0, 1), both.triangles(0, 2), fin;
  return SkinnedMesh(both);
}

TEST_F(TeachCommand, ABuildThatNoFleshFitsIntoIsJudgedByItsTeachers) {
  const Character cloth = Cloth();
  WriteCharacter(cloth, folder_ / "cloth.glb");
  WriteFileAtomic(folder_ / "small.toml", std::string(kSmall));
  const graphnet::BodyOptions any = {.features = graphnet::Features::kCues, .answers = graphnet::Answers::kLimb};
  learn::WriteModel(SmallGraphModel(graphnet::Body(cloth, "cloth", any)), folder_ / "cloth.model");
  const auto build = [](const std::string& output, const Words& more) {
    Words words = {"build", "cloth.glb", "-o", output, "--preset", "instant", "--config", "small.toml", "--quiet"};
    words.insert(words.end(), {"--set", "truths.models=[\"cloth.model\"]", "--json"});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const ProgramResult run = Run(build("cloth.build", {"--set", "truths.few_shot=3"}));
  ASSERT_EQ(run.code, 0) << run.errors;
  for (const char* said : {"no flesh can be made", "it is thin", "so the networks teach without simulated shapes",
                           "so the networks that taught it also judge it"}) {
    EXPECT_NE(run.errors.find(said), std::string::npos) << said << " in " << run.errors;
  }
  EXPECT_EQ(run.errors.find("skinning is already exact"), std::string::npos) << run.errors;
  const std::string conclusion = Json::parse(run.output).at("conclusion");
  EXPECT_NE(
      conclusion.find("It learned from what trained networks answer and is judged by them, too, since no flesh can "
                      "be made"),
      std::string::npos)
      << conclusion;
  for (const char* name : {"training.dataset", "test.dataset", "motion.dataset"}) {
    const dataset::Dataset made(folder_ / "cloth.build" / name);
    EXPECT_EQ(made.manifest().settings.at("maker"), "teach") << name;
    EXPECT_EQ(made.OkFrames().size(), made.manifest().frames.size()) << name;
  }
  const std::string page = ReadTextFile(folder_ / "cloth.build" / "report.html");
  EXPECT_NE(page.find("is judged by them, too, since no flesh can be made"), std::string::npos);
  EXPECT_EQ(page.find("judged by simulated flesh"), std::string::npos);
  // A build that simulates still takes it: without flesh, skinning is what is true.
  EXPECT_EQ(Run(build("skinned.build", {"--set", "truths.from=simulate"})).code, 0);
}

}  // namespace
}  // namespace sinew::testing
