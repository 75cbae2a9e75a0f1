#include "sinew/offline/elasticity/biharmonic.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sinew/offline/core/error.h"

namespace sinew::elasticity {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Triplets = std::vector<Eigen::Triplet<double>>;

// Gradients of the three shape functions of a triangle, one per column.
Eigen::Matrix<double, 2, 3> ShapeGradients(const PlaneMesh& mesh, int t, double* area) {
  Eigen::Matrix2d edges;
  for (int k = 0; k < 2; ++k) {
    edges.col(k) =
        (mesh.positions.row(mesh.triangles(t, k + 1)) - mesh.positions.row(mesh.triangles(t, 0))).transpose();
  }
  *area = edges.determinant() / 2;
  if (!(*area > 0)) throw UsageError(fmt::format("triangle {} is flat or clockwise at rest; make the mesh again", t));
  Eigen::Matrix<double, 2, 3> gradients;
  gradients.rightCols<2>() = edges.inverse().transpose();
  gradients.col(0) = -gradients.col(1) - gradients.col(2);
  return gradients;
}

// One row per inner edge: the jump of the slope across it, times the root of its weight 3 |e|^2 / (A + B), with A and B
// the areas of the two triangles.
Eigen::SparseMatrix<double> JumpMatrix(const PlaneMesh& mesh) {
  std::map<std::pair<int, int>, int> left;  // the triangle on the left of a directed edge
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) left[{mesh.triangles(t, k), mesh.triangles(t, (k + 1) % 3)}] = t;
  }
  Triplets entries;
  int rows = 0;
  for (const auto& [edge, t] : left) {
    const auto other = left.find({edge.second, edge.first});
    if (other == left.end() || edge.first > edge.second) continue;
    double area = 0, other_area = 0;
    const auto own = ShapeGradients(mesh, t, &area), beyond = ShapeGradients(mesh, other->second, &other_area);
    const Vector2d along = (mesh.positions.row(edge.second) - mesh.positions.row(edge.first)).transpose();
    const Vector2d normal = Vector2d(along[1], -along[0]).normalized();
    const double weight = std::sqrt(3 * along.squaredNorm() / (area + other_area));
    for (int k = 0; k < 3; ++k) {
      entries.emplace_back(rows, mesh.triangles(t, k), -weight * normal.dot(own.col(k)));
      entries.emplace_back(rows, mesh.triangles(other->second, k), weight * normal.dot(beyond.col(k)));
    }
    ++rows;
  }
  Eigen::SparseMatrix<double> jumps(rows, mesh.node_count());
  jumps.setFromTriplets(entries.begin(), entries.end());
  return jumps;
}

// Gradients of the four shape functions of a tetrahedron, one per column.
Eigen::Matrix<double, 3, 4> ShapeGradients(const TetMesh& mesh, int t, double* volume) {
  const TetCorners corners = CornersOf(mesh, t);
  *volume = SignedVolume(corners);
  if (!(*volume > 0))
    throw UsageError(fmt::format("tetrahedron {} is flat or inverted at rest; make the mesh again", t));
  Eigen::Matrix<double, 3, 4> gradients;
  gradients.rightCols<3>() = EdgeMatrix(corners).inverse().transpose();
  gradients.col(0) = -gradients.rightCols<3>().rowwise().sum();
  return gradients;
}

// One row per inner face: the jump of the slope across it, times the root of area^2 / (V + W), with V and W the volumes
// of the two tetrahedra. It is to the integral of squared curvature what the weight in the plane is.
Eigen::SparseMatrix<double> JumpMatrix(const TetMesh& mesh) {
  std::map<std::array<int, 3>, std::vector<int>> faces;  // tetrahedra by sorted corners
  for (int t = 0; t < mesh.tet_count(); ++t) {
    for (int k = 0; k < 4; ++k) {
      std::array<int, 3> face = {mesh.tets(t, (k + 1) % 4), mesh.tets(t, (k + 2) % 4), mesh.tets(t, (k + 3) % 4)};
      std::sort(face.begin(), face.end());
      faces[face].push_back(t);
    }
  }
  Triplets entries;
  int rows = 0;
  for (const auto& [face, tets] : faces) {
    if (tets.size() != 2) continue;
    const auto corner = [&, &nodes = face](int k) { return Vector3d(mesh.positions.row(nodes[k]).transpose()); };
    const Vector3d twice = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    double volumes[2] = {0, 0};
    const Eigen::Matrix<double, 3, 4> slopes[2] = {ShapeGradients(mesh, tets[0], &volumes[0]),
                                                   ShapeGradients(mesh, tets[1], &volumes[1])};
    const Vector3d weighed = 0.5 * twice / std::sqrt(volumes[0] + volumes[1]);
    for (int side = 0; side < 2; ++side) {
      for (int k = 0; k < 4; ++k) {
        entries.emplace_back(rows, mesh.tets(tets[side], k), (side == 0 ? -1 : 1) * weighed.dot(slopes[side].col(k)));
      }
    }
    ++rows;
  }
  Eigen::SparseMatrix<double> jumps(rows, mesh.node_count());
  jumps.setFromTriplets(entries.begin(), entries.end());
  return jumps;
}

