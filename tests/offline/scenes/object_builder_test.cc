#include "sinew/offline/scenes/object_builder.h"

#include <gtest/gtest.h>

#include "sinew/offline/contact/plane_object.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/scenes/solid_scene.h"
#include "tests/support/error_of.h"
#include "tests/support/soft_objects.h"
#include "tests/support/temporary_folder.h"

namespace sinew::scenes {
namespace {

using sinew::testing::ErrorOf;

// The table against the full model that it was made from: positions, mass and, where every triangle is taken, energy.
TEST(ObjectBuilder, IsTheFullModelInTheSubspace) {
  const contact::PlaneObject worm = contact::MakeWorm({.triangles = 300});
  const RawObject raw = MakeEmbeddedObject("worm", 300);
  const LoadedObject object = OpenObject(BuildObject(raw, {.cubature = 100000}).file, "worm.soft");
  ASSERT_EQ(object.table.element_count(), worm.mesh.triangle_count());
  Random random(5);
  for (int i = 0; i < 10; ++i) {
    const Eigen::VectorXd state = contact::DrawWormState(worm, random);
    const Eigen::VectorXd positions = worm.subspace.Positions(state);
    // Matrices of the full model are stored row by row, here column by column.
    std::vector<double> numbers(static_cast<size_t>(object.table.state_size()));
    for (size_t h = 0; h < 3; ++h) {
      const size_t order[] = {0, 2, 1, 3, 4, 5};
      for (size_t k = 0; k < 6; ++k) numbers[6 * h + k] = state[static_cast<Eigen::Index>(6 * h + order[k])];
    }
    sinew::testing::OpenedSimulation opened(object.table);
    ASSERT_EQ(opened.simulation.SetState(numbers, numbers), runtime::Status::kOk);
    std::vector<double> found(2 * static_cast<size_t>(object.table.node_count()));
    opened.simulation.Positions(found);
    for (size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], positions[static_cast<Eigen::Index>(k)], 1e-12);
    const double energy = worm.body.Energy(positions);
    EXPECT_NEAR(opened.simulation.StoredEnergy(), energy, 1e-9 * energy);
    EXPECT_NEAR(opened.simulation.Mass(), raw.density * worm.body.area(), 1e-9 * raw.density);
  }
}

TEST(ObjectBuilder, CubatureIsWithinWhatWasAsked) {
  for (const std::string& name : EmbeddedNames()) {
    const BuiltObject built = BuildObject(MakeEmbeddedObject(name, 1500), {.cubature_error = 0.05});
    EXPECT_LE(built.cubature_error, 0.05) << name;
    EXPECT_LT(built.cubature, 1500) << name;
    double area = 0;
    const LoadedObject object = [&] {
      Block copy(built.file.bytes().size());
      std::copy(built.file.bytes().begin(), built.file.bytes().end(), copy.bytes().begin());
      return OpenObject(std::move(copy), name);
    }();
    for (int e = 0; e < object.table.element_count(); ++e) area += object.table.areas()[e];
    sinew::testing::OpenedSimulation opened(object.table);
    EXPECT_NEAR(area * object.table.header().density, opened.simulation.Mass(), 1e-9 * opened.simulation.Mass());
  }
}

// A fixed number of cells is fitted to all, on other states than those that measure the error.
TEST(ObjectBuilder, AFewFittedCellsStandForAll) {
  const RawSolid jelly = MakeSolidObject("jelly3d", 1500);
  double before = 1;
  for (const int count : {60, 120, 240}) {
    const BuiltObject built = BuildObject(jelly, {.cubature = count, .contact_spacing = 0.2});
    EXPECT_LE(built.cubature, count);
    EXPECT_LT(built.cubature_error, before);
    before = built.cubature_error;
  }
  // Cells that stand for what is nearest to them would be 16% off.
  EXPECT_LT(before, 0.1);
}

TEST(ObjectBuilder, RefusesWhatDoesNotFit) {
  const RawObject good = MakeEmbeddedObject("jelly", 200);
  const auto error = [&](const std::function<void(RawObject&)>& change) {
    RawObject raw = good;
    change(raw);
    return ErrorOf([&] { BuildObject(raw, {}); });
  };
  EXPECT_EQ(error([](RawObject&) {}), "no error");
  EXPECT_NE(error([](RawObject& raw) { raw.handles.pop_back(); }).find("a basis of"), std::string::npos);
  EXPECT_NE(error([](RawObject& raw) { raw.basis(3, 2) += 0.1; }).find("translations"), std::string::npos);
  EXPECT_NE(error([](RawObject& raw) { raw.density = 0; }).find("density"), std::string::npos);
  EXPECT_NE(error([](RawObject& raw) { raw.poisson = 0.5; }).find("Poisson"), std::string::npos);
  // The same point twice, half of it each.
  const auto twice = [](RawObject& raw) {
    raw.handles.push_back({elasticity::HandleKind::kPoint, raw.handles[0].centre});
    raw.basis.conservativeResize(Eigen::NoChange, raw.basis.cols() + 1);
    raw.basis.rightCols<1>() = raw.basis.col(0) / 2;
    raw.basis.col(0) /= 2;
  };
  EXPECT_NE(error(twice).find("depend on each other"), std::string::npos);
  EXPECT_THROW(MakeEmbeddedObject("snake", 200), UsageError);
  EXPECT_THROW(MakeEmbeddedObject("worm", 20), UsageError);
}

TEST(ObjectFile, SaysWhatIsWrong) {
  const sinew::testing::TemporaryFolder folder;
  const Block file = sinew::testing::SmallSoftFile("worm");
  WriteFileAtomic(folder / "a.soft", file.bytes());
  EXPECT_EQ(ReadObject(folder / "a.soft").table.handle_count(), 3);
  const auto error = [&](const std::function<void(Bytes&)>& change) {
    Bytes bytes(file.bytes().begin(), file.bytes().end());
    change(bytes);
    WriteFileAtomic(folder / "b.soft", bytes);
    return ErrorOf([&] { ReadObject(folder / "b.soft"); });
  };
  EXPECT_NE(error([](Bytes& bytes) { bytes[0] = std::byte{0}; }).find("is not a soft object"), std::string::npos);
  EXPECT_NE(error([](Bytes& bytes) { bytes.clear(); }).find("is not a soft object"), std::string::npos);
  EXPECT_NE(error([](Bytes& bytes) { bytes.resize(40); }).find("ends within its header"), std::string::npos);
  EXPECT_NE(error([](Bytes& bytes) { bytes[4] = std::byte{9}; }).find("newer version"), std::string::npos);
  EXPECT_NE(error([](Bytes& bytes) { bytes.pop_back(); }).find("cut short"), std::string::npos);
  EXPECT_NE(error([](Bytes& bytes) { bytes.back() ^= std::byte{1}; }).find("damaged"), std::string::npos);
  EXPECT_NE(error([](Bytes& bytes) {
              bytes[26] = std::byte{0xff};  // number of handles
              SealObject(bytes);
            }).find("refers to what is not in it"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew::scenes
