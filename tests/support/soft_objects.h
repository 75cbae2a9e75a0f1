// Small soft objects with every kind of handle, and simulations of them.
#ifndef SINEW_TESTS_SUPPORT_SOFT_OBJECTS_H_
#define SINEW_TESTS_SUPPORT_SOFT_OBJECTS_H_

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sinew/dynamics/simulation.h"
#include "sinew/offline/scenes/embedded_scenes.h"
#include "sinew/offline/scenes/object_file.h"
#include "sinew/offline/scenes/solid_scene.h"

namespace sinew::testing {

// Bytes of an embedded object of few triangles or tetrahedra, and few contact points.
inline Block SmallSoftFile(const std::string& name) {
  if (scenes::IsSolid(name)) {
    return scenes::BuildObject(scenes::MakeSolidObject(name, 500), {.cubature = 100, .contact_spacing = 0.2}).file;
  }
  return scenes::BuildObject(scenes::MakeEmbeddedObject(name, 200), {.contact_spacing = 1.0 / 60}).file;
}

// The same, opened; made once.
inline const scenes::LoadedObject& SmallSoftObject(const std::string& name) {
  static std::map<std::string, scenes::LoadedObject> objects;
  const auto found = objects.find(name);
  if (found != objects.end()) return found->second;
  return objects.emplace(name, scenes::OpenObject(SmallSoftFile(name), name + ".soft")).first->second;
}

// Simulation that owns its scratch.
template <int D>
struct OpenedSimulationOf {
  explicit OpenedSimulationOf(const dynamics::ObjectTable& object)
      : scratch(dynamics::SimulationOf<D>::ScratchBytes(object)) {
    EXPECT_EQ(simulation.Open(object, scratch.bytes()), runtime::Status::kOk);
  }
  Block scratch;
  dynamics::SimulationOf<D> simulation;
};
using OpenedSimulation = OpenedSimulationOf<2>;

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SOFT_OBJECTS_H_
