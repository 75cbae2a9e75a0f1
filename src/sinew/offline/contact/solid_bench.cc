#include "sinew/offline/contact/solid_bench.h"

#include <fmt/format.h>

#include <memory>

#include "sinew/offline/contact/animal.h"
#include "sinew/offline/contact/floater.h"
#include "sinew/offline/contact/hand.h"
#include "sinew/offline/contact/jelly.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/folder_lock.h"

namespace sinew::contact {
namespace {

// What a scene presses, and how much of it is simulated.
struct Scene {
  const char* name;
  const char* title;
  const char* table;
  std::unique_ptr<SolidObject> (*make)(const SolidOptions& options, BenchScene& scene);
  int states, places, rotations, depths, tests, width;
  SolidOptions solid;
};

std::unique_ptr<SolidObject> MakeHand(const SolidOptions& options, BenchScene& scene) {
  auto hand = std::make_unique<Hand>(options);
  scene.regions = hand->regions;
  scene.region_of = hand->region_of;
  return hand;
}

template <LoadedSolid (*kMake)(const SolidOptions&)>
std::unique_ptr<SolidObject> MakeLoaded(const SolidOptions& options, BenchScene&) {
  return std::unique_ptr<SolidObject>(new LoadedSolid(kMake(options)));
}

const std::vector<Scene>& Scenes() {
  static const std::vector<Scene> scenes = {
      {"jelly", "Jelly", "table2", MakeLoaded<MakeJelly>, 5, 32, 15, 5, 50, 500, {}},
      {"hand", "Hand", "hand", MakeHand, 1, 150, 24, 5, 300, 500, {.tets = 12000, .collider_radius = 0.03}},
      {"floater", "Floater", "floater", MakeLoaded<MakeFloater>, 8, 24, 12, 4, 50, 500, {.collider = "shell"}},
      {"animal", "Animal", "animal", MakeLoaded<MakeAnimal>, 8, 24, 12, 4, 50, 500, {.collider_radius = 0.2}},
  };
  return scenes;
}

const Scene& FindScene(const std::string& name) {
  std::string names;
  for (const Scene& scene : Scenes()) {
    if (scene.name == name) return scene;
    names += (names.empty() ? "" : ", ") + std::string(scene.name);
  }
  throw UsageError(fmt::format("there is no scene '{}' in space; give one of {}", name, names));
}

}  // namespace

SolidBenchOptions SolidSceneOptions(const std::string& name) {
  const Scene& scene = FindScene(name);
  SolidBenchOptions options;
  options.plan.places = scene.places;
  options.plan.rotations = scene.rotations;
  options.plan.depths = scene.depths;
  options.states = {scene.states};
  options.test_chains = scene.tests;
  options.width = scene.width;
  options.solid = scene.solid;
  return options;
}

std::string SolidTableName(const std::string& scene) { return FindScene(scene).table; }

BenchResult RunSolidBench(const std::string& name, const SolidBenchOptions& options,
                          const std::filesystem::path& folder) {
  const Scene& made = FindScene(name);
  std::filesystem::create_directories(folder);
  const FolderLock lock(folder);
  BenchScene scene{.title = made.title, .table = made.table};
  const std::unique_ptr<SolidObject> object = made.make(options.solid, scene);
  scene.object = object.get();
  scene.elements = object->mesh.tet_count();
  if (name == "jelly") {
    scene.paper = {
        {{"sparse", 5}, 0.57}, {{"sparse", 25}, 0.56}, {{"object-centric", 5}, 0.99}, {{"object-centric", 25}, 0.86}};
  }
  scene.draw = [&](const SampleRef& ref, const std::vector<ContactPanel>& panels) {
    return DrawSection(*object, ref, panels);
  };
  return RunContactBench(scene, options, folder);
}

}  // namespace sinew::contact
