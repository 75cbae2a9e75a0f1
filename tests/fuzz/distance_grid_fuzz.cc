// Signed distances on a grid, a JSON and an array with a zero byte between them: read, and ask everywhere.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "sinew/offline/io/distance_grid_file.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    const auto end = std::find(bytes.begin(), bytes.end(), std::byte{0});
    const auto length = static_cast<size_t>(end - bytes.begin());
    const std::string_view place(reinterpret_cast<const char*>(bytes.data()), length);
    const DistanceGrid grid =
        ParseDistanceGrid(bytes.subspan(std::min(length + 1, bytes.size())), place, "fuzz.npy", "fuzz.json");
    const Eigen::Vector3d size_of_grid = (grid.counts - 1).cast<double>().matrix().cwiseProduct(grid.spacing);
    for (const double share : {-0.5, 0.0, 0.3, 1.0, 2.0}) {
      const auto sample = Sample(grid, grid.origin + share * size_of_grid);
      if (sample && !std::isfinite(sample->distance)) std::abort();
    }
  });
}
