// `sinew evaluate` of datasets and corpora: methods on many bodies.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/offline/core/file.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/graphnet/body.h"
#include "sinew/offline/learn/model_file.h"
#include "tests/support/small_graph_model.h"
#include "tests/support/small_recipes.h"
#include "tests/support/survey_bodies.h"
#include "tests/tools/egg_command.h"

namespace sinew::testing {
namespace {

class EvaluateBodies : public EggCommand {
 protected:
  EvaluateBodies() {
    WriteBumpedDataset(folder_ / "a.dataset", EggOn({.columns = 16, .rows = 10}), 1);
    WriteBumpedDataset(folder_ / "b.dataset", EggOn({.columns = 20, .rows = 12}, {.height = 1.9}), 1, 2, {1});
    std::filesystem::create_directory(folder_ / "shapes");
    WriteTruths("a"), WriteTruths("b");
  }
  void WriteTruths(const std::string& name) const {
    const dataset::Dataset dataset(folder_ / (name + ".dataset"));
    std::vector<Points> shapes;
    for (int i = 0; i < dataset.frame_count(); ++i) shapes.push_back(dataset.Shape(i));
    WriteShapes(folder_ / ("shapes/" + name + ".npy"), shapes);
  }
};

TEST_F(EvaluateBodies, MeasuresMethodsAndShapesBesideTraining) {
  const Words call = {"evaluate",
                      "tall=b.dataset",
                      "a.dataset",
                      "--methods",
                      "dual-quaternion,skincells",
                      "--steps",
                      "5",
                      "--field",
                      "fields",
                      "--shapes",
                      "mine=shapes",
                      "--training",
                      "a.dataset",
                      "--report",
                      "page.html",
                      "-o",
                      "all.json",
                      "--json"};
  const Json json = RunWell(call);
  EXPECT_EQ(json.at("methods"), (Json{"linear blend", "dual quaternion", "skincells", "mine"}));
  EXPECT_EQ(json.at("all").at("frames"), 5) << "one has failed";
  EXPECT_EQ(json.at("all").at("methods").at("mine").at("max_mm"), 0);
  EXPECT_EQ(json.at("bodies")[1].at("nearest_training").at("body"), "a");
  EXPECT_EQ(json.at("bodies")[1].at("nearest_training").at("body_mm"), 0);
  EXPECT_EQ(json.at("families")[0].at("name"), "tall");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "fields/b.field"));
  const Json written = Json::parse(ReadTextFile(folder_ / "all.json"));
  EXPECT_EQ(written.at("bodies"), json.at("bodies"));
  const std::string page = ReadTextFile(folder_ / "page.html");
  for (const char* has : {"error by family", "skincells", "tall", "Distance from training"}) {
    EXPECT_NE(page.find(has), std::string::npos) << has;
  }
  EXPECT_EQ(RunWell(call), json) << "with the kept fields";
}

TEST_F(EvaluateBodies, RemeshedDatasetsHaveTheFiguresOfOneSurface) {
  WriteBumpedDataset(folder_ / "fine.dataset", EggOn({.columns = 80, .rows = 60}), 1);
  for (const char* vertices : {"2000", "8000"}) {
    const std::string name = fmt::format("at{}.dataset", vertices);
    const Json made = RunWell({"dataset", "remesh", "fine.dataset", "--vertices", vertices, "-o", name, "--json"});
    EXPECT_NEAR(made.at("vertices").get<double>(), std::stod(vertices), 0.1 * std::stod(vertices));
  }
  const Json json = RunWell({"evaluate", "fine.dataset", "at2000.dataset", "at8000.dataset", "--json"});
  const auto mean = [&](int b) {
    return json.at("bodies")[b].at("methods").at("linear blend").at("mean_mm").get<double>();
  };
  EXPECT_GT(mean(0), 1);
  EXPECT_NEAR(mean(1), mean(2), 0.02 * mean(1));
  // Weights of the egg differ much from vertex to vertex, and truths are carried over along straight triangles.
  EXPECT_NEAR(mean(1), mean(0), 0.3 * mean(0));
  ExpectRefusedInBothForms({"dataset", "remesh", "no.dataset", "--vertices", "900", "-o", "x"}, 3, {"no.dataset"});
}

// A corpus of four figures, two to train on, one to validate with and one to test with, and a network for them.
class EvaluateCorpus : public EggCommand {
 protected:
  EvaluateCorpus() {
    corpus::WriteSmallBodies(folder_.path(), 4);
    WriteFileAtomic(folder_ / "recipe.toml", corpus::SmallRecipe(4));
    RunWell({"corpus", "make", "recipe.toml", "-o", "c", "--json"});
    const Character figure = ReadCharacter(folder_ / "files/figure_0.glb");
    learn::WriteModel(SmallGraphModel(graphnet::Body(figure, "figure")), folder_ / "small.model");
    Character renamed = figure;
    renamed.skeleton.joints.back().name = "tail";
    learn::WriteModel(SmallGraphModel(graphnet::Body(renamed, "renamed")), folder_ / "other.model");
  }
  // Path of the dataset of the one body to test with.
  std::string TestDataset() const { return RunWell({"evaluate", "c", "--json"}).at("bodies")[0].at("dataset"); }
};

