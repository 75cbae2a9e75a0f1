#include "sinew/offline/autorig/carry_weights.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/disjoint_sets.h"
#include "sinew/offline/mesh/nearest_point.h"

namespace sinew::autorig {
namespace {

constexpr int kNeighbours = 12;  // vertices of the surface that a vertex of the file takes its weights from
constexpr int kVerticesAtOnce = 256;
constexpr int kSteps = 2;  // of the skeleton, over which a vertex may follow joints at once

// Number of bones between any two joints.
std::array<std::array<int, kJoints>, kJoints> TreeDistances() {
  std::array<std::array<int, kJoints>, kJoints> distances;
  for (int j = 0; j < kJoints; ++j) {
    const int parent = BipedJoints()[j].parent;
    for (int k = 0; k < j; ++k) distances[j][k] = distances[k][j] = 1 + (k == parent ? 0 : distances[parent][k]);
    distances[j][j] = 0;
  }
  return distances;
}

}  // namespace

RowMatrix VertexWeights(const RowMatrix& edge_weights, const EdgeInput& input, int vertices) {
  RowMatrix sums = RowMatrix::Zero(vertices, edge_weights.cols());
  std::vector<float> totals(vertices, 0);
  const std::vector<std::array<int, 2>>& ends = input.edges->ends;
  for (size_t e = 0; e < ends.size(); ++e) {
    for (const int v : ends[e]) {
      sums.row(v) += input.areas[e] * edge_weights.row(static_cast<Eigen::Index>(e));
      totals[v] += input.areas[e];
    }
  }
  for (int v = 0; v < vertices; ++v) {
    if (totals[v] > 0) sums.row(v) /= totals[v];
  }
  return sums;
}

RowMatrix CarryOver(const TriMesh& surface, const RowMatrix& weights, const TriMesh& target) {
  std::vector<Eigen::Vector3d> points;
  std::vector<int> vertices;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    if (!(weights.row(v).sum() > 0)) continue;
    points.emplace_back(surface.positions.row(v).cast<double>());
    vertices.push_back(v);
  }
  const NearestPoint nearest(points);
  const Points from_normals = VertexNormals(surface), normals = VertexNormals(target);
  RowMatrix carried(target.vertex_count(), weights.cols());
  ParallelFor(target.vertex_count(), kVerticesAtOnce, [&](int v) {
    const auto found = nearest.FindSeveral(target.positions.row(v).cast<double>(), kNeighbours);
    const double reach = found.back().distance;
    const auto blend = [&](bool by_normal) {
      Eigen::RowVectorXf sum = Eigen::RowVectorXf::Zero(weights.cols());
      for (const NearestPoint::Found& each : found) {
        const int from = vertices[each.index];
        // Zero at the last neighbour, so that weights do not jump where another one becomes the last.
        const double near = reach > 0 ? 1 - each.distance / reach : 1;
        const double agree = by_normal ? std::max(0.0F, normals.row(v).dot(from_normals.row(from))) : 1;
        sum += static_cast<float>(near * near * agree) * weights.row(from);
      }
      return sum;
    };
    Eigen::RowVectorXf sum = blend(true);
    if (!(sum.sum() > 0))
      sum = blend(false);  // a sheet that is seen from the other side, or a vertex without triangles
    if (!(sum.sum() > 0)) sum = weights.row(vertices[found.front().index]);
    carried.row(v) = sum / sum.sum();
  });
  return carried;
}

std::vector<BoundIsland> BindIslands(const TriMesh& mesh, const std::vector<bool>& left_out, RowMatrix& weights) {
  DisjointSets sets(mesh.vertex_count());
  std::vector<bool> small(mesh.vertex_count(), false);
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) {
      sets.Join(mesh.triangles(t, 0), mesh.triangles(t, k));
      if (left_out[t]) small[mesh.triangles(t, k)] = true;
    }
  }
  std::map<int, std::vector<int>> islands;  // by their lowest vertex
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (small[v]) islands[sets.Find(v)].push_back(v);
  }
  std::vector<BoundIsland> bound;
  for (const auto& [lowest, members] : islands) {
    Eigen::RowVectorXf mean = Eigen::RowVectorXf::Zero(weights.cols());
    for (const int v : members) mean += weights.row(v) / static_cast<float>(members.size());
    for (const int v : members) weights.row(v) = mean;
    Eigen::Index joint;
    mean.maxCoeff(&joint);
    bound.push_back({static_cast<int>(members.size()), static_cast<int>(joint)});
  }
  return bound;
}

void PruneFarJoints(RowMatrix& weights) {
  static const std::array<std::array<int, kJoints>, kJoints> distances = TreeDistances();
  ParallelFor(static_cast<int>(weights.rows()), kVerticesAtOnce, [&](int v) {
    Eigen::Index strongest;
    weights.row(v).maxCoeff(&strongest);
    for (int j = 0; j < kJoints; ++j) {
      if (distances[strongest][j] > kSteps) weights(v, j) = 0;
    }
    if (const float sum = weights.row(v).sum(); sum > 0) weights.row(v) /= sum;
  });
}

SkinWeights KeepLargest(const RowMatrix& weights, int most) {
  SkinWeights kept;
  kept.influences = most;
  kept.joints.assign(static_cast<size_t>(weights.rows()) * most, 0);
  kept.weights.assign(static_cast<size_t>(weights.rows()) * most, 0);
  ParallelFor(static_cast<int>(weights.rows()), kVerticesAtOnce, [&](int v) {
    std::vector<int> order(weights.cols());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return weights(v, a) > weights(v, b); });
    float sum = 0;
    for (int k = 0; k < most; ++k) sum += weights(v, order[k]);
    for (int k = 0; k < most; ++k) {
      const size_t slot = static_cast<size_t>(v) * most + k;
      kept.weights[slot] = weights(v, order[k]) / sum;
      if (kept.weights[slot] > 0) kept.joints[slot] = static_cast<uint16_t>(order[k]);
    }
  });
  return kept;
}

}  // namespace sinew::autorig
