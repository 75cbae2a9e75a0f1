#include "sinew/offline/mesh/distance_grid.h"

#include <algorithm>
#include <cmath>

namespace sinew {

std::optional<GridSample> Sample(const DistanceGrid& grid, const Eigen::Vector3d& x) {
  const Eigen::Array3d at = (x - grid.origin).array() / grid.spacing.array();
  if (!((at >= 0).all() && (at <= (grid.counts - 1).cast<double>()).all())) return std::nullopt;
  const Eigen::Array3i cell = at.cast<int>().min(grid.counts - 2);
  const Eigen::Array3d share = at - cell.cast<double>();
  GridSample sample;
  for (int corner = 0; corner < 8; ++corner) {
    const Eigen::Array3i side(corner & 1, corner >> 1 & 1, corner >> 2);
    const Eigen::Array3i c = cell + side;
    const double distance = grid.At(c[0], c[1], c[2]);
    Eigen::Array3d weights, slopes;
    for (int k = 0; k < 3; ++k) {
      weights[k] = side[k] ? share[k] : 1 - share[k];
      slopes[k] = (side[k] ? 1 : -1) / grid.spacing[k];
    }
    sample.distance += weights.prod() * distance;
    for (int k = 0; k < 3; ++k) {
      sample.gradient[k] += slopes[k] * weights[(k + 1) % 3] * weights[(k + 2) % 3] * distance;
    }
  }
  return sample;
}

int64_t FindTooSteep(const DistanceGrid& grid, double most) {
  for (int x = 0; x < grid.counts[0]; ++x) {
    for (int y = 0; y < grid.counts[1]; ++y) {
      for (int z = 0; z < grid.counts[2]; ++z) {
        for (int k = 0; k < 3; ++k) {
          const Eigen::Array3i next = Eigen::Array3i(x, y, z) + Eigen::Array3i(k == 0, k == 1, k == 2);
          if (next[k] == grid.counts[k]) continue;
          const double step = grid.At(next[0], next[1], next[2]) - static_cast<double>(grid.At(x, y, z));
          if (std::abs(step) <= most * grid.spacing[k]) continue;
          return (static_cast<int64_t>(x) * grid.counts[1] + y) * grid.counts[2] + z;
        }
      }
    }
  }
  return -1;
}

}  // namespace sinew
