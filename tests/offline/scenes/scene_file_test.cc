#include "sinew/offline/scenes/scene_file.h"

#include <gtest/gtest.h>

#include "sinew/offline/scenes/embedded_scenes.h"
#include "tests/support/error_of.h"

namespace sinew::scenes {
namespace {

constexpr const char* kScript = R"({
  "object": "worm", "seconds": 1.5, "step": 0.02, "gravity": [0, -1], "position": [0, 2], "angle": 0.5,
  "velocity": [1, 0],
  "colliders": [
    {"shape": "plane", "friction": 0.5},
    {"shape": "circle", "radius": 0.25, "keys": [{"position": [1, 1]}, {"seconds": 2, "position": [3, 1], "angle": 1}]},
    {"shape": "polygon", "corners": [[0, 0], [1, 0], [0, 1]], "rounding": 0.1}],
  "handles": [{"handle": 2, "stiffness": 100, "keys": [{"position": [0, 1]}]}]
})";

std::string With(const std::string& from, const std::string& to) {
  std::string text = kScript;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(SceneFile, IsReadAsItIsWritten) {
  const Scene scene = ParseScene(kScript, "a.json");
  EXPECT_EQ(scene.object, "worm");
  EXPECT_EQ(scene.seconds, 1.5);
  EXPECT_EQ(scene.gravity, Eigen::Vector2d(0, -1));
  ASSERT_EQ(scene.colliders.size(), 3u);
  EXPECT_EQ(scene.colliders[0].friction, 0.5);
  EXPECT_EQ(scene.colliders[1].radius, 0.25);
  EXPECT_EQ(scene.colliders[2].corners.size(), 6u);
  ASSERT_EQ(scene.handles.size(), 1u);
  EXPECT_EQ(scene.handles[0].handle, 2);
}

void ExpectSameKeys(const std::vector<PoseKey>& a, const std::vector<PoseKey>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].seconds, b[k].seconds);
    EXPECT_EQ(a[k].position.cast<float>(), b[k].position.cast<float>());
    EXPECT_EQ(a[k].angle, b[k].angle);
  }
}

TEST(SceneFile, IsWrittenAsItWasRead) {
  std::vector<Scene> scenes = {ParseScene(kScript, "a.json")};
  for (const std::string& name : EmbeddedNames()) scenes.push_back(MakeEmbeddedScene(name));
  scenes[0].field = "a.dent";
  for (const Scene& scene : scenes) {
    const std::string text = FormatScene(scene);
    const Scene again = ParseScene(text, "again.json");
    EXPECT_EQ(FormatScene(again), text);
    EXPECT_EQ(again.object, scene.object);
    EXPECT_EQ(again.seconds, scene.seconds);
    EXPECT_EQ(again.step, scene.step);
    EXPECT_EQ(again.angle, scene.angle);
    EXPECT_EQ(again.position.cast<float>(), scene.position.cast<float>());
    EXPECT_EQ(again.finish, scene.finish);
    EXPECT_EQ(again.field, scene.field);
    ASSERT_EQ(again.colliders.size(), scene.colliders.size());
    for (size_t c = 0; c < scene.colliders.size(); ++c) {
      EXPECT_EQ(again.colliders[c].shape, scene.colliders[c].shape);
      EXPECT_EQ(again.colliders[c].radius, scene.colliders[c].radius);
      EXPECT_EQ(again.colliders[c].rounding, scene.colliders[c].rounding);
      EXPECT_EQ(again.colliders[c].friction, scene.colliders[c].friction);
      EXPECT_EQ(again.colliders[c].corners.size(), scene.colliders[c].corners.size());
      ExpectSameKeys(again.colliders[c].keys, scene.colliders[c].keys);
    }
    ASSERT_EQ(again.handles.size(), scene.handles.size());
    for (size_t h = 0; h < scene.handles.size(); ++h) {
      EXPECT_EQ(again.handles[h].handle, scene.handles[h].handle);
      EXPECT_EQ(again.handles[h].stiffness, scene.handles[h].stiffness);
      ExpectSameKeys(again.handles[h].keys, scene.handles[h].keys);
    }
  }
}

TEST(SceneFile, PosesGoEvenlyBetweenKeys) {
  const std::vector<PoseKey> keys = ParseScene(kScript, "a.json").colliders[1].keys;
  EXPECT_EQ(PoseAt(keys, -1).position[0], 1);
  EXPECT_EQ(PoseAt(keys, 0.5).position[0], 1.5);
  EXPECT_EQ(PoseAt(keys, 0.5).angle, 0.25);
  EXPECT_EQ(PoseAt(keys, 9).position[0], 3);
}

TEST(SceneFile, SaysWhatIsWrong) {
  const auto error = [](const std::string& from, const std::string& to) {
    return sinew::testing::ErrorOf([&] { ParseScene(With(from, to), "a.json"); });
  };
  const auto expect = [&](const std::string& from, const std::string& to, const std::string& part) {
    const std::string found = error(from, to);
    EXPECT_NE(found.find("a.json"), std::string::npos) << found;
    EXPECT_NE(found.find(part), std::string::npos) << found;
  };
  expect("\"object\"", "\"objekt\"", "objekt");
  expect("\"worm\"", "7", "\"object\" is not a string");
  expect("1.5", "-1", "\"seconds\" is -1");
  expect("[0, -1]", "[0]", "\"gravity\" does not hold 2 numbers");
  expect("\"plane\"", "\"box\"", "collider 0: \"shape\" is not plane, circle or polygon");
  expect("\"radius\": 0.25", "\"radius\": 0", "\"radius\" is 0");
  expect("\"radius\": 0.25, ", "", "\"radius\" is missing");
  expect("[0, 0], [1, 0], [0, 1]", "[0, 0], [0, 1], [1, 0]", "counter-clockwise");
  expect("[0, 0], [1, 0], [0, 1]", "[0, 0]", "\"corners\" has 1");
  expect("\"seconds\": 2", "\"seconds\": 0", "key 1 is not later");
  expect("\"handle\": 2", "\"handle\": -2", "\"handle\" is not a whole number");
  expect("\"friction\": 0.5", "\"friction\": 50", "\"friction\" is 50");
}

}  // namespace
}  // namespace sinew::scenes
