// The numbers of one surface: what mesh/topology.h and mesh/measures.h find, counted.
#ifndef SINEW_OFFLINE_INSPECT_INSPECT_SURFACE_H_
#define SINEW_OFFLINE_INSPECT_INSPECT_SURFACE_H_

#include <optional>

#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::inspect {

struct SurfaceInspection {
  int vertices = 0;
  int welded_vertices = 0;  // different positions
  int triangles = 0;
  int unused_vertices = 0;  // of the file's, in no triangle
  // All below after welding equal positions.
  int islands = 0;
  int boundary_edges = 0;
  int boundary_loops = 0;
  int non_manifold_edges = 0;
  int non_manifold_vertices = 0;
  int flipped_edges = 0;  // between neighbours that face opposite ways
  int degenerate_triangles = 0;
  int duplicate_triangles = 0;
  int euler_characteristic = 0;
  std::optional<int> genus;  // of all islands together; none unless every island is an orientable manifold
  bool orientable = true;
  bool watertight = false;
  double area = 0;
  double volume = 0;  // signed; only of watertight surfaces, 0 otherwise
  EdgeLengths edges;
};

// Welds equal positions first.
SurfaceInspection InspectSurface(const TriMesh& mesh);
// welded: the same triangles on welded vertices.
SurfaceInspection InspectSurface(const TriMesh& mesh, const TriMesh& welded);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_INSPECT_SURFACE_H_
