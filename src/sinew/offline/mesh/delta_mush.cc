#include "sinew/offline/mesh/delta_mush.h"

#include <span>

namespace sinew {
namespace {

using Cloud = DeltaMush::Cloud;

constexpr int kSweeps = 10;
constexpr double kSweepAmount = 0.5;

Cloud Smoothed(const Csr& neighbors, Cloud points) {
  Cloud next = points;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (int v = 0; v < points.cols(); ++v) {
      const std::span<const int> around = neighbors[v];
      if (around.empty()) continue;
      Eigen::Vector3d mean = Eigen::Vector3d::Zero();
      for (const int n : around) mean += points.col(n);
      next.col(v) = (1 - kSweepAmount) * points.col(v) + kSweepAmount / static_cast<double>(around.size()) * mean;
    }
    points.swap(next);
  }
  return points;
}

// Frames, one per vertex: normal, direction of its first edge made orthogonal to that, and their cross product.
std::vector<Eigen::Matrix3d> Frames(const Csr& neighbors, const Triangles& triangles, const Cloud& points) {
  Cloud normals = Cloud::Zero(3, points.cols());
  for (int t = 0; t < triangles.rows(); ++t) {
    const Eigen::Vector3d a = points.col(triangles(t, 0)), b = points.col(triangles(t, 1));
    const Eigen::Vector3d normal = (b - a).cross(points.col(triangles(t, 2)) - a);
    for (int k = 0; k < 3; ++k) normals.col(triangles(t, k)) += normal;
  }
  std::vector<Eigen::Matrix3d> frames(points.cols(), Eigen::Matrix3d::Identity());
  for (int v = 0; v < points.cols(); ++v) {
    if (neighbors[v].empty()) continue;
    const Eigen::Vector3d n = normals.col(v).stableNormalized();
    const Eigen::Vector3d edge = points.col(neighbors[v][0]) - points.col(v);
    const Eigen::Vector3d t = (edge - edge.dot(n) * n).stableNormalized();
    if (n.squaredNorm() > 0.5 && t.squaredNorm() > 0.5) frames[v] << n, t, n.cross(t);
  }
  return frames;
}

}  // namespace

DeltaMush::DeltaMush(const Csr& neighbors, const Triangles& triangles, const Cloud& rest)
    : neighbors_(neighbors), triangles_(triangles), details_(3, rest.cols()) {
  const Cloud smooth = Smoothed(neighbors, rest);
  const std::vector<Eigen::Matrix3d> frames = Frames(neighbors, triangles, smooth);
  for (int v = 0; v < rest.cols(); ++v) details_.col(v) = frames[v].transpose() * (rest.col(v) - smooth.col(v));
}

Cloud DeltaMush::Apply(const Cloud& posed) const {
  Cloud mushed = Smoothed(neighbors_, posed);
  const std::vector<Eigen::Matrix3d> frames = Frames(neighbors_, triangles_, mushed);
  for (int v = 0; v < mushed.cols(); ++v) mushed.col(v) += frames[v] * details_.col(v);
  return mushed;
}

}  // namespace sinew
