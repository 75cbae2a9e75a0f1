#include "sinew/offline/mesh/inside.h"

#include <algorithm>
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

std::vector<OutsideOf> GroupByOutside(const TriMesh& mesh, const std::vector<int>& points, double depth) {
  const Topology topology = AnalyzeTopology(mesh.triangles, mesh.vertex_count());
  std::vector<std::vector<int>> triangles_of(topology.islands.size());
  for (size_t t = 0; t < topology.island_of.size(); ++t) {
    if (topology.island_of[t] >= 0) triangles_of[topology.island_of[t]].push_back(static_cast<int>(t));
  }
  std::map<int, std::vector<int>> around;  // pieces that a point is inside of, increasing
  for (size_t i = 0; i < triangles_of.size(); ++i) {
    const TriMesh piece{mesh.positions, Take(mesh.triangles, triangles_of[i])};
    for (const int p : FindInside(piece, points, depth)) around[p].push_back(static_cast<int>(i));
  }
  std::map<std::vector<int>, std::vector<int>> points_by_pieces;
  for (const int p : points) {
    const auto found = around.find(p);
    points_by_pieces[found == around.end() ? std::vector<int>() : found->second].push_back(p);
  }
  std::vector<OutsideOf> groups;
  for (auto& [pieces, of_group] : points_by_pieces) {
    std::vector<int> outside;
    for (size_t t = 0; t < topology.island_of.size(); ++t) {
      const int piece = topology.island_of[t];
      if (piece >= 0 && !std::binary_search(pieces.begin(), pieces.end(), piece))
        outside.push_back(static_cast<int>(t));
    }
    if (!outside.empty()) groups.push_back({Take(mesh.triangles, outside), std::move(of_group)});
  }
  return groups;
}

}  // namespace sinew
