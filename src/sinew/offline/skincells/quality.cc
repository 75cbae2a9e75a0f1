#include "sinew/offline/skincells/quality.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/skincells/objective.h"

namespace sinew::skincells {
namespace {

constexpr int kSweeps = 10;
constexpr double kSweepAmount = 0.5;

using Cloud = Eigen::Matrix3Xd;

Cloud Smoothed(const TrainingSet& set, Cloud points) {
  Cloud next = points;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (int v = 0; v < set.vertex_count(); ++v) {
      const std::span<const int> around = set.neighbors[v];
      if (around.empty()) continue;
      Eigen::Vector3d mean = Eigen::Vector3d::Zero();
      for (const int n : around) mean += points.col(n);
      next.col(v) = (1 - kSweepAmount) * points.col(v) + kSweepAmount / static_cast<double>(around.size()) * mean;
    }
    points.swap(next);
  }
  return points;
}

// Per vertex: normal, the direction of its first edge made orthogonal to it, and their product.
std::vector<Eigen::Matrix3d> Frames(const TrainingSet& set, const Triangles& triangles, const Cloud& points) {
  Cloud normals = Cloud::Zero(3, points.cols());
  for (int t = 0; t < triangles.rows(); ++t) {
    const Eigen::Vector3d a = points.col(triangles(t, 0)), b = points.col(triangles(t, 1));
    const Eigen::Vector3d normal = (b - a).cross(points.col(triangles(t, 2)) - a);
    for (int k = 0; k < 3; ++k) normals.col(triangles(t, k)) += normal;
  }
  std::vector<Eigen::Matrix3d> frames(points.cols(), Eigen::Matrix3d::Identity());
  for (int v = 0; v < points.cols(); ++v) {
    if (set.neighbors[v].empty()) continue;
    const Eigen::Vector3d n = normals.col(v).stableNormalized();
    const Eigen::Vector3d edge = points.col(set.neighbors[v][0]) - points.col(v);
    const Eigen::Vector3d t = (edge - edge.dot(n) * n).stableNormalized();
    if (n.squaredNorm() > 0.5 && t.squaredNorm() > 0.5) frames[v] << n, t, n.cross(t);
  }
  return frames;
}

double Volume(const Triangles& triangles, const Cloud& points) {
  const Eigen::Vector3d centre = points.rowwise().mean();
  double sum = 0;
  for (int t = 0; t < triangles.rows(); ++t) {
    const Eigen::Vector3d a = points.col(triangles(t, 0)) - centre, b = points.col(triangles(t, 1)) - centre;
    sum += a.dot(b.cross(points.col(triangles(t, 2)) - centre)) / 6;
  }
  return sum;
}

Cloud Posed(const Subject& subject, const TrainingSet& set, const SkinWeights& weights, const TrainingPose& pose) {
  std::vector<int> column(subject.skeleton.joints.size(), -1);
  for (size_t i = 0; i < subject.joints.size(); ++i) column[subject.joints[i]] = static_cast<int>(i);
  Cloud out = Cloud::Zero(3, set.vertex_count());
  for (int v = 0; v < set.vertex_count(); ++v) {
    for (int k = 0; k < weights.influences; ++k) {
      const size_t slot = static_cast<size_t>(v) * weights.influences + k;
      const int j = column[weights.joints[slot]];
      if (weights.weights[slot] > 0 && j >= 0) out.col(v) += weights.weights[slot] * (pose.T[j] * set.points.col(v));
    }
  }
  return out;
}

double LocationLoss(const TrainingSet& set, const TrainingPose& pose, const Cloud& points) {
  double sum = 0;
  int count = 0;
  for (int v = 0; v < set.vertex_count(); ++v) {
    const Spring& spring = set.springs[v];
    if (spring.joint < 0) continue;
    const double length = (points.col(v) - pose.T[spring.joint] * spring.anchor).norm();
    const double stretch = (length - spring.rest) / (spring.rest + 1e-2 / kPaperBox);
    sum += stretch * stretch;
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

struct PoseQuality {
  double delta_mush = 0, volume = 0, location = 0;
  std::vector<float> stretch;
};

void CountInfluences(const SkinWeights& weights, Quality& quality) {
  const int l = weights.influences, vertices = static_cast<int>(weights.weights.size()) / l;
  for (int v = 0; v < vertices; ++v) {
    const auto begin = weights.weights.begin() + static_cast<long>(v) * l;
    const int count = static_cast<int>(std::count_if(begin, begin + l, [](float w) { return w > 0; }));
    quality.influences += static_cast<double>(count) / vertices;
    quality.most_influences = std::max(quality.most_influences, count);
  }
}

}  // namespace

Quality MeasureQuality(const Subject& subject, const TrainingSet& set, const SkinWeights& weights) {
  const Triangles& triangles = subject.surface.triangles;
  const EdgeTable edges = BuildEdges(triangles, set.vertex_count());
  const Cloud smooth_rest = Smoothed(set, set.points);
  const auto rest_frames = Frames(set, triangles, smooth_rest);
  const double rest_volume = Volume(triangles, set.points);
  const int poses = static_cast<int>(set.poses.size());
  std::vector<PoseQuality> each(poses);
  ParallelFor(poses, 1, [&](int p) {
    PoseQuality& q = each[p];
    const Cloud points = Posed(subject, set, weights, set.poses[p]);
    const Cloud smooth = Smoothed(set, points);
    const auto frames = Frames(set, triangles, smooth);
    for (int v = 0; v < set.vertex_count(); ++v) {
      const Eigen::Vector3d delta = rest_frames[v].transpose() * (set.points.col(v) - smooth_rest.col(v));
      q.delta_mush += (smooth.col(v) + frames[v] * delta - points.col(v)).norm() / set.vertex_count();
    }
    for (const auto& [a, b] : edges.vertices) {
      const double rest = (set.points.col(a) - set.points.col(b)).norm(), now = (points.col(a) - points.col(b)).norm();
      if (rest > 0) q.stretch.push_back(static_cast<float>(std::max(now / rest, rest / std::max(now, 1e-9)) - 1));
    }
    if (rest_volume != 0) q.volume = std::abs(Volume(triangles, points) / rest_volume - 1);
    q.location = LocationLoss(set, set.poses[p], points);
  });
  Quality quality;
  std::vector<float> stretch;
  for (const PoseQuality& q : each) {
    quality.delta_mush += 1000 * q.delta_mush / poses;
    quality.volume += q.volume / poses;
    quality.location += q.location / poses;
    stretch.insert(stretch.end(), q.stretch.begin(), q.stretch.end());
  }
  if (!stretch.empty()) {
    const auto at = stretch.begin() + static_cast<long>(0.99 * static_cast<double>(stretch.size() - 1));
    std::nth_element(stretch.begin(), at, stretch.end());
    quality.stretch_99 = *at;
  }
  CountInfluences(weights, quality);
  return quality;
}

}  // namespace sinew::skincells
