// A soft object, and some steps of it in contact. The checksum is set right first, so that what it guards is reached.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "sinew/dynamics/simulation.h"
#include "sinew/offline/core/block.h"
#include "sinew/offline/scenes/object_file.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace sinew;

dynamics::Collider Round(dynamics::Collider collider) {
  collider.shape = dynamics::ColliderShape::kCircle;
  collider.radius = 0.1;
  return collider;
}
dynamics::SolidCollider Round(dynamics::SolidCollider collider) {
  collider.shape = dynamics::SolidShape::kSphere;
  collider.radius = 0.1;
  return collider;
}

template <int D>
void Play(const dynamics::ObjectTable& object) {
  Block scratch(dynamics::SimulationOf<D>::ScratchBytes(object));
  dynamics::SimulationOf<D> simulation;
  if (simulation.Open(object, scratch.bytes()) != runtime::Status::kOk) return;
  dynamics::ColliderOf<D> colliders[2];
  colliders[0].friction = 0.5;
  colliders[1] = Round(colliders[1]);
  const std::vector<dynamics::TargetOf<D>> targets(static_cast<size_t>(object.handle_count()), {.stiffness = 10});
  for (int i = 0; i < 4; ++i) simulation.Step({.colliders = colliders, .targets = targets});
  for (const double number : simulation.state()) {
    if (!std::isfinite(number)) std::abort();
  }
  std::vector<double> positions(static_cast<size_t>(D * object.node_count()));
  simulation.Positions(positions);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    Block file(bytes.size());
    std::copy(bytes.begin(), bytes.end(), file.bytes().begin());
    scenes::SealObject(file.bytes());
    const scenes::LoadedObject object = scenes::OpenObject(std::move(file), "fuzz.soft");
    object.table.dimension() == 2 ? Play<2>(object.table) : Play<3>(object.table);
  });
}
