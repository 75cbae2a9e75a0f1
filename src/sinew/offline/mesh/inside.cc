#include "sinew/offline/mesh/inside.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/mesh/topology.h"
#include "sinew/offline/mesh/winding_number.h"

namespace sinew {
namespace {

// Triangles by number.
Triangles Take(const Triangles& triangles, const std::vector<int>& numbers) { return triangles(numbers, Eigen::all); }

// Those of the points that are in the box around the triangles.
std::vector<int> InBox(const Points& positions, const Triangles& triangles, const std::vector<int>& points) {
  Box box;
  for (const int v : triangles.reshaped()) box.extend(positions.row(v).transpose());
  std::vector<int> in;
  std::copy_if(points.begin(), points.end(), std::back_inserter(in),
               [&](int p) { return box.contains(positions.row(p).transpose()); });
  return in;
}

}  // namespace

std::vector<int> FindInside(const TriMesh& mesh, const std::vector<int>& points, double depth) {
  const WindingNumber winding(mesh);
  const SurfaceQuery surface(mesh);
  const Points normals = VertexNormals(mesh);
  std::vector<int> inside;
  for (const int p : points) {
    const Eigen::Vector3f at = mesh.positions.row(p).transpose();
    if (!winding.Inside(at)) continue;
    const std::optional<SurfacePoint> nearest = surface.Closest(at);
    if (nearest && SideOf(mesh, normals, *nearest, at.cast<double>()).distance < -depth) inside.push_back(p);
  }
  return inside;
}

std::vector<bool> FindRim(const TriMesh& mesh) {
  std::vector<bool> rim(mesh.vertex_count(), false);
  const Topology topology = AnalyzeTopology(mesh.triangles, mesh.vertex_count());
  for (const int e : topology.boundary_edges) {
    for (const int v : topology.edges.vertices[e]) rim[v] = true;
  }
  return rim;
}

bool AtRim(const TriMesh& mesh, const std::vector<bool>& rim, const SurfacePoint& at) {
  constexpr double kOnEdge = 1e-4;  // weight of a corner below which the point is on the opposite edge
  int corners = 0;
  for (int k = 0; k < 3; ++k) {
    if (at.barycentric[k] < kOnEdge) continue;
    if (!rim[mesh.triangles(at.triangle, k)]) return false;
    ++corners;
  }
  return corners < 3;
}

std::vector<int> FindThrough(const TriMesh& cover, const std::vector<int>& points, double height, double reach) {
  std::vector<int> through;
  if (cover.triangle_count() == 0) return through;
  const SurfaceQuery surface(cover);
  const Points normals = VertexNormals(cover);
  const std::vector<bool> rim = FindRim(cover);
  for (const int p : points) {
    const Eigen::Vector3f at = cover.positions.row(p).transpose();
    const std::optional<SurfacePoint> nearest = surface.Closest(at, static_cast<float>(reach));
    if (!nearest || AtRim(cover, rim, *nearest)) continue;
    if (SideOf(cover, normals, *nearest, at.cast<double>()).distance > height) through.push_back(p);
  }
  return through;
}

std::vector<Sides> GroupBySides(const TriMesh& mesh, const std::vector<int>& points, double depth) {
  const Topology topology = AnalyzeTopology(mesh.triangles, mesh.vertex_count());
  std::vector<std::vector<int>> triangles_of(topology.islands.size());
  for (size_t t = 0; t < topology.island_of.size(); ++t) {
    if (topology.island_of[t] >= 0) triangles_of[topology.island_of[t]].push_back(static_cast<int>(t));
  }
  std::map<int, std::vector<int>> around;  // pieces that a point is inside of, increasing
  for (size_t i = 0; i < triangles_of.size(); ++i) {
    // Most pieces of a character in many are too small to hold any of the points.
    const Triangles triangles = Take(mesh.triangles, triangles_of[i]);
    const std::vector<int> near = InBox(mesh.positions, triangles, points);
    if (near.empty()) continue;
    for (const int p : FindInside({mesh.positions, triangles}, near, depth)) around[p].push_back(static_cast<int>(i));
  }
  std::map<std::vector<int>, std::vector<int>> points_by_pieces;
  for (const int p : points) {
    const auto found = around.find(p);
    points_by_pieces[found == around.end() ? std::vector<int>() : found->second].push_back(p);
  }
  std::vector<Sides> groups;
  for (auto& [pieces, of_group] : points_by_pieces) {
    std::vector<int> below, cover;
    for (size_t t = 0; t < topology.island_of.size(); ++t) {
      const int piece = topology.island_of[t];
      if (piece < 0) continue;
      const bool covers = std::binary_search(pieces.begin(), pieces.end(), piece);
      (covers ? cover : below).push_back(static_cast<int>(t));
    }
    groups.push_back({Take(mesh.triangles, below), Take(mesh.triangles, cover), std::move(of_group)});
  }
  return groups;
}

}  // namespace sinew
