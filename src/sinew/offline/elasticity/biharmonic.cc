#include "sinew/offline/elasticity/biharmonic.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <cmath>
#include <map>

#include "sinew/offline/core/error.h"

namespace sinew::elasticity {
namespace {

using Eigen::Vector2d;
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

// Rows of the held nodes: what each function is there. Others stay 0. Also says which nodes are held.
Eigen::MatrixXd HeldRows(const PlaneMesh& mesh, const std::vector<HeldNodes>& handles, std::vector<bool>& held) {
  Eigen::Index functions = 0;
  for (const HeldNodes& handle : handles) functions += handle.kind == HandleKind::kFrame ? 3 : 1;
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(mesh.node_count(), functions);
  Eigen::Index first = 0;
  for (const HeldNodes& handle : handles) {
    const bool is_frame = handle.kind == HandleKind::kFrame;
    if (is_frame ? handle.nodes.size() < 3 : handle.nodes.size() != 1) {
      throw UsageError("a handle holds too few or too many nodes; give one per point and at least three per frame");
    }
    for (const int node : handle.nodes) {
      if (node < 0 || node >= mesh.node_count() || held[node]) {
        throw UsageError(fmt::format("node {} does not exist or is held twice; give others to the handles", node));
      }
      held[node] = true;
    }
    const Vector2d centre = CentreOf(mesh, handle);
    for (const int node : handle.nodes) {
      if (is_frame) rows.block<1, 2>(node, first) = mesh.positions.row(node) - centre.transpose();
      rows(node, first + (is_frame ? 2 : 0)) = 1;
    }
    first += is_frame ? 3 : 1;
  }
  return rows;
}

}  // namespace

Vector2d CentreOf(const PlaneMesh& mesh, const HeldNodes& handle) {
  Vector2d sum = Vector2d::Zero();
  for (const int node : handle.nodes) sum += mesh.positions.row(node).transpose();
  return sum / static_cast<double>(handle.nodes.size());
}

Eigen::MatrixXd BiharmonicCoordinates(const PlaneMesh& mesh, const std::vector<HeldNodes>& handles) {
  std::vector<bool> held(mesh.node_count(), false);
  Eigen::MatrixXd rows = HeldRows(mesh, handles, held);
  std::vector<int> column(mesh.node_count(), -1);
  int unknowns = 0;
  for (int n = 0; n < mesh.node_count(); ++n) {
    if (!held[n]) column[n] = unknowns++;
  }
  // Least squares over the unknown nodes: min |J_free X + J_held rows|^2.
  const Eigen::SparseMatrix<double> jumps = JumpMatrix(mesh);
  Triplets entries;
  for (int n = 0; n < mesh.node_count(); ++n) {
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
    throw UsageError("the handles do not fix an affine map; give a frame, or three points that are not on a line");
  }
  const Eigen::MatrixXd solved = solver.solve(-(free.transpose() * (jumps * rows)));
  for (int n = 0; n < mesh.node_count(); ++n) {
    if (column[n] >= 0) rows.row(n) = solved.row(column[n]);
  }
  return rows;
}

}  // namespace sinew::elasticity
