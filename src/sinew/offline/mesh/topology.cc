#include "sinew/offline/mesh/topology.h"

#include <algorithm>

#include "sinew/offline/mesh/boundary_loops.h"
#include "sinew/offline/mesh/disjoint_sets.h"

namespace sinew {
namespace {

void FindUnused(const Triangles& triangles, int vertex_count, Topology& topology) {
  std::vector<bool> used(vertex_count, false);
  for (int t = 0; t < triangles.rows(); ++t) {
    if (IsCollapsed(triangles, t)) {
      topology.collapsed_triangles.push_back(t);
    } else {
      for (int k = 0; k < 3; ++k) used[triangles(t, k)] = true;
    }
  }
  for (int v = 0; v < vertex_count; ++v) {
    if (!used[v]) topology.unused_vertices.push_back(v);
  }
}

void ClassifyEdges(const Triangles& triangles, Topology& topology) {
  const EdgeTable& edges = topology.edges;
  for (int e = 0; e < edges.edge_count(); ++e) {
    const auto sides = edges.half_edges[e];
    if (sides.size() == 1) topology.boundary_edges.push_back(e);
    if (sides.size() > 2) topology.non_manifold_edges.push_back(e);
    if (sides.size() == 2 && Tail(triangles, sides[0]) == Tail(triangles, sides[1]))
      topology.flipped_edges.push_back(e);
  }
}

// Duplicates share all three edges: it is enough to look at the triangles around one.
void FindDuplicates(const Triangles& triangles, Topology& topology) {
  const EdgeTable& edges = topology.edges;
  for (int e = 0; e < edges.edge_count(); ++e) {
    const auto sides = edges.half_edges[e];
    for (size_t i = 1; i < sides.size(); ++i) {
      const int third = Opposite(triangles, sides[i]);
      const bool again = std::any_of(sides.begin(), sides.begin() + static_cast<std::ptrdiff_t>(i),
                                     [&](int other) { return Opposite(triangles, other) == third; });
      if (again) topology.duplicate_triangles.push_back(sides[i] / 3);
    }
  }
  auto& duplicates = topology.duplicate_triangles;
  std::sort(duplicates.begin(), duplicates.end());
  duplicates.erase(std::unique(duplicates.begin(), duplicates.end()), duplicates.end());
}

// Corner 3 * t + k stands for triangle t at its vertex k. Corners that share an edge at their vertex are one fan.
void FindNonManifoldVertices(const Triangles& triangles, int vertex_count, Topology& topology) {
  DisjointSets fans(static_cast<int>(triangles.rows()) * 3);
  const auto corner_at = [&](int half_edge, int vertex) {
    return Tail(triangles, half_edge) == vertex ? half_edge : half_edge / 3 * 3 + (half_edge + 1) % 3;
  };
  for (int e = 0; e < topology.edges.edge_count(); ++e) {
    const auto sides = topology.edges.half_edges[e];
    for (size_t i = 1; i < sides.size(); ++i) {
      for (const int v : topology.edges.vertices[e]) fans.Join(corner_at(sides[0], v), corner_at(sides[i], v));
    }
  }
  std::vector<int> fan_of(vertex_count, -1);
  std::vector<bool> several(vertex_count, false);
  for (int t = 0; t < triangles.rows(); ++t) {
    if (IsCollapsed(triangles, t)) continue;
    for (int k = 0; k < 3; ++k) {
      const int v = triangles(t, k);
      const int fan = fans.Find(3 * t + k);
      if (fan_of[v] >= 0 && fan_of[v] != fan) several[v] = true;
      fan_of[v] = fan;
    }
  }
  for (int v = 0; v < vertex_count; ++v) {
    if (several[v]) topology.non_manifold_vertices.push_back(v);
  }
}

// One per vertex: the island it belongs to; -1 if unused.
std::vector<int> FindIslands(const Triangles& triangles, int vertex_count, Topology& topology) {
  DisjointSets sets(vertex_count);
  for (const auto& [a, b] : topology.edges.vertices) sets.Join(a, b);
  std::vector<int> island_of_root(vertex_count, -1);
  topology.island_of.assign(triangles.rows(), -1);
  for (int t = 0; t < triangles.rows(); ++t) {
    if (IsCollapsed(triangles, t)) continue;
    int& island = island_of_root[sets.Find(triangles(t, 0))];
    if (island < 0) {
      island = static_cast<int>(topology.islands.size());
      topology.islands.emplace_back();
    }
    topology.island_of[t] = island;
    ++topology.islands[island].triangles;
  }
  std::vector<int> island_of_vertex(vertex_count);
  for (int v = 0; v < vertex_count; ++v) {
    island_of_vertex[v] = island_of_root[sets.Find(v)];
    if (island_of_vertex[v] >= 0) ++topology.islands[island_of_vertex[v]].vertices;
  }
  return island_of_vertex;
}

void CountPerIsland(const std::vector<int>& island_of_vertex, Topology& topology) {
  const auto island_of_edge = [&](int e) -> Island& {
    return topology.islands[island_of_vertex[topology.edges.vertices[e][0]]];
  };
  for (int e = 0; e < topology.edges.edge_count(); ++e) ++island_of_edge(e).edges;
  for (const int e : topology.boundary_edges) ++island_of_edge(e).boundary_edges;
  for (const int e : topology.flipped_edges) island_of_edge(e).oriented = false;
  for (const int e : topology.non_manifold_edges) {
    ++island_of_edge(e).non_manifold_edges;
    island_of_edge(e).manifold = false;
  }
  for (const int v : topology.non_manifold_vertices) topology.islands[island_of_vertex[v]].manifold = false;
  for (const BoundaryLoop& loop : topology.boundary) {
    if (loop.closed) ++topology.islands[island_of_vertex[loop.vertices[0]]].boundary_loops;
  }
}

// Turns neighbours the same way, one after the other; where that leads to a contradiction no way exists.
void TestOrientability(const Triangles& triangles, Topology& topology) {
  const EdgeTable& edges = topology.edges;
  std::vector<signed char> turn(triangles.rows(), 0);
  std::vector<int> open;
  for (int seed = 0; seed < triangles.rows(); ++seed) {
    if (turn[seed] != 0 || topology.island_of[seed] < 0) continue;
    turn[seed] = 1;
    open.push_back(seed);
    while (!open.empty()) {
      const int t = open.back();
      open.pop_back();
      for (int h = 3 * t; h < 3 * t + 3; ++h) {
        const auto sides = edges.half_edges[edges.edge_of[h]];
        if (sides.size() != 2) continue;
        const int other = sides[0] == h ? sides[1] : sides[0];
        const bool flipped = Tail(triangles, h) == Tail(triangles, other);
        const auto wanted = static_cast<signed char>(flipped ? -turn[t] : turn[t]);
        signed char& given = turn[other / 3];
        if (given == 0) {
          given = wanted;
          open.push_back(other / 3);
        } else if (given != wanted) {
          topology.islands[topology.island_of[t]].orientable = false;
        }
      }
    }
  }
}

}  // namespace

std::optional<int> Island::genus() const {
  if (!manifold || !orientable) return std::nullopt;
  return (2 - euler_characteristic() - boundary_loops) / 2;
}

int Topology::euler_characteristic() const {
  int sum = 0;
  for (const Island& island : islands) sum += island.euler_characteristic();
  return sum;
}

bool Topology::watertight() const {
  return !islands.empty() &&
         std::all_of(islands.begin(), islands.end(), [](const Island& i) { return i.watertight(); });
}

Topology AnalyzeTopology(const Triangles& triangles, int vertex_count) {
  Topology topology;
  topology.edges = BuildEdges(triangles, vertex_count);
  FindUnused(triangles, vertex_count, topology);
  ClassifyEdges(triangles, topology);
  FindDuplicates(triangles, topology);
  FindNonManifoldVertices(triangles, vertex_count, topology);
  topology.boundary = StringBoundary(topology.edges, topology.boundary_edges);
  const std::vector<int> island_of_vertex = FindIslands(triangles, vertex_count, topology);
  CountPerIsland(island_of_vertex, topology);
  TestOrientability(triangles, topology);
  return topology;
}

}  // namespace sinew
