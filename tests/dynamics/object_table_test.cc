#include "sinew/dynamics/object_table.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>

#include "tests/support/soft_objects.h"

namespace sinew::dynamics {
namespace {

using runtime::Status;
using sinew::testing::SmallSoftFile;
using sinew::testing::SmallSoftObject;

Block Copy(std::span<const std::byte> bytes) {
  Block copy(bytes.size());
  if (!bytes.empty()) std::memcpy(copy.bytes().data(), bytes.data(), bytes.size());
  return copy;
}

TEST(ObjectTable, RestStatePutsNodesAtRest) {
  for (const char* name : {"worm", "jelly", "ring"}) {
    const ObjectTable& object = SmallSoftObject(name).table;
    const testing::OpenedSimulation opened(object);
    std::vector<double> positions(2 * static_cast<size_t>(object.node_count()));
    ASSERT_EQ(opened.simulation.Positions(positions), Status::kOk);
    for (size_t i = 0; i < positions.size(); ++i) EXPECT_NEAR(positions[i], object.rest()[i], 1e-9);
    EXPECT_NEAR(opened.simulation.StoredEnergy(), 0, 1e-9);
  }
}

TEST(ObjectTable, RestStatePutsNodesOfASolidAtRest) {
  const ObjectTable& object = SmallSoftObject("jelly3d").table;
  const testing::OpenedSimulationOf<3> opened(object);
  std::vector<double> positions(3 * static_cast<size_t>(object.node_count()));
  ASSERT_EQ(opened.simulation.Positions(positions), Status::kOk);
  for (size_t i = 0; i < positions.size(); ++i) EXPECT_NEAR(positions[i], object.rest()[i], 1e-9);
  EXPECT_NEAR(opened.simulation.StoredEnergy(), 0, 1e-9);
}

TEST(ObjectTable, ASimulationRefusesAnotherDimension) {
  const ObjectTable &plane = SmallSoftObject("worm").table, &solid = SmallSoftObject("jelly3d").table;
  Block scratch(Simulation::ScratchBytes(plane) + SolidSimulation::ScratchBytes(solid));
  Simulation of_plane;
  SolidSimulation of_solid;
  EXPECT_EQ(Simulation::ScratchBytes(solid), 0u);
  EXPECT_EQ(of_plane.Open(solid, scratch.bytes()), Status::kInvalidArgument);
  EXPECT_EQ(of_solid.Open(plane, scratch.bytes()), Status::kInvalidArgument);
  EXPECT_EQ(of_solid.Open(solid, scratch.bytes(), 8), Status::kInvalidArgument);
  EXPECT_EQ(of_solid.Step({}).flags, uint32_t{kBadStep});
}

class Truncations : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Objects, Truncations, ::testing::Values("worm", "jelly3d"));

TEST_P(Truncations, EveryOneIsRefused) {
  const Block file = SmallSoftFile(GetParam());
  ObjectTable table;
  for (size_t size = 0; size < file.bytes().size(); size += size < 1024 ? 1 : file.bytes().size() / 997) {
    Block cut = Copy(file.bytes().first(size));
    EXPECT_NE(ObjectTable::Open(cut.bytes(), &table), Status::kOk) << size;
    scenes::SealObject(cut.bytes());
    EXPECT_NE(ObjectTable::Open(cut.bytes(), &table), Status::kOk) << size;
  }
  EXPECT_FALSE(table.is_open());
  EXPECT_EQ(ObjectTable::Open(file.bytes(), &table), Status::kOk);
}

TEST(ObjectTable, EveryBrokenByteIsRefused) {
  Block file = SmallSoftFile("worm");
  ObjectTable table;
  for (size_t at = 0; at < file.bytes().size(); at += at < 1024 ? 1 : 37) {
    file.bytes()[at] ^= std::byte{0x10};
    EXPECT_NE(ObjectTable::Open(file.bytes(), &table), Status::kOk) << at;
    file.bytes()[at] ^= std::byte{0x10};
  }
}

TEST(ObjectTable, RefusesWhatLeadsOutside) {
  using Header = ObjectTable::Header;
  const auto status_of = [](const std::function<void(Header&, std::byte*)>& change) {
    Block file = SmallSoftFile("jelly");
    change(*reinterpret_cast<Header*>(file.bytes().data()), file.bytes().data());
    scenes::SealObject(file.bytes());
    ObjectTable table;
    return ObjectTable::Open(file.bytes(), &table);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(status_of([](Header&, std::byte*) {}), Status::kOk);
  EXPECT_EQ(status_of([](Header& h, std::byte*) { h.version = 4; }), Status::kUnsupported);
  const std::vector<std::function<void(Header&, std::byte*)>> changes = {
      [](Header& h, std::byte*) { h.node_count += 1; },
      [](Header& h, std::byte*) { h.basis_count = 200; },
      [](Header& h, std::byte*) { h.dimension = 3; },
      [](Header& h, std::byte*) { h.dimension = 1; },
      [](Header& h, std::byte*) { h.handle_count -= 1; },
      [](Header& h, std::byte*) { h.rest_offset = 1ull << 60; },
      [](Header& h, std::byte*) { h.mass_offset += 8; },
      [](Header& h, std::byte*) { h.version = 2; },
      [](Header& h, std::byte* file) { *reinterpret_cast<uint32_t*>(file + h.sources_offset) = h.cell_count; },
      [](Header& h, std::byte* file) { *reinterpret_cast<uint32_t*>(file + h.facets_offset) = h.boundary_count; },
      [](Header& h, std::byte* file) { *reinterpret_cast<double*>(file + h.shares_offset) = 1.1; },
      [](Header& h, std::byte*) { h.points.entry_count = UINT32_MAX; },
      [](Header& h, std::byte*) { h.nodes.row_count = UINT32_MAX; },
      [nan](Header& h, std::byte*) { h.lambda = nan; },
      [](Header& h, std::byte*) { h.density = 0; },
      [](Header& h, std::byte* file) { *reinterpret_cast<uint32_t*>(file + h.cells_offset) = h.node_count; },
      [](Header& h, std::byte* file) { *reinterpret_cast<uint32_t*>(file + h.boundary_offset) = h.node_count; },
      [](Header& h, std::byte* file) { *reinterpret_cast<uint16_t*>(file + h.points.basis_offset) = 100; },
      [](Header& h, std::byte* file) { *reinterpret_cast<uint32_t*>(file + h.points.starts_offset + 4) = 1u << 30; },
      [](Header& h, std::byte* file) { *reinterpret_cast<double*>(file + h.points.values_offset) += 0.5; },
      [nan](Header& h, std::byte* file) { *reinterpret_cast<double*>(file + h.elements.values_offset) = nan; },
      [](Header& h, std::byte* file) { *reinterpret_cast<double*>(file + h.mass_offset + 8) += 1; },
      [](Header& h, std::byte* file) { *reinterpret_cast<uint32_t*>(file + h.handles_offset) = 7; }};
  for (size_t i = 0; i < changes.size(); ++i) EXPECT_EQ(status_of(changes[i]), Status::kInvalidArgument) << i;
}

TEST(ObjectTable, MassThatIsNotPositiveIsRefusedByTheSimulation) {
  Block file = SmallSoftFile("jelly");
  const auto& header = *reinterpret_cast<ObjectTable::Header*>(file.bytes().data());
  *reinterpret_cast<double*>(file.bytes().data() + header.mass_offset) = -1;
  scenes::SealObject(file.bytes());
  ObjectTable table;
  ASSERT_EQ(ObjectTable::Open(file.bytes(), &table), Status::kOk);
  Block scratch(Simulation::ScratchBytes(table));
  Simulation simulation;
  EXPECT_EQ(simulation.Open(table, scratch.bytes()), Status::kInvalidArgument);
}

}  // namespace
}  // namespace sinew::dynamics
