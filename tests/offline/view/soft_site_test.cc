#include "sinew/offline/view/soft_site.h"

#include <gtest/gtest.h>

#include "sinew/offline/contact/dent_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/scenes/embedded_scenes.h"
#include "sinew/offline/scenes/learn_floater.h"
#include "sinew/offline/scenes/load_scene.h"
#include "tests/support/temporary_folder.h"

namespace sinew::view {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

constexpr int kTriangles = 300;

// A page, and an object as a file.
class Things {
 public:
  Things() {
    fs::create_directories(folder / "page/assets");
    WriteFileAtomic(folder / "page/index.html", "<p>characters</p>");
    WriteFileAtomic(folder / "page/soft.html", "<p>soft objects</p>");
    WriteFileAtomic(folder / "page/soft.wasm", std::string_view("\0asm", 4));
    const scenes::BuiltObject built = scenes::BuildObject(scenes::MakeEmbeddedObject("jelly", kTriangles), {});
    WriteFileAtomic(folder / "my jelly.soft", built.file.bytes());
  }

  SoftSiteRequest Request(const std::vector<std::string>& scenes) const {
    return {.page = folder / "page", .scenes = scenes, .fields = {}, .triangles = kTriangles};
  }
  std::string Path(const char* name) const { return (folder / name).string(); }

  TemporaryFolder folder;
};

Json Objects(const Site& site) {
  const Bytes* file = site.Find("site.json");
  EXPECT_NE(file, nullptr);
  const Json json = Json::parse(std::string(reinterpret_cast<const char*>(file->data()), file->size()));
  EXPECT_EQ(json["version"], 1);
  EXPECT_TRUE(json["characters"].empty() && json["motions"].empty());
  return json["objects"];
}

std::string TextOf(const Site& site, const std::string& path) {
  const Bytes* file = site.Find(path);
  EXPECT_NE(file, nullptr) << path;
  return {reinterpret_cast<const char*>(file->data()), file->size()};
}

TEST(SoftSite, OpensWithThePageOfSoftObjects) {
  const Things things;
  const Site site = MakeSoftSite(things.Request({"worm", things.Path("my jelly.soft")}));
  EXPECT_EQ(TextOf(site, "index.html"), "<p>soft objects</p>");
  EXPECT_NE(site.Find("soft.wasm"), nullptr);
  const Json objects = Objects(site);
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects[0]["name"], "worm");
  EXPECT_EQ(objects[1]["name"], "my jelly");
  EXPECT_EQ(objects[1]["object"], "data/my-jelly.soft");
  EXPECT_EQ(*site.Find("data/my-jelly.soft"), ReadFile(things.folder / "my jelly.soft"));
  // An object alone falls on a floor.
  EXPECT_FALSE(objects[1].contains("script"));
}

TEST(SoftSite, ExportedScriptsCanBeSimulatedWhereTheyLie) {
  const Things things;
  ExportSite(MakeSoftSite(things.Request({"worm"})), things.folder / "site");
  const scenes::LoadedScene loaded = scenes::LoadScene(things.Path("site/data/worm.json"), {.triangles = kTriangles});
  EXPECT_EQ(loaded.scene.object, "worm.soft");
  EXPECT_EQ(loaded.scene.colliders.size(), scenes::MakeEmbeddedScene("worm").colliders.size());
  EXPECT_GT(loaded.object.table.node_count(), 100);
}

TEST(SoftSite, FieldsGoToTheObjectsThatTheyFit) {
  const Things things;
  const scenes::LearnedFloater learned = scenes::LearnFloater({.triangles = kTriangles,
                                                               .states = 1,
                                                               .places = 2,
                                                               .rotations = 1,
                                                               .depths = 1,
                                                               .met = 0,
                                                               .width = 4,
                                                               .steps = 2});
  WriteFileAtomic(things.folder / "f.dent", learned.field.bytes());
  SoftSiteRequest request = things.Request({"worm", "floater"});
  request.fields = {things.folder / "f.dent"};
  const Json objects = Objects(MakeSoftSite(request));
  EXPECT_TRUE(objects[0]["fields"].empty());
  ASSERT_EQ(objects[1]["fields"].size(), 1u);
  EXPECT_EQ(objects[1]["fields"][0]["name"], "f.dent");
  EXPECT_EQ(objects[1]["fields"][0]["file"], "data/f.dent");
  request.scenes = {"worm"};
  EXPECT_THROW(MakeSoftSite(request), UsageError);
  // A script that names its own.
  scenes::Scene scene = scenes::MakeEmbeddedScene("floater");
  scene.field = "f.dent";
  WriteFileAtomic(things.folder / "mine.json", scenes::FormatScene(scene));
  const Json own = Objects(MakeSoftSite(things.Request({things.Path("mine.json")})));
  EXPECT_EQ(own[0]["name"], "mine");
  EXPECT_EQ(own[0]["fields"].size(), 1u);
}

TEST(SoftSite, RefusesWhatCannotBeShown) {
  const Things things;
  WriteFileAtomic(things.folder / "broken.soft", "no object");
  WriteFileAtomic(things.folder / "broken.json", "{\"object\": 3}");
  WriteFileAtomic(things.folder / "handle.json", R"({"object": "jelly", "handles": [{"handle": 40, "stiffness": 1}]})");
  EXPECT_THROW(MakeSoftSite(things.Request({things.Path("broken.soft")})), InputError);
  EXPECT_THROW(MakeSoftSite(things.Request({things.Path("broken.json")})), InputError);
  EXPECT_THROW(MakeSoftSite(things.Request({things.Path("handle.json")})), UsageError);
  EXPECT_THROW(MakeSoftSite(things.Request({"snake"})), UsageError);
  SoftSiteRequest request = things.Request({"worm"});
  request.fields = {things.folder / "broken.soft"};
  EXPECT_THROW(MakeSoftSite(request), InputError);
  fs::remove(things.folder / "page/soft.html");
  EXPECT_THROW(MakeSoftSite(things.Request({"worm"})), InputError);
}

}  // namespace
}  // namespace sinew::view
