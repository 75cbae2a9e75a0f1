#include "sinew/offline/mesh/embedding.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/box_tree.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;

constexpr double kOutside = -1e-6;

// Box of a tetrahedron, widened so that rounding to float excludes nothing.
Box BoxOf(const TetCorners& corners) {
  Eigen::AlignedBox3d box;
  for (const Vector3d& corner : corners) box.extend(corner);
  const double size = box.diagonal().norm() + box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).maxCoeff();
  const Vector3d margin = Vector3d::Constant(1e-6 * size);
  return {(box.min() - margin).cast<float>(), (box.max() + margin).cast<float>()};
}

Vector4d Barycentric(const TetCorners& corners, const Vector3d& p) {
  const Vector3d w = EdgeMatrix(corners).inverse() * (p - corners[0]);
  return {1 - w.sum(), w[0], w[1], w[2]};
}

}  // namespace

Embedding Embed(const Points& points, const TetMesh& mesh) {
  std::vector<Box> boxes(mesh.tet_count());
  for (int t = 0; t < mesh.tet_count(); ++t) boxes[t] = BoxOf(CornersOf(mesh, t));
  const Bvh bvh = BuildBvh(boxes);
  const int count = static_cast<int>(points.rows());
  Embedding embedding{.tets = std::vector<int>(count, -1), .weights = {}};
  embedding.weights.resize(count, 4);
  ParallelFor(count, 256, [&](int i) {
    const Eigen::Vector3f p = points.row(i).transpose();
    double deepest = kOutside;
    int& tet = embedding.tets[i];
    const auto visit = [&](int t) {
      const Vector4d weights = Barycentric(CornersOf(mesh, t), p.cast<double>());
      const double depth = weights.minCoeff();
      if (!(depth > deepest || (depth == deepest && t < tet))) return;
      deepest = depth;
      tet = t;
      embedding.weights.row(i) = weights.transpose();
    };
    Traverse(
        bvh, [&](const Box& box) { return box.contains(p); }, visit);
    if (tet < 0) {
      throw FailedError(fmt::format("point {} at ({}, {}, {}) lies in no tetrahedron", i, p[0], p[1], p[2]));
    }
  });
  return embedding;
}

Nodes Follow(const Embedding& embedding, const Tets& tets, const Nodes& nodes) {
  Nodes points(embedding.point_count(), 3);
  for (int i = 0; i < embedding.point_count(); ++i) {
    const auto corners = tets.row(embedding.tets[i]);
    // Computed from differences to one corner, so that a translation moves every point by the same amount.
    points.row(i) = nodes.row(corners[0]);
    for (int k = 1; k < 4; ++k) {
      points.row(i) += embedding.weights(i, k) * (nodes.row(corners[k]) - nodes.row(corners[0]));
    }
  }
  return points;
}

}  // namespace sinew
