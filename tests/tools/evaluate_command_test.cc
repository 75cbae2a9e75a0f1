// `sinew evaluate` of datasets: methods on many bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/offline/core/file.h"
#include "sinew/offline/dataset/dataset.h"
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

TEST_F(EvaluateBodies, RefusesWithOneSentence) {
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "none.dataset"}, 2, {"none.dataset is no dataset"});
  ExpectRefusedInBothForms({"evaluate", "egg.glb"}, 2, {"egg.glb is no dataset", "--dataset"});
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "x=a.dataset"}, 2, {"both named a"});
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "--methods", "sinew"}, 2, {"sinew deform"});
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "--dataset", "b.dataset"}, 2, {"--dataset"});
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "b.dataset", "--shapes", "shapes/a.npy"}, 2, {"2 bodies"});
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "--shapes", "sinew=shapes/a.npy"}, 2, {"cannot be its name"});
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "--shapes", "shapes/b.npy"}, 3, {"vertices where"});
  ExpectRefusedInBothForms({"evaluate", "a.dataset", "--shapes", "m=none.npy"}, 3, {"none.npy"});
  ExpectRefusedInBothForms({"evaluate", "egg.glb", "--dataset", "a.dataset", "--methods", "skincells"}, 2, {"--field"});
  ExpectRefusedInBothForms({"evaluate", "egg.glb", "--dataset", "a.dataset", "--training", "a.dataset"}, 2,
                           {"--training"});
}

}  // namespace
}  // namespace sinew::testing
