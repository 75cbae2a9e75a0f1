// No memory is allocated after opening, whatever happens in a step.
#include <gtest/gtest.h>

#include <limits>

#include "tests/runtime/allocations.h"
#include "tests/support/small_dents.h"
#include "tests/support/soft_objects.h"

namespace sinew::dynamics {
namespace {

TEST(Promises, NothingIsAllocated) {
  for (const char* name : {"worm", "jelly", "ring"}) {
    const scenes::LoadedObject& object = sinew::testing::SmallSoftObject(name);
    Block scratch(Simulation::ScratchBytes(object.table));
    Collider colliders[3];
    colliders[0].friction = 0.5;
    colliders[0].pose.position[1] = -0.3;
    colliders[1].shape = ColliderShape::kCircle;
    colliders[1].radius = 0.1;
    colliders[2].pose.position[0] = std::numeric_limits<double>::quiet_NaN();
    std::vector<Target> targets(static_cast<size_t>(object.table.handle_count()));
    targets[0].stiffness = 10;
    std::vector<double> positions(2 * static_cast<size_t>(object.table.node_count()));
    const int before = sinew::testing::AllocationsOfThisThread();
    ObjectTable table;
    Simulation simulation;
    const bool opened = ObjectTable::Open(object.file.bytes(), &table) == runtime::Status::kOk &&
                        simulation.Open(table, scratch.bytes()) == runtime::Status::kOk;
    for (int i = 0; i < 60; ++i) simulation.Step({.colliders = colliders, .targets = targets});
    simulation.Positions(positions);
    const int after = sinew::testing::AllocationsOfThisThread();
    EXPECT_TRUE(opened);
    EXPECT_EQ(after, before);
  }
}

TEST(Promises, NothingIsAllocatedInSpace) {
  const scenes::LoadedObject& object = sinew::testing::SmallSoftObject("jelly3d");
  Block scratch(SolidSimulation::ScratchBytes(object.table));
  SolidCollider colliders[3];
  colliders[0].friction = 0.5;
  colliders[0].pose.position[1] = -0.35;
  colliders[1].shape = SolidShape::kBox;
  for (double& half : colliders[1].half) half = 0.1;
  colliders[1].pose.position[1] = 0.3;
  colliders[2].pose.position[0] = std::numeric_limits<double>::quiet_NaN();
  std::vector<SolidTarget> targets(static_cast<size_t>(object.table.handle_count()));
  targets[0].stiffness = 10;
  std::vector<double> positions(3 * static_cast<size_t>(object.table.node_count()));
  const int before = sinew::testing::AllocationsOfThisThread();
  ObjectTable table;
  SolidSimulation simulation;
  const bool opened = ObjectTable::Open(object.file.bytes(), &table) == runtime::Status::kOk &&
                      simulation.Open(table, scratch.bytes()) == runtime::Status::kOk;
  for (int i = 0; i < 20; ++i) simulation.Step({.colliders = colliders, .targets = targets});
  simulation.Positions(positions);
  const int after = sinew::testing::AllocationsOfThisThread();
  EXPECT_TRUE(opened);
  EXPECT_EQ(after, before);
}

TEST(Promises, NothingIsAllocatedWithLearnedContact) {
  const scenes::LoadedObject& object = sinew::testing::SmallSoftObject("worm");
  const contact::LoadedDent dent = sinew::testing::SmallDent(2);
  Block scratch(Simulation::ScratchBytes(object.table, dent.table.width()));
  std::vector<double> positions(2 * static_cast<size_t>(object.table.node_count()));
  const int before = sinew::testing::AllocationsOfThisThread();
  FieldTable field;
  Simulation simulation;
  const bool opened = FieldTable::Open(dent.file.bytes(), &field) == runtime::Status::kOk &&
                      simulation.Open(object.table, scratch.bytes(), field.width()) == runtime::Status::kOk;
  Collider collider;
  collider.field = &field;
  for (int i = 0; i < 20; ++i) {
    collider.pose.position[1] = 0.2 - 0.01 * i;
    simulation.Step({.colliders = {&collider, 1}});
  }
  simulation.Positions(positions);
  const int after = sinew::testing::AllocationsOfThisThread();
  EXPECT_TRUE(opened);
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace sinew::dynamics
