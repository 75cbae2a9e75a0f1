#include "sinew/offline/mesh/tri_mesh.h"

#include <algorithm>
#include <cmath>

namespace sinew {

Box BoundingBox(const Points& positions) {
  Box box;
  if (positions.rows() > 0) {
    box.min() = positions.colwise().minCoeff().transpose();
    box.max() = positions.colwise().maxCoeff().transpose();
  }
  return box;
}

Points VertexNormals(const TriMesh& mesh) {
  Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor> sum(mesh.vertex_count(), 3);
  sum.setZero();
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    Eigen::Vector3d corner[3];
    for (int k = 0; k < 3; ++k) corner[k] = mesh.positions.row(mesh.triangles(t, k)).cast<double>().transpose();
    const Eigen::Vector3d normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
    const double length = normal.norm();
    if (length == 0) continue;
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d a = corner[(k + 1) % 3] - corner[k];
      const Eigen::Vector3d b = corner[(k + 2) % 3] - corner[k];
      const double angle = std::atan2(a.cross(b).norm(), a.dot(b));
      sum.row(mesh.triangles(t, k)) += (angle / length * normal).transpose();
    }
  }
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const double length = sum.row(v).norm();
    if (length > 0) sum.row(v) /= length;
  }
  return sum.cast<float>();
}

}  // namespace sinew