TEST_F(EvaluateCorpus, MeasuresNetworksOnTestFramesBesideTrainingFrames) {
  const Json json = RunWell({"evaluate", "c", "--methods", "delta-mush", "--model", "net=small.model", "--json"});
  EXPECT_EQ(json.at("methods"), (Json{"linear blend", "delta mush", "net"}));
  EXPECT_EQ(json.at("all").at("frames"), 6);
  EXPECT_EQ(json.at("families")[0].at("name"), "figure");
  EXPECT_EQ(json.at("training"), (Json{{"bodies", 2}, {"poses", 12}}));
  EXPECT_GT(json.at("all").at("nearest_training").at("pose_mean_degrees"), 0.1);
  const Json test = RunWell({"learn", "test", "small.model", "c", "--json"});
  const double rms = test.at("all").at("network").at("rms_mm");
  EXPECT_NEAR(json.at("all").at("methods").at("net").at("rms_mm").get<double>(), rms, 1e-4 * rms);
  // Several networks answer with their mean, under the name of the first.
  const Character figure = ReadCharacter(folder_ / "files/figure_0.glb");
  learn::WriteModel(SmallGraphModel(graphnet::Body(figure, "figure"), {}, "mlp"), folder_ / "mlp.model");
  const Words both = {"evaluate", "c", "--methods", "delta-mush", "--model", "small.model,mlp.model", "--json"};
  EXPECT_EQ(RunWell(both).at("methods"), (Json{"linear blend", "delta mush", "small"}));
  // The same frames as a dataset, with the corpus to compare with, and the other choices of frames.
  const Json same = RunWell({"evaluate", TestDataset(), "--training", "c", "--json"});
  EXPECT_EQ(same.at("all").at("nearest_training"), json.at("all").at("nearest_training"));
  const Json validation = RunWell({"evaluate", "c", "--side", "validation", "--json"});
  EXPECT_NE(validation.at("bodies")[0].at("name"), json.at("bodies")[0].at("name"));
  const Json unseen = RunWell({"evaluate", "c", "--unseen-family", "figure", "--json"});
  EXPECT_EQ(unseen.at("all").at("bodies"), 4);
  EXPECT_EQ(unseen.at("training").at("bodies"), 0) << "all bodies are of the unseen family";
}

TEST_F(EvaluateCorpus, RefusesWithOneSentence) {
  ExpectRefusedInBothForms({"evaluate", "c", "--training", TestDataset()}, 3,
                           {"6 of the 6 frames to measure are also"});
  ExpectRefusedInBothForms({"evaluate", "c", "--model", "other.model"}, 3, {"joints that other.model was trained for"});
  ExpectRefusedInBothForms({"evaluate", "c", "--model", "sinew=small.model"}, 2, {"--model", "cannot be its name"});
  ExpectRefusedInBothForms({"evaluate", "c", "--model", "none.model"}, 3, {"none.model"});
  ExpectRefusedInBothForms({"evaluate", "c", "--model", "small.model,none.model"}, 3, {"none.model"});
  ExpectRefusedInBothForms({"evaluate", "x=c"}, 2, {"families of its own"});
  ExpectRefusedInBothForms({"evaluate", "c", "--unseen-family", "robot"}, 3, {"no bodies of the family \"robot\""});
  ExpectRefusedInBothForms({"evaluate", TestDataset(), "--side", "test"}, 2, {"--side", "no input is one"});
  ExpectRefusedInBothForms({"evaluate", "egg.glb", "--dataset", "a", "--model", "other.model"}, 2, {"--model"});
}

TEST_F(EvaluateBodies, RefusesWithOneSentence) {
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "x=none.dataset"}, 3, {"none.dataset", "does not exist"});
  ExpectRefusedInBothForms({"evaluate", "egg.glb"}, 2, {"egg.glb is no dataset", "--dataset"});
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "x=a.dataset"}, 2, {"both named a"});
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "--methods", "sinew"}, 2, {"sinew deform"});
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "--dataset", "b.dataset"}, 2, {"--dataset"});
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "b.dataset", "--shapes", "shapes/a.npy"}, 2, {"2 bodies"});
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "--shapes", "sinew=shapes/a.npy"}, 2, {"cannot be its name"});
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "--shapes", "shapes/b.npy"}, 3, {"vertices where"});
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "--shapes", "m=none.npy"}, 3, {"none.npy"});
  ExpectRefusedInBothForms({"evaluate", "egg.glb", "--dataset", "a.dataset", "--methods", "skincells"}, 2, {"--field"});
  ExpectRefusedInBothForms({"evaluate", "egg.glb", "--dataset", "a.dataset", "--methods", "voxel-weights"}, 2,
                           {"voxel-weights"});
  ExpectRefusedInBothForms({"evaluate", "egg.glb", "--dataset", "a.dataset", "--training", "a.dataset"}, 2,
                           {"--training"});
}

}  // namespace
}  // namespace sinew::testing
