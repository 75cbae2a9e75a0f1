// A learned dent, and some steps of a soft object that it acts on if it is of its handles. The checksum is set right
// first, so that what it guards is reached.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "sinew/dynamics/simulation.h"
#include "sinew/offline/contact/dent_file.h"
#include "sinew/offline/scenes/embedded_scenes.h"
#include "sinew/offline/scenes/object_file.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  static const scenes::LoadedObject object = scenes::OpenObject(
      scenes::BuildObject(scenes::MakeEmbeddedObject("worm", 200), {.cubature = 8, .contact_spacing = 0.1}).file,
      "worm.soft");
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    Block file(bytes.size());
    std::copy(bytes.begin(), bytes.end(), file.bytes().begin());
    contact::SealDent(file.bytes());
    const contact::LoadedDent dent = contact::OpenDent(std::move(file), "fuzz.dent");
    const int width = dent.table.width();
    Block scratch(dynamics::Simulation::ScratchBytes(object.table, width));
    dynamics::Simulation simulation;
    if (simulation.Open(object.table, scratch.bytes(), width) != runtime::Status::kOk) std::abort();
    dynamics::Collider collider;
    collider.field = &dent.table;
    collider.pose.position[1] = 0.05;
    for (int i = 0; i < 2; ++i) simulation.Step({.colliders = {&collider, 1}});
    std::vector<double> positions(2 * static_cast<size_t>(object.table.node_count()));
    simulation.Positions(positions);
    for (const double number : simulation.state()) {
      if (!std::isfinite(number)) std::abort();
    }
    for (const double number : positions) {
      if (!std::isfinite(number)) std::abort();
    }
  });
}
