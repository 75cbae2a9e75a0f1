// Signed distance field, sampled on a regular grid.
#ifndef SINEW_OFFLINE_MESH_DISTANCE_GRID_H_
#define SINEW_OFFLINE_MESH_DISTANCE_GRID_H_

#include <Eigen/Core>
#include <optional>
#include <vector>

namespace sinew {

struct DistanceGrid {
  Eigen::Array3i counts = Eigen::Array3i::Zero();     // samples along x, y and z, at least two each
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();   // position of the first sample
  Eigen::Vector3d spacing = Eigen::Vector3d::Ones();  // between neighbouring samples along each axis, above 0
  std::vector<float> distances;                       // z fastest, then y; negative inside, in the positions' unit

  float At(int x, int y, int z) const { return distances[(static_cast<size_t>(x) * counts[1] + y) * counts[2] + z]; }
};

struct GridSample {
  double distance = 0;
  Eigen::Vector3d gradient = Eigen::Vector3d::Zero();
};

// Interpolates linearly along each axis between samples, and returns the gradient of that, too. Returns nothing outside
// the grid.
std::optional<GridSample> Sample(const DistanceGrid& grid, const Eigen::Vector3d& x);

// Returns the first sample, in order, that differs from the next along x, y or z by more than `most` times their
// spacing; -1 if none does. In a distance field neighbours differ by no more than their spacing.
int64_t FindTooSteep(const DistanceGrid& grid, double most);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_DISTANCE_GRID_H_
