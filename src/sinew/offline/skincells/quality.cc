#include "sinew/offline/skincells/quality.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/delta_mush.h"
#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/skincells/objective.h"

namespace sinew::skincells {
namespace {

using Cloud = Eigen::Matrix3Xd;

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

// Displacement of each vertex by Delta Mush, in thousandths of the unit box.
std::vector<float> Displacements(const DeltaMush& delta_mush, const Cloud& points) {
  const Cloud mushed = delta_mush.Apply(points);
  std::vector<float> out(points.cols());
  for (int v = 0; v < points.cols(); ++v) {
    out[v] = static_cast<float>(1000 * (mushed.col(v) - points.col(v)).norm());
  }
  return out;
}

struct PoseQuality {
  double volume = 0, location = 0;
  std::vector<float> displacements;  // per vertex
  std::vector<float> stretch;        // per edge that has a length at rest
};

double Mean(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

std::vector<float> Stretches(const TrainingSet& set, std::span<const std::array<int, 2>> edges, const Cloud& points) {
  std::vector<float> out;
  out.reserve(edges.size());
  for (const auto& [a, b] : edges) {
    const double rest = (set.points.col(a) - set.points.col(b)).norm(), now = (points.col(a) - points.col(b)).norm();
    out.push_back(static_cast<float>(std::max(now / rest, rest / std::max(now, 1e-9)) - 1));
  }
  return out;
}

void FillDetail(const std::vector<PoseQuality>& each, std::span<const std::array<int, 2>> edges, int vertices,
                QualityDetail& detail) {
  detail.vertex_delta_mush.assign(vertices, 0);
  detail.vertex_stretch.assign(vertices, 0);
  detail.pose_delta_mush.clear();
  for (const PoseQuality& q : each) {
    detail.pose_delta_mush.push_back(Mean(q.displacements));
    for (int v = 0; v < vertices; ++v) {
      detail.vertex_delta_mush[v] += q.displacements[v] / static_cast<float>(each.size());
    }
    for (size_t e = 0; e < edges.size(); ++e) {
      for (const int v : edges[e]) detail.vertex_stretch[v] = std::max(detail.vertex_stretch[v], q.stretch[e]);
    }
  }
}

void CountInfluences(const SkinWeights& weights, Quality& quality) {
  const int l = weights.influences, vertices = static_cast<int>(weights.weights.size()) / l;
  for (int v = 0; v < vertices; ++v) {
    const auto begin = weights.weights.begin() + static_cast<long>(v) * l;
    const int count = static_cast<int>(std::count_if(begin, begin + l, [](float w) { return w > 0; }));
    quality.influences += static_cast<double>(count) / vertices;
    quality.max_influences = std::max(quality.max_influences, count);
  }
}

}  // namespace

Quality MeasureQuality(const Subject& subject, const TrainingSet& set, const SkinWeights& weights,
                       QualityDetail* detail) {
  const Triangles& triangles = subject.surface.triangles;
  std::vector<std::array<int, 2>> edges = BuildEdges(triangles, set.vertex_count()).vertices;
  std::erase_if(edges, [&](const auto& e) { return set.points.col(e[0]) == set.points.col(e[1]); });
  const DeltaMush delta_mush(set.neighbors, triangles, set.points);
  const double rest_volume = Volume(triangles, set.points);
  const int poses = static_cast<int>(set.poses.size());
  std::vector<PoseQuality> each(poses);
  ParallelFor(poses, 1, [&](int p) {
    PoseQuality& q = each[p];
    const Cloud points = Posed(subject, set, weights, set.poses[p]);
    q.displacements = Displacements(delta_mush, points);
    q.stretch = Stretches(set, edges, points);
    if (rest_volume != 0) q.volume = std::abs(Volume(triangles, points) / rest_volume - 1);
    q.location = LocationLoss(set, set.poses[p], points);
  });
  if (detail != nullptr) FillDetail(each, edges, set.vertex_count(), *detail);
  Quality quality;
  std::vector<float> stretch;
  for (const PoseQuality& q : each) {
    quality.delta_mush += Mean(q.displacements) / poses;
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

Eigen::Matrix3Xd PosedSurface(const Subject& subject, const TrainingSet& set, const SkinWeights& weights, int pose) {
  return Posed(subject, set, weights, set.poses[pose]);
}

std::vector<float> DeltaMushDisplacements(const Subject& subject, const TrainingSet& set, const SkinWeights& weights,
                                          int pose) {
  const DeltaMush delta_mush(set.neighbors, subject.surface.triangles, set.points);
  return Displacements(delta_mush, Posed(subject, set, weights, set.poses[pose]));
}

}  // namespace sinew::skincells
