#include "sinew/offline/lod/shown_regions.h"

#include <algorithm>

#include "sinew/offline/lod/hierarchy_measures.h"

namespace sinew::lod {

std::vector<int> ShownRegions(const Hierarchy& hierarchy, const Eigen::Vector3d& toward, int count) {
  const Level& level = hierarchy.level(1);
  const TriMesh mesh = WholeMesh(level.character, level.character.skeleton.RestPose());
  const Points vertex_normals = VertexNormals(mesh);
  Eigen::MatrixXd positions(level.point_count, 3), normals = Eigen::MatrixXd::Zero(level.point_count, 3);
  for (int v = 0; v < level.vertex_count(); ++v) {
    positions.row(level.point_of_vertex[v]) = mesh.positions.row(v).cast<double>();
    normals.row(level.point_of_vertex[v]) += vertex_normals.row(v).cast<double>();
  }
  normals.rowwise().normalize();
  const Eigen::SparseMatrix<double> psi = BasisFunctions(hierarchy, 1);
  const Eigen::VectorXd sums = psi.transpose() * Eigen::VectorXd::Ones(psi.rows());
  const Eigen::MatrixXd middles = sums.cwiseInverse().asDiagonal() * (psi.transpose() * positions);
  const Eigen::VectorXd seen = (psi.transpose() * (normals * toward)).cwiseMax(0);
  Eigen::VectorXd distance = Eigen::VectorXd::Ones(seen.size());
  std::vector<int> chosen;
  while (static_cast<Eigen::Index>(chosen.size()) < std::min<Eigen::Index>(count, seen.size())) {
    Eigen::Index next = 0;
    seen.cwiseProduct(distance).maxCoeff(&next);
    const Eigen::VectorXd from_next = (middles.rowwise() - middles.row(next)).rowwise().norm();
    distance = chosen.empty() ? from_next : distance.cwiseMin(from_next);
    chosen.push_back(static_cast<int>(next));
  }
  return chosen;
}

}  // namespace sinew::lod
