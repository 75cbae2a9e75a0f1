#include "sinew/offline/io/distance_grid_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/io/npy.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "sinew-distance";
constexpr int kVersion = 1;
// Largest slope of the samples: 1, and what rounding, and distances measured to a mesh instead of its smooth original,
// may add to that.
constexpr double kSteepest = 1.2;

std::string PlaceOf(const DistanceGrid& grid, size_t item) {
  const auto ny = static_cast<size_t>(grid.counts[1]), nz = static_cast<size_t>(grid.counts[2]);
  return fmt::format("[{}, {}, {}]", item / (ny * nz), item / nz % ny, item % nz);
}

void ReadPlace(std::string_view text, const std::string& file, DistanceGrid& grid) {
  const Json json = ParseJson(text, file);
  const JsonFields fields(json, file, "", "see docs/formats/distance-grid.md");
  if (fields.String("format") != kFormat) fields.Fail(fmt::format("\"format\" is not \"{}\"", kFormat));
  fields.Integer("version", kVersion, kVersion);
  const auto origin = fields.Numbers<3>("origin");
  const auto spacing = fields.Numbers<3>("spacing");
  for (int k = 0; k < 3; ++k) {
    grid.origin[k] = origin[k];
    grid.spacing[k] = spacing[k];
    if (!(grid.spacing[k] > 0)) fields.Fail("\"spacing\" holds a number that is not above 0");
  }
}

void ReadDistances(std::span<const std::byte> bytes, const std::string& file, DistanceGrid& grid) {
  const NpyArray array = ParseNpy(bytes, file);
  const auto fail = [&](const std::string& place, const std::string& problem, const std::string& remedy) {
    throw InputError(file, place, problem, remedy);
  };
  if (array.shape.size() != 3) {
    fail("", fmt::format("has {} dimensions instead of x, y and z", array.shape.size()), "save a grid of distances");
  }
  if (array.type != NpyType::kHalf && array.type != NpyType::kFloat && array.type != NpyType::kDouble) {
    fail("", fmt::format("holds {}, not distances", Name(array.type)), "save them as 32-bit floats");
  }
  for (int k = 0; k < 3; ++k) {
    if (array.shape[k] < 2 || array.shape[k] > std::numeric_limits<int>::max()) {
      fail("", fmt::format("is {} samples wide along {}", array.shape[k], "xyz"[k]), "give it two or more");
    }
    grid.counts[k] = static_cast<int>(array.shape[k]);
  }
  grid.distances = array.ToFloats();
  for (size_t i = 0; i < grid.distances.size(); ++i) {
    if (!std::isfinite(grid.distances[i])) fail(PlaceOf(grid, i), "is not a finite number", "save the grid again");
  }
}

}  // namespace

DistanceGrid ParseDistanceGrid(std::span<const std::byte> array, std::string_view place, const std::string& file,
                               const std::string& place_file) {
  DistanceGrid grid;
  ReadPlace(place, place_file, grid);
  ReadDistances(array, file, grid);
  if (const int64_t steep = FindTooSteep(grid, kSteepest); steep >= 0) {
    throw InputError(file, PlaceOf(grid, static_cast<size_t>(steep)),
                     "differs from the next sample by more than the spacing between them, so it is no distance",
                     "give distances in the unit of \"spacing\"");
  }
  if (*std::min_element(grid.distances.begin(), grid.distances.end()) >= 0) {
    throw InputError(file, "", "has no negative distance, so nothing is inside", "make distances negative inside");
  }
  return grid;
}

DistanceGrid ReadDistanceGrid(const fs::path& path) {
  fs::path place = path;
  place.replace_extension(".json");
  const Bytes array = ReadFile(path);
  if (!fs::exists(place)) {
    throw InputError(path.string(), "", fmt::format("has no {} beside it, which says where it lies", place.string()),
                     "see docs/formats/distance-grid.md");
  }
  return ParseDistanceGrid(array, ReadTextFile(place), path.string(), place.string());
}

void WriteDistanceGrid(const fs::path& path, const DistanceGrid& grid) {
  fs::path place = path;
  place.replace_extension(".json");
  Json json = {{"format", kFormat}, {"version", kVersion}};
  for (int k = 0; k < 3; ++k) {
    json["origin"].push_back(static_cast<float>(grid.origin[k]));
    json["spacing"].push_back(static_cast<float>(grid.spacing[k]));
  }
  WriteNpy(path, MakeNpy(grid.distances, {grid.counts[0], grid.counts[1], grid.counts[2]}));
  WriteFileAtomic(place, JsonText(json, 1) + "\n");
}

}  // namespace sinew
