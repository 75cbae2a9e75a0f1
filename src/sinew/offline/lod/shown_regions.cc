#include "sinew/offline/lod/shown_regions.h"

#include "sinew/offline/core/farthest.h"
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
  Eigen::VectorXd seen = (psi.transpose() * (normals * toward)).cwiseMax(0);
  if (!(seen.maxCoeff() > 0)) seen = sums;
  Eigen::VectorXd distance = Eigen::VectorXd::Ones(seen.size());
  const auto distances_from = [&](int k) -> Eigen::VectorXd {
    return (middles.rowwise() - middles.row(k)).rowwise().norm();
  };
  return ChooseFarthest<double>(count, false, distances_from, distance, &seen);
}

}  // namespace sinew::lod
