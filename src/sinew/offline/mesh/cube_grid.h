// A regular grid of cubes around a surface, and which of its cubes the surface touches.
#ifndef SINEW_OFFLINE_MESH_CUBE_GRID_H_
#define SINEW_OFFLINE_MESH_CUBE_GRID_H_

#include <Eigen/Core>
#include <array>
#include <span>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

// Contact counts as an overlap, and so does a gap of this many cell sizes: rounding must not open a cover.
inline constexpr double kCubeMargin = 1e-9;

// Cubes are numbered with x fastest.
struct CubeGrid {
  Eigen::Vector3d origin;
  double h = 0;  // edge of a cube
  Eigen::Vector3i cells;

  int CellCount() const { return cells.prod(); }
  int Cell(const Eigen::Vector3i& c) const { return c[0] + cells[0] * (c[1] + cells[1] * c[2]); }
  Eigen::Vector3i CellAt(int index) const {
    return {index % cells[0], index / cells[0] % cells[1], index / cells[0] / cells[1]};
  }
  Eigen::Vector3d Centre(const Eigen::Vector3i& c) const {
    return origin + h * (c.cast<double>() + Eigen::Vector3d::Constant(0.5));
  }
  bool Has(const Eigen::Vector3i& c) const { return (c.array() >= 0).all() && (c.array() < cells.array()).all(); }
};

// Makes a grid that is centred on the surface's bounding box and at least one cube larger on each side, so that a
// symmetric body gets symmetric cubes. Throws UsageError for a cell size that is not positive, or so small that the box
// would hold more than 2^27 cubes, and for positions that are not finite.
CubeGrid MakeCubeGrid(const TriMesh& surface, double cell_size);

// Returns whether the axis shows that two convex bodies, given by their corners, are further apart than the margin.
bool Separates(const Eigen::Vector3d& axis, std::span<const Eigen::Vector3d> a, std::span<const Eigen::Vector3d> b,
               double margin);

// Returns the cube that a point is in; one at the border for points outside of the grid.
Eigen::Vector3i CubeOf(const CubeGrid& grid, const Eigen::Vector3d& point);

// Returns per cube whether it holds a part of a triangle or a vertex. Cubes that a connected piece of the surface
// touches are connected by their faces.
std::vector<char> TouchedCubes(const CubeGrid& grid, const TriMesh& surface);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_CUBE_GRID_H_
