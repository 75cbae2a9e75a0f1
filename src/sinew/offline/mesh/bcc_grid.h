// The body-centred cubic lattice over a grid of cubes: its nodes and tetrahedra.
#ifndef SINEW_OFFLINE_MESH_BCC_GRID_H_
#define SINEW_OFFLINE_MESH_BCC_GRID_H_

#include "sinew/offline/mesh/cube_grid.h"

namespace sinew {

inline constexpr int kTetsPerCell = 12;

// The lattice's cubes. A cube owns the 12 tetrahedra around its three faces towards +x, +y and +z: each spans the two
// cubes' centres and one edge of the face between them.
struct BccGrid : CubeGrid {
  int CornerCount() const { return (cells.array() + 1).prod(); }
  // Nodes: all corners, then all centres.
  int Corner(const Eigen::Vector3i& c) const { return c[0] + (cells[0] + 1) * (c[1] + (cells[1] + 1) * c[2]); }
  int CentreNode(const Eigen::Vector3i& c) const { return CornerCount() + Cell(c); }
  Eigen::Vector3d Position(int node) const {
    const int corners = CornerCount();
    if (node >= corners) return Centre(CellAt(node - corners));
    const Eigen::Vector3i n = cells.array() + 1;
    return origin + h * Eigen::Vector3i(node % n[0], node / n[0] % n[1], node / n[0] / n[1]).cast<double>();
  }
};

// One of the tetrahedra that a cube owns.
struct LatticeTet {
  bool exists = false;  // its second cube is in the grid
  int nodes[4];
};

inline LatticeTet TetOf(const BccGrid& grid, const Eigen::Vector3i& cell, int which) {
  // The corners of a face, counter-clockwise seen from +axis.
  constexpr int kAround[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
  const int axis = which / 4, edge = which % 4;
  const Eigen::Vector3i next = cell + Eigen::Vector3i::Unit(axis);
  LatticeTet tet;
  tet.exists = next[axis] < grid.cells[axis];
  if (!tet.exists) return tet;
  tet.nodes[0] = grid.CentreNode(cell);
  tet.nodes[1] = grid.CentreNode(next);
  for (int k = 0; k < 2; ++k) {
    Eigen::Vector3i corner = next;
    corner[(axis + 1) % 3] += kAround[edge + k][0];
    corner[(axis + 2) % 3] += kAround[edge + k][1];
    tet.nodes[2 + k] = grid.Corner(corner);
  }
  return tet;
}

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_BCC_GRID_H_
