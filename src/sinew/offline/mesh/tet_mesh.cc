#include "sinew/offline/mesh/tet_mesh.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

namespace sinew {

TetCorners CornersOf(const TetMesh& mesh, int t) {
  TetCorners corners;
  for (int k = 0; k < 4; ++k) corners[k] = mesh.positions.row(mesh.tets(t, k)).transpose();
  return corners;
}

Eigen::Matrix3d EdgeMatrix(const TetCorners& corners) {
  Eigen::Matrix3d edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = corners[k + 1] - corners[0];
  return edges;
}

double SignedVolume(const TetCorners& corners) { return EdgeMatrix(corners).determinant() / 6; }

double SignedVolume(const TetMesh& mesh) {
  double volume = 0;
  for (int t = 0; t < mesh.tet_count(); ++t) volume += SignedVolume(CornersOf(mesh, t));
  return volume;
}

double MeanRatio(const TetCorners& corners) {
  const double volume = SignedVolume(corners);
  if (!(volume > 0)) return 0;
  double squares = 0;
  for (int a = 0; a < 4; ++a) {
    for (int b = a + 1; b < 4; ++b) squares += (corners[a] - corners[b]).squaredNorm();
  }
  return 12 * std::pow(3 * volume, 2.0 / 3) / squares;
}

}  // namespace sinew