template <typename Positions>
Eigen::RowVectorXd MeanOf(const Positions& positions, const std::vector<int>& nodes) {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(positions.cols());
  for (const int node : nodes) sum += positions.row(node);
  return sum / static_cast<double>(nodes.size());
}

// Rows of the held nodes: what each function is there. Others stay 0. Also says which nodes are held.
Eigen::MatrixXd HeldRows(const Eigen::MatrixXd& positions, const std::vector<HeldNodes>& handles,
                         std::vector<bool>& held) {
  const Eigen::Index d = positions.cols();
  Eigen::Index functions = 0;
  for (const HeldNodes& handle : handles) functions += handle.kind == HandleKind::kFrame ? d + 1 : 1;
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(positions.rows(), functions);
  Eigen::Index first = 0;
  for (const HeldNodes& handle : handles) {
    const bool is_frame = handle.kind == HandleKind::kFrame;
    const auto count = static_cast<Eigen::Index>(handle.nodes.size());
    if (is_frame ? count < d + 1 : count != 1) {
      throw UsageError(
          fmt::format("a handle holds {} nodes; give one per point and at least {} per frame", count, d + 1));
    }
    for (const int node : handle.nodes) {
      if (node < 0 || node >= positions.rows() || held[node]) {
        throw UsageError(fmt::format("node {} does not exist or is held twice; give others to the handles", node));
      }
      held[node] = true;
    }
    const Eigen::RowVectorXd centre = MeanOf(positions, handle.nodes);
    for (const int node : handle.nodes) {
      if (is_frame) rows.block(node, first, 1, d) = positions.row(node) - centre;
      rows(node, first + (is_frame ? d : 0)) = 1;
    }
    first += is_frame ? d + 1 : 1;
  }
  return rows;
}

// Smoothest functions that are what the handles hold them to be.
Eigen::MatrixXd Interpolate(const Eigen::MatrixXd& positions, const Eigen::SparseMatrix<double>& jumps,
                            const std::vector<HeldNodes>& handles) {
  const auto nodes = static_cast<int>(positions.rows());
  std::vector<bool> held(nodes, false);
  Eigen::MatrixXd rows = HeldRows(positions, handles, held);
  std::vector<int> column(nodes, -1);
  int unknowns = 0;
  for (int n = 0; n < nodes; ++n) {
    if (!held[n]) column[n] = unknowns++;
  }
  // Least squares over the unknown nodes: min |J_free X + J_held rows|^2.
  Triplets entries;
  for (int n = 0; n < nodes; ++n) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(jumps, n); it && column[n] >= 0; ++it) {
      entries.emplace_back(static_cast<int>(it.row()), column[n], it.value());
    }
  }
  Eigen::SparseMatrix<double> free(jumps.rows(), unknowns);
  free.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SparseMatrix<double> normal = free.transpose() * free;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(normal);
  const double largest = solver.info() == Eigen::Success ? solver.vectorD().maxCoeff() : 0;
  if (!(largest > 0) || solver.vectorD().minCoeff() < 1e-13 * largest) {
    throw UsageError("the handles do not fix an affine map; give a frame, or points that are not on a line or plane");
  }
  const Eigen::MatrixXd solved = solver.solve(-(free.transpose() * (jumps * rows)));
  for (int n = 0; n < nodes; ++n) {
    if (column[n] >= 0) rows.row(n) = solved.row(column[n]);
  }
  return rows;
}

}  // namespace

Vector2d CentreOf(const PlaneMesh& mesh, const HeldNodes& handle) {
  return MeanOf(mesh.positions, handle.nodes).transpose();
}

Vector3d CentreOf(const TetMesh& mesh, const HeldNodes& handle) {
  return MeanOf(mesh.positions, handle.nodes).transpose();
}

Eigen::MatrixXd BiharmonicCoordinates(const PlaneMesh& mesh, const std::vector<HeldNodes>& handles) {
  return Interpolate(mesh.positions, JumpMatrix(mesh), handles);
}

Eigen::MatrixXd BiharmonicCoordinates(const TetMesh& mesh, const std::vector<HeldNodes>& handles) {
  return Interpolate(mesh.positions, JumpMatrix(mesh), handles);
}

}  // namespace sinew::elasticity
