#include "sinew/offline/skincells/heat_weights.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew::skincells {
namespace {

using Eigen::Vector3d;

constexpr double kHeat = 1;           // c
constexpr double kEqual = 1.0001;     // distances up to this ratio apart are the same
constexpr float kSkin = 1e-3F;        // share of the way to a bone at whose ends a ray meets nothing
constexpr double kReached = 1e-3;     // sum of weights below which no heat reaches a vertex
constexpr double kMaxCotangent = 50;  // of slivers
constexpr double kGround = 1e-9;      // added to the diagonal, so that islands without heat have a solution

// Heat of one vertex: H, and which columns are hot.
struct Source {
  double heat = 0;
  std::vector<int> columns;
};

Source FindSource(const Vector3d& x, std::span<const Bone> bones, const std::vector<int>& column,
                  const SurfaceQuery& query) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Bone& bone : bones) nearest = std::min(nearest, ClosestOnBone(bone, x).distance);
  Source source;
  if (!(nearest > 0)) return source;
  for (const Bone& bone : bones) {
    const BonePoint at = ClosestOnBone(bone, x);
    if (at.distance > kEqual * nearest) continue;
    const Vector3d way = at.point - x;
    if (query.Shoot(x.cast<float>(), way.cast<float>(), kSkin, 1 - kSkin)) continue;
    source.heat += kHeat / (nearest * nearest);
    source.columns.push_back(column[bone.joint]);
  }
  return source;
}

// Cotangents of the angles opposite to edges, as a stiffness matrix.
std::vector<Eigen::Triplet<double>> Stiffness(const TriMesh& mesh) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.triangles(t, (k + 1) % 3), b = mesh.triangles(t, (k + 2) % 3);
      const Vector3d corner = mesh.positions.row(mesh.triangles(t, k)).cast<double>();
      const Vector3d u = mesh.positions.row(a).cast<double>().transpose() - corner;
      const Vector3d v = mesh.positions.row(b).cast<double>().transpose() - corner;
      const double cotangent = u.dot(v) / std::max(u.cross(v).norm(), 1e-300);
      const double half = std::clamp(cotangent, -kMaxCotangent, kMaxCotangent) / 2;
      entries.emplace_back(a, b, -half);
      entries.emplace_back(b, a, -half);
      entries.emplace_back(a, a, half);
      entries.emplace_back(b, b, half);
    }
  }
  return entries;
}

}  // namespace

Eigen::MatrixXd HeatWeights(const Subject& subject, std::span<const Bone> bones, const SurfaceQuery& query) {
  const TriMesh& surface = subject.surface;
  const int vertices = surface.vertex_count();
  std::vector<int> column(subject.skeleton.joints.size(), -1);
  for (size_t i = 0; i < subject.joints.size(); ++i) column[subject.joints[i]] = static_cast<int>(i);
  std::vector<Source> sources(vertices);
  ParallelFor(vertices, 256, [&](int v) {
    sources[v] = FindSource(surface.positions.row(v).cast<double>().transpose(), bones, column, query);
  });
  // (L + A H) w = A H p, with the areas A of vertices.
  const std::vector<double> areas = VertexAreas(surface);
  std::vector<Eigen::Triplet<double>> entries = Stiffness(surface);
  Eigen::MatrixXd hot = Eigen::MatrixXd::Zero(vertices, static_cast<Eigen::Index>(subject.joints.size()));
  for (int v = 0; v < vertices; ++v) {
    const double heat = areas[v] * sources[v].heat;
    entries.emplace_back(v, v, heat + kGround);
    for (const int c : sources[v].columns) hot(v, c) += heat / static_cast<double>(sources[v].columns.size());
  }
  Eigen::SparseMatrix<double> system(vertices, vertices);
  system.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(system);
  Eigen::MatrixXd weights = solver.solve(hot).cwiseMax(0.0);
  for (int v = 0; v < vertices; ++v) {
    const double sum = weights.row(v).sum();
    weights.row(v) = sum > kReached ? Eigen::RowVectorXd(weights.row(v) / sum)
                                    : Eigen::RowVectorXd(Eigen::RowVectorXd::Zero(weights.cols()));
  }
  return weights;
}

}  // namespace sinew::skincells
