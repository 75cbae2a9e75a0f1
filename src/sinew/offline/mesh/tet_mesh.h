// The one tetrahedral mesh. Positions are double, unlike a skin's: simulation finds them by differences that float
// cannot hold.
#ifndef SINEW_OFFLINE_MESH_TET_MESH_H_
#define SINEW_OFFLINE_MESH_TET_MESH_H_

#include <Eigen/Core>
#include <array>

namespace sinew {

// One row per node.
using Nodes = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
// One row per tetrahedron (a, b, c, d): b, c, d counter-clockwise seen from outside, a on the other side, so that its
// volume (b - a) . (c - a) x (d - a) / 6 is positive.
using Tets = Eigen::Matrix<int, Eigen::Dynamic, 4, Eigen::RowMajor>;

struct TetMesh {
  Nodes positions;
  Tets tets;

  int node_count() const { return static_cast<int>(positions.rows()); }
  int tet_count() const { return static_cast<int>(tets.rows()); }
};

using TetCorners = std::array<Eigen::Vector3d, 4>;
TetCorners CornersOf(const TetMesh& mesh, int t);

// Edges from the first corner to the others, one per column.
Eigen::Matrix3d EdgeMatrix(const TetCorners& corners);

// Volume of a tetrahedron, negative if it is inverted, or of all of a mesh.
double SignedVolume(const TetCorners& corners);
double SignedVolume(const TetMesh& mesh);

// 12 (3 volume)^(2/3) over the sum of squared edges: 1 for a regular tetrahedron, 0 for a flat or inverted one.
double MeanRatio(const TetCorners& corners);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_TET_MESH_H_
