#include "sinew/offline/remesh/sound_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sinew/offline/mesh/measures.h"

namespace sinew {
namespace {

constexpr double kLongest = 0.7;    // length of an edge that is broken, as a share of the diagonal of the whole
constexpr double kNoHeight = 1e-3;  // height of a triangle without area, as a share of its longest edge

using Corners = std::array<int, 3>;

Corners Sorted(const TriMesh& mesh, int t) {
  Corners corners = {mesh.triangles(t, 0), mesh.triangles(t, 1), mesh.triangles(t, 2)};
  std::sort(corners.begin(), corners.end());
  return corners;
}

Eigen::Vector3d PointOf(const TriMesh& mesh, int v) { return mesh.positions.row(v).cast<double>(); }

double LongestEdge(const TriMesh& mesh, int t) {
  double longest = 0;
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d edge = PointOf(mesh, mesh.triangles(t, (k + 1) % 3)) - PointOf(mesh, mesh.triangles(t, k));
    longest = std::max(longest, edge.norm());
  }
  return longest;
}

bool HasArea(const TriMesh& mesh, int t) {
  const Eigen::Vector3d a = PointOf(mesh, mesh.triangles(t, 0)), b = PointOf(mesh, mesh.triangles(t, 1));
  const double twice = (b - a).cross(PointOf(mesh, mesh.triangles(t, 2)) - a).norm();
  const double longest = LongestEdge(mesh, t);
  return twice > kNoHeight * longest * longest;
}

// Drops triangles with two equal corners, and all but the first of those with the same corners.
void DropRepeats(const TriMesh& mesh, std::vector<bool>& kept) {
  std::vector<std::pair<Corners, int>> order;
  order.reserve(kept.size());
  for (int t = 0; t < mesh.triangle_count(); ++t) order.emplace_back(Sorted(mesh, t), t);
  std::sort(order.begin(), order.end());
  for (size_t i = 0; i < order.size(); ++i) {
    const Corners& corners = order[i].first;
    const bool degenerate = corners[0] == corners[1] || corners[1] == corners[2];
    if (degenerate || (i > 0 && order[i - 1].first == corners)) kept[order[i].second] = false;
  }
}

// Drops triangles without area that hang on an edge between two others. Those that close a gap at a vertex within an
// edge stay: without them the surface would be cut open there.
void DropFlatFins(const TriMesh& mesh, std::vector<bool>& kept) {
  std::vector<int> flat;
  std::map<std::array<int, 2>, int> triangles_at;  // edges of these
  const auto edge = [&](int t, int k) -> std::array<int, 2> {
    const auto [a, b] = std::minmax(mesh.triangles(t, k), mesh.triangles(t, (k + 1) % 3));
    return {a, b};
  };
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    if (!kept[t] || HasArea(mesh, t)) continue;
    flat.push_back(t);
    for (int k = 0; k < 3; ++k) triangles_at[edge(t, k)] = 0;
  }
  if (flat.empty()) return;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    for (int k = 0; kept[t] && k < 3; ++k) {
      if (const auto found = triangles_at.find(edge(t, k)); found != triangles_at.end()) ++found->second;
    }
  }
  for (const int t : flat) {
    for (int k = 0; k < 3; ++k) kept[t] = kept[t] && triangles_at.at(edge(t, k)) <= 2;
  }
}

void DropSpikes(const TriMesh& mesh, std::vector<bool>& kept) {
  Eigen::AlignedBox3d box;  // of vertices with triangles
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) box.extend(PointOf(mesh, mesh.triangles(t, k)));
  }
  const double longest = kLongest * box.diagonal().norm();
  for (int t = 0; t < mesh.triangle_count(); ++t) kept[t] = kept[t] && LongestEdge(mesh, t) <= longest;
}

TriMesh Kept(const TriMesh& mesh, const std::vector<bool>& kept) {
  TriMesh result{mesh.positions, Triangles(std::count(kept.begin(), kept.end(), true), 3)};
  Eigen::Index next = 0;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    if (kept[t]) result.triangles.row(next++) = mesh.triangles.row(t);
  }
  return result;
}

// Cluster of every vertex with triangles, -1 for others, in the order of their first vertices.
std::vector<int> FindClusters(const TriMesh& mesh, double cell) {
  const Points normals = VertexNormals(mesh);
  const Eigen::RowVector3d low = mesh.positions.colwise().minCoeff().cast<double>();
  std::vector<bool> used(mesh.vertex_count(), false);
  for (const int v : mesh.triangles.reshaped()) used[v] = true;
  struct Cell {
    int first = -1;                       // vertex whose normal says which side is the front
    std::array<int, 2> sides = {-1, -1};  // clusters of both
  };
  std::map<std::array<int64_t, 3>, Cell> cells;
  std::vector<int> cluster_of(mesh.vertex_count(), -1);
  int clusters = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (!used[v]) continue;
    const Eigen::RowVector3d place = (mesh.positions.row(v).cast<double>() - low) / cell;
    std::array<int64_t, 3> key;
    for (int k = 0; k < 3; ++k) key[k] = static_cast<int64_t>(std::floor(place[k]));
    Cell& found = cells[key];
    if (found.first < 0) found.first = v;
    int& side = found.sides[normals.row(v).dot(normals.row(found.first)) < 0 ? 1 : 0];
    if (side < 0) side = clusters++;
    cluster_of[v] = side;
  }
  return cluster_of;
}

}  // namespace

std::vector<bool> SoundTriangles(const TriMesh& mesh) {
  std::vector<bool> kept(mesh.triangle_count(), true);
  DropRepeats(mesh, kept);
  DropFlatFins(mesh, kept);
  DropSpikes(mesh, kept);
  if (std::find(kept.begin(), kept.end(), true) == kept.end()) kept.assign(kept.size(), true);
  return kept;
}

TriMesh WithoutBrokenTriangles(const TriMesh& mesh) { return Kept(mesh, SoundTriangles(mesh)); }

TriMesh ClusterVertices(const TriMesh& mesh, int vertices) {
  const double area = SurfaceArea(mesh);
  if (!(area > 0)) return mesh;
  const std::vector<int> cluster_of = FindClusters(mesh, std::sqrt(area / vertices));
  const int clusters = 1 + *std::max_element(cluster_of.begin(), cluster_of.end());
  Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor> sums = decltype(sums)::Zero(clusters, 3);
  std::vector<int> counts(clusters, 0);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (cluster_of[v] < 0) continue;
    sums.row(cluster_of[v]) += mesh.positions.row(v).cast<double>();
    ++counts[cluster_of[v]];
  }
  TriMesh clustered{Points(clusters, 3), mesh.triangles};
  for (int c = 0; c < clusters; ++c) clustered.positions.row(c) = (sums.row(c) / counts[c]).cast<float>();
  for (int& v : clustered.triangles.reshaped()) v = cluster_of[v];
  std::vector<bool> kept(mesh.triangle_count(), true);
  DropRepeats(clustered, kept);
  if (std::find(kept.begin(), kept.end(), true) == kept.end()) return mesh;
  return Kept(clustered, kept);
}

TriMesh SoundSurface(const TriMesh& mesh, const SoundOptions& options) {
  TriMesh sound = WithoutBrokenTriangles(mesh);
  if (sound.vertex_count() <= options.most_vertices) return sound;
  return ClusterVertices(sound, options.clustered_vertices);
}

}  // namespace sinew
