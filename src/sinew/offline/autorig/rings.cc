#include "sinew/offline/autorig/rings.h"

#include <cmath>
#include <numbers>

namespace sinew::autorig {

using Eigen::Vector3d;

double AngleOf(int sector) { return 2 * std::numbers::pi * sector / kSectors; }

Ring Ellipse(const Vector3d& middle, double wide, double deep) {
  Ring ring;
  for (int s = 0; s < kSectors; ++s) {
    ring[s] = middle + Vector3d(wide * std::cos(AngleOf(s)), 0, deep * std::sin(AngleOf(s)));
  }
  return ring;
}

namespace {

Vector3d MiddleOf(const Ring& ring) {
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& point : ring) sum += point;
  return sum / kSectors;
}

}  // namespace

WeightedBody AddRings(WeightedBody body, const std::vector<Ring>& rings, bool around,
                      const std::function<JointWeights(const Vector3d&)>& weights) {
  std::vector<Vector3d> points;
  std::vector<Eigen::Vector3i> triangles;
  const int count = static_cast<int>(rings.size()), first = body.surface.vertex_count();
  for (const Ring& ring : rings) points.insert(points.end(), ring.begin(), ring.end());
  const auto at = [&](int row, int s) { return first + row % count * kSectors + s % kSectors; };
  for (int row = 0; row + (around ? 0 : 1) < count; ++row) {
    for (int s = 0; s < kSectors; ++s) {
      triangles.emplace_back(at(row, s), at(row, s + 1), at(row + 1, s));
      triangles.emplace_back(at(row, s + 1), at(row + 1, s + 1), at(row + 1, s));
    }
  }
  if (!around) {
    const int top = first + static_cast<int>(points.size()), bottom = top + 1;
    points.push_back(MiddleOf(rings.front()));
    points.push_back(MiddleOf(rings.back()));
    for (int s = 0; s < kSectors; ++s) {
      triangles.emplace_back(top, at(0, s + 1), at(0, s));
      triangles.emplace_back(bottom, at(count - 1, s), at(count - 1, s + 1));
    }
  }
  const Eigen::Index old = body.surface.triangles.rows();
  body.surface.positions.conservativeResize(first + static_cast<Eigen::Index>(points.size()), 3);
  body.weights.conservativeResize(body.surface.positions.rows(), kJoints);
  for (size_t v = 0; v < points.size(); ++v) {
    const Eigen::Index row = first + static_cast<Eigen::Index>(v);
    body.surface.positions.row(row) = points[v].cast<float>().transpose();
    body.weights.row(row) = weights(points[v]);
  }
  body.surface.triangles.conservativeResize(old + static_cast<Eigen::Index>(triangles.size()), 3);
  for (size_t t = 0; t < triangles.size(); ++t) {
    body.surface.triangles.row(old + static_cast<Eigen::Index>(t)) = triangles[t].transpose();
  }
  return body;
}

JointWeights AloneWith(int joint) {
  JointWeights weights = JointWeights::Zero();
  weights[joint] = 1;
  return weights;
}

}  // namespace sinew::autorig
