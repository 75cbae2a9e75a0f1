#include "sinew/offline/inspect/inspect_surface.h"

#include <algorithm>
#include <vector>

#include "sinew/offline/mesh/topology.h"
#include "sinew/offline/mesh/weld.h"

namespace sinew::inspect {
namespace {

int Count(const std::vector<int>& list) { return static_cast<int>(list.size()); }

int CountUnused(const TriMesh& mesh) {
  std::vector<bool> used(mesh.vertex_count(), false);
  for (int i = 0; i < mesh.triangles.size(); ++i) used[mesh.triangles.data()[i]] = true;
  return static_cast<int>(std::count(used.begin(), used.end(), false));
}

void CountTopology(const Topology& topology, SurfaceInspection& found) {
  found.islands = static_cast<int>(topology.islands.size());
  found.boundary_edges = Count(topology.boundary_edges);
  found.boundary_loops = static_cast<int>(topology.boundary.size());
  found.non_manifold_edges = Count(topology.non_manifold_edges);
  found.non_manifold_vertices = Count(topology.non_manifold_vertices);
  found.flipped_edges = Count(topology.flipped_edges);
  found.duplicate_triangles = Count(topology.duplicate_triangles);
  found.euler_characteristic = topology.euler_characteristic();
  found.watertight = topology.watertight();
  if (!topology.islands.empty()) found.genus = 0;
  for (const Island& island : topology.islands) {
    found.orientable = found.orientable && island.orientable;
    const std::optional<int> genus = island.genus();
    found.genus = found.genus && genus ? std::optional(*found.genus + *genus) : std::nullopt;
  }
}

}  // namespace

SurfaceInspection InspectSurface(const TriMesh& mesh) {
  return InspectSurface(mesh, Weld(mesh, WeldEqual(mesh.positions)));
}

SurfaceInspection InspectSurface(const TriMesh& mesh, const TriMesh& welded) {
  const Topology topology = AnalyzeTopology(welded.triangles, welded.vertex_count());
  SurfaceInspection found;
  found.vertices = mesh.vertex_count();
  found.welded_vertices = welded.vertex_count();
  found.triangles = mesh.triangle_count();
  found.unused_vertices = CountUnused(mesh);
  CountTopology(topology, found);
  found.degenerate_triangles = Count(DegenerateTriangles(welded));
  found.area = SurfaceArea(welded);
  if (found.watertight) found.volume = SignedVolume(welded);
  found.edges = MeasureEdges(welded, topology.edges);
  return found;
}

}  // namespace sinew::inspect
