#include "tests/support/mesh_checks.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>

namespace sinew {

MeshFacts Facts(const std::vector<Eigen::Vector3i>& triangles, int vertex_count) {
  MeshFacts facts;
  std::map<std::pair<int, int>, int> directed;
  for (const Eigen::Vector3i& t : triangles) {
    for (int k = 0; k < 3; ++k) {
      facts.manifold &= t[k] != t[(k + 1) % 3];
      facts.manifold &= ++directed[{t[k], t[(k + 1) % 3]}] == 1;
    }
  }
  std::vector<int> parent(vertex_count), fans(vertex_count, 0), corners(vertex_count, 0);
  for (int v = 0; v < vertex_count; ++v) parent[v] = v;
  const auto root = [&](int v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  // Around a vertex, the spokes' other ends form a graph with one edge a triangle: a fan is one connected path or
  // cycle.
  std::vector<std::map<int, std::vector<int>>> link(vertex_count);
  for (const Eigen::Vector3i& t : triangles) {
    for (int k = 0; k < 3; ++k) {
      const int a = t[(k + 1) % 3], b = t[(k + 2) % 3];
      link[t[k]][a].push_back(b);
      link[t[k]][b].push_back(a);
      parent[root(t[k])] = root(a);
    }
  }
  for (int v = 0; v < vertex_count; ++v) {
    facts.components += !link[v].empty() && root(v) == v;
    facts.unused_vertices += link[v].empty();
    if (link[v].empty()) continue;
    std::set<int> seen;
    std::vector<int> stack = {link[v].begin()->first};
    while (!stack.empty()) {
      const int w = stack.back();
      stack.pop_back();
      if (!seen.insert(w).second) continue;
      for (const int next : link[v][w]) stack.push_back(next);
    }
    facts.manifold &= seen.size() == link[v].size();
  }
  std::map<int, int> next;
  int edges = 0;
  for (const auto& [edge, count] : directed) {
    const bool twin = directed.count({edge.second, edge.first}) > 0;
    edges += !twin || edge.first < edge.second;
    if (twin) continue;
    ++facts.boundary_edges;
    next[edge.first] = edge.second;
  }
  std::set<int> walked;
  for (const auto& [from, to] : next) {
    if (walked.count(from) > 0) continue;
    ++facts.boundary_loops;
    for (int v = from; next.count(v) > 0 && walked.insert(v).second;) v = next[v];
  }
  facts.euler = vertex_count - facts.unused_vertices - edges + static_cast<int>(triangles.size());
  return facts;
}

MeshFacts Facts(const FineMesh& mesh) { return Facts(mesh.triangles, static_cast<int>(mesh.positions.size())); }

double SmallestAngle(const FineMesh& mesh, const Eigen::Vector3i& t) {
  double smallest = 180;
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d a = mesh.positions[t[(k + 1) % 3]] - mesh.positions[t[k]];
    const Eigen::Vector3d b = mesh.positions[t[(k + 2) % 3]] - mesh.positions[t[k]];
    smallest = std::min(smallest, std::atan2(a.cross(b).norm(), a.dot(b)) * 180 / std::numbers::pi);
  }
  return smallest;
}

double Volume(const FineMesh& mesh) {
  double sum = 0;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    sum += mesh.positions[t[0]].dot(mesh.positions[t[1]].cross(mesh.positions[t[2]])) / 6;
  }
  return sum;
}

}  // namespace sinew
