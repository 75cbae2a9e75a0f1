// `sinew dynamics` with learned contact as a user calls it: learning, playing, scripts that name a field, and refusals.
#include "sinew/offline/core/file.h"
#include "sinew/offline/scenes/embedded_scenes.h"
#include "tests/tools/egg_command.h"

namespace sinew::testing {
namespace {

class DynamicsCommand : public EggCommand {
 protected:
  // A script with the floater and its post. field: named in it unless empty.
  void WriteScript(const std::string& file, const std::string& field) const {
    const scenes::Scene scene = scenes::MakeEmbeddedScene("floater");
    const scenes::SceneCollider& post = scene.colliders.front();
    Json corners = Json::array();
    for (size_t i = 0; i < post.corners.size(); i += 2) corners.push_back({post.corners[i], post.corners[i + 1]});
    const scenes::PoseKey& key = post.keys.front();
    const Json pose = {{"position", {key.position[0], key.position[1]}}, {"angle", key.angle}};
    const Json collider = {
        {"shape", "polygon"}, {"corners", corners}, {"rounding", post.rounding}, {"keys", Json::array({pose})}};
    Json json = {{"object", "floater"},
                 {"seconds", 0.4},
                 {"position", {0, 0.3}},
                 {"finish", 0},
                 {"colliders", Json::array({collider})}};
    if (!field.empty()) json["field"] = field;
    WriteFileAtomic(folder_ / file, json.dump());
  }
  void LearnField() const {
    const Json json = RunWell({"dynamics", "floater", "--triangles", "800", "--learn", "f.dent", "--states", "1",
                               "--places", "8", "--met", "0", "--width", "8", "--steps", "5", "--json"});
    EXPECT_GT(json.value("contacts", 0), 150);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "f.dent.learning"));
  }
};

TEST_F(DynamicsCommand, AScriptNamesItsField) {
  LearnField();
  WriteScript("with.json", "f.dent");
  WriteScript("without.json", "");
  const Json named = RunWell({"dynamics", "with.json", "--triangles", "800", "--full", "--json"});
  const Json given = RunWell({"dynamics", "without.json", "--field", "f.dent", "--triangles", "800", "--json"});
  const Json linear = RunWell({"dynamics", "without.json", "--triangles", "800", "--json"});
  EXPECT_EQ(named["state_hash"], given["state_hash"]);
  EXPECT_NE(named["state_hash"], linear["state_hash"]);
  EXPECT_GT(named["field"]["times_linear"], 0);
  EXPECT_GT(named["ratios"]["full_to_field"], 0);
  EXPECT_TRUE(linear["field"].is_null());
  ExpectRefusedInBothForms({"dynamics", "worm", "--triangles", "800", "--field", "f.dent"}, 2, {"with other handles"});
}

TEST_F(DynamicsCommand, LearningGoesOnAfterAKill) {
  const auto learn = [](const std::string& file) -> Words {
    return {"dynamics", "floater", "--triangles", "800", "--learn", file, "--states", "1",
            "--places", "4",       "--met",       "0",   "--width", "4",  "--steps",  "5"};
  };
  const std::filesystem::path kept = folder_ / "killed.dent.learning/planned_00001.contacts";
  RunAndKillSinewIn(folder_.path(), learn("killed.dent"), [&] { return std::filesystem::exists(kept); });
  ASSERT_TRUE(std::filesystem::exists(kept));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "killed.dent"));
  RunWell(learn("killed.dent"));
  RunWell(learn("whole.dent"));
  EXPECT_EQ(ReadFile(folder_ / "killed.dent"), ReadFile(folder_ / "whole.dent"));
  ExpectRefusedInBothForms(learn("nowhere/f.dent"), 4, {"nowhere"});
}

TEST_F(DynamicsCommand, ThePageShowsTheSameScenes) {
  std::filesystem::create_directories(folder_ / "page");
  for (const char* file : {"index.html", "soft.html"})
    WriteFileAtomic(folder_ / "page" / file, std::string("<p>page</p>"));
  const auto view = [](Words words) {
    words.insert(words.begin(), "view");
    words.insert(words.end(), {"--triangles", "300", "--page", "page", "--export", "site"});
    return words;
  };
  Words json = view({"jelly"});
  json.emplace_back("--json");
  EXPECT_EQ(RunWell(json).value("files", 0), 5);  // two pages, the manifest, the object and its script
  RunWell({"dynamics", "site/data/jelly.json", "--seconds", "0.1", "--json"});
  WriteFileAtomic(folder_ / "bad.soft", std::string("no object"));
  ExpectRefusedInBothForms(view({"bad.soft"}), 3, {"bad.soft", "is not a soft object"});
  ExpectRefusedInBothForms(view({"jelly", "--field", "bad.soft"}), 3, {"bad.soft", "is not a contact field"});
  ExpectRefusedInBothForms(view({"jelly", "egg.sinew"}), 2, {"characters or soft objects"});
  ExpectRefusedInBothForms(view({"jelly", "--motion", "walk.bvh"}), 2, {"--motion"});
  ExpectRefusedInBothForms(view({"egg.sinew", "--field", "a.dent"}), 2, {"--field is for soft objects"});
}

TEST_F(DynamicsCommand, PlaysAJellyInSpace) {
  const Json played =
      RunWell({"dynamics", "jelly3d", "--tets", "700", "--seconds", "0.6", "--frames", "2", "-o", "j.png",
               "--positions", "j.npy", "--energy", "j.csv", "--save-object", "j.soft", "--json"});
  EXPECT_EQ(played["dimension"], 3);
  EXPECT_EQ(played["handles"], 19);
  EXPECT_EQ(played["numbers"], 66);
  EXPECT_GT(played["touching"], 0);
  for (const char* file : {"j.png", "j.npy", "j.csv"}) EXPECT_TRUE(std::filesystem::exists(folder_ / file)) << file;
  const Json fallen = RunWell({"dynamics", "j.soft", "--seconds", "0.2", "--json"});
  EXPECT_EQ(fallen["tets"], played["tets"]);
  EXPECT_TRUE(fallen["cubature_error"].is_null());

  WriteFileAtomic(folder_ / "solid.json", std::string(R"({"object": "j.soft"})"));
  ExpectRefusedInBothForms({"dynamics", "solid.json"}, 2, {"is an object in space"});
  ExpectRefusedInBothForms({"dynamics", "j.soft", "--full"}, 2, {"for objects in the plane"});
  ExpectRefusedInBothForms({"dynamics", "j.soft", "-o", "j.svg"}, 2, {".svg, and those of objects in space .png"});
}

TEST_F(DynamicsCommand, FieldsThatAreNoneAreOneSentence) {
  WriteFileAtomic(folder_ / "bad.dent", std::string("no field"));
  WriteScript("bad.json", "bad.dent");
  ExpectRefusedInBothForms({"dynamics", "worm", "--triangles", "300", "--field", "bad.dent"}, 3,
                           {"bad.dent", "is not a contact field"});
  ExpectRefusedInBothForms({"dynamics", "bad.json", "--triangles", "300"}, 3, {"bad.dent", "is not a contact field"});
  ExpectRefusedInBothForms({"dynamics", "worm", "--triangles", "300", "--starts", "2"}, 2, {"has nothing to pass"});
  ExpectRefusedInBothForms({"dynamics", "worm", "--learn", "w.dent"}, 2, {"sinew contact bench worm"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "w.dent"));
}

}  // namespace
}  // namespace sinew::testing
