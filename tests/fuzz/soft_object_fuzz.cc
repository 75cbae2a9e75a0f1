// A soft object, and some steps of it in contact. The checksum is set right first, so that what it guards is reached.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "sinew/dynamics/simulation.h"
#include "sinew/offline/core/block.h"
#include "sinew/offline/scenes/object_file.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    Block file(bytes.size());
    std::copy(bytes.begin(), bytes.end(), file.bytes().begin());
    scenes::SealObject(file.bytes());
    const scenes::LoadedObject object = scenes::OpenObject(std::move(file), "fuzz.soft");
    Block scratch(dynamics::Simulation::ScratchBytes(object.table));
    dynamics::Simulation simulation;
    if (simulation.Open(object.table, scratch.bytes()) != runtime::Status::kOk) return;
    dynamics::Collider colliders[2];
    colliders[0].friction = 0.5;
    colliders[1].shape = dynamics::ColliderShape::kCircle;
    colliders[1].radius = 0.1;
    const std::vector<dynamics::Target> targets(static_cast<size_t>(object.table.handle_count()), {.stiffness = 10});
    for (int i = 0; i < 4; ++i) simulation.Step({.colliders = colliders, .targets = targets});
    for (const double number : simulation.state()) {
      if (!std::isfinite(number)) std::abort();
    }
    std::vector<double> positions(2 * static_cast<size_t>(object.table.node_count()));
    simulation.Positions(positions);
  });
}
