#include "sinew/offline/io/distance_grid_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/io/npy.h"
#include "tests/support/temporary_folder.h"

namespace sinew {
namespace {

using ::testing::HasSubstr;

// The distance to a plane, which a grid holds exactly.
const Eigen::Vector3d kNormal = Eigen::Vector3d(1, 2, -2) / 3;
DistanceGrid PlaneGrid() {
  DistanceGrid grid{.counts = {4, 5, 6}, .origin = {-1, 0.5, 2}, .spacing = {0.5, 0.25, 1}, .distances = {}};
  for (int i = 0; i < grid.counts.prod(); ++i) {
    const Eigen::Vector3d at = grid.origin + Eigen::Vector3d(i / 30, i / 6 % 5, i % 6).cwiseProduct(grid.spacing);
    grid.distances.push_back(static_cast<float>(kNormal.dot(at)));
  }
  return grid;
}

constexpr const char* kPlace =
    R"({"format": "sinew-distance", "version": 1, "origin": [0, 0, 0], "spacing": [1, 1, 1]})";

std::string Message(const NpyArray& array, const std::string& place = kPlace) {
  try {
    ParseDistanceGrid(FormatNpy(array), place, "a.npy", "a.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

NpyArray Cube(const std::vector<float>& values) { return MakeNpy(values, {2, 2, 2}); }
const std::vector<float> kGood = {0, 0, 0, 0, 0, 0, 0, -1};

TEST(DistanceGrid, IsLinearBetweenSamplesAndNothingOutside) {
  const DistanceGrid grid = PlaneGrid();
  const Eigen::Vector3d size = (grid.counts - 1).cast<double>().matrix().cwiseProduct(grid.spacing);
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    Eigen::Vector3d share;
    for (double& s : share) s = random.Uniform(-0.2, 1.2);
    const Eigen::Vector3d at = grid.origin + share.cwiseProduct(size);
    const auto sample = Sample(grid, at);
    ASSERT_EQ(sample.has_value(), share.minCoeff() >= 0 && share.maxCoeff() <= 1);
    if (!sample) continue;
    EXPECT_NEAR(sample->distance, kNormal.dot(at), 1e-6);
    EXPECT_LT((sample->gradient - kNormal).norm(), 1e-5);
  }
  EXPECT_TRUE(Sample(grid, grid.origin).has_value());
  EXPECT_TRUE(Sample(grid, grid.origin + size).has_value());
  EXPECT_FALSE(Sample(grid, Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN())).has_value());
}

TEST(DistanceGrid, ComesBackFromItsFiles) {
  const testing::TemporaryFolder folder;
  const DistanceGrid grid = PlaneGrid();
  WriteDistanceGrid(folder / "plane.npy", grid);
  const DistanceGrid back = ReadDistanceGrid(folder / "plane.npy");
  EXPECT_TRUE((back.counts == grid.counts).all());
  EXPECT_EQ(back.origin, grid.origin);
  EXPECT_EQ(back.spacing, grid.spacing);
  EXPECT_EQ(back.distances, grid.distances);
}

TEST(DistanceGrid, EveryTruncationIsAnError) {
  const Bytes array = FormatNpy(Cube(kGood));
  const std::string_view place = kPlace;
  EXPECT_NO_THROW(ParseDistanceGrid(array, place, "a.npy", "a.json"));
  for (size_t size = 0; size < array.size(); ++size) {
    EXPECT_THROW(ParseDistanceGrid(std::span(array).first(size), place, "a.npy", "a.json"), InputError);
  }
  for (size_t size = 0; size < place.size(); ++size) {
    EXPECT_THROW(ParseDistanceGrid(array, place.substr(0, size), "a.npy", "a.json"), InputError);
  }
}

TEST(DistanceGrid, SaysWhatIsWrong) {
  EXPECT_EQ(Message(Cube(kGood)), "no error");
  EXPECT_THAT(Message(MakeNpy(kGood, {8})), HasSubstr("has 1 dimensions instead of x, y and z"));
  EXPECT_THAT(Message(MakeNpy(kGood, {8, 1, 1})), HasSubstr("is 1 samples wide along y"));
  EXPECT_THAT(Message(MakeNpy(std::vector<int32_t>(8, -1), {2, 2, 2})), HasSubstr("holds i4, not distances"));
  EXPECT_THAT(Message(Cube({0, 0, 0, 0, 0, NAN, 0, -1})), HasSubstr("a.npy: [1, 0, 1]: is not a finite number"));
  EXPECT_THAT(Message(Cube({0, 0, 0, 0, 0, 0, 0, -3})), HasSubstr("a.npy: [0, 1, 1]: differs from the next sample"));
  EXPECT_THAT(Message(Cube({0, 0, 0, 0, 0, 0, 0, 1})), HasSubstr("nothing is inside"));
  const auto with = [](const char* from, const char* to) {
    std::string place = kPlace;
    return place.replace(place.find(from), std::string_view(from).size(), to);
  };
  EXPECT_THAT(Message(Cube(kGood), with("sinew-distance", "fog")), HasSubstr("a.json: \"format\" is not"));
  EXPECT_THAT(Message(Cube(kGood), with("\"version\": 1", "\"version\": 2")), HasSubstr("\"version\""));
  EXPECT_THAT(Message(Cube(kGood), with("[1, 1, 1]", "[1, 0, 1]")), HasSubstr("not above 0"));
  EXPECT_THAT(Message(Cube(kGood), with("[0, 0, 0]", "[0, 0]")), HasSubstr("does not hold 3 numbers"));
  EXPECT_THAT(Message(Cube(kGood), with("[0, 0, 0]", "[0, 0, 1e99]")), HasSubstr("not a finite number"));
  const testing::TemporaryFolder folder;
  WriteNpy(folder / "alone.npy", Cube(kGood));
  EXPECT_THROW(ReadDistanceGrid(folder / "alone.npy"), InputError);
}

}  // namespace
}  // namespace sinew
