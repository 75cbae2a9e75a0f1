// Inspection of one surface: counts of what mesh/topology.h and mesh/measures.h find.
#ifndef SINEW_OFFLINE_INSPECT_INSPECT_SURFACE_H_
#define SINEW_OFFLINE_INSPECT_INSPECT_SURFACE_H_

#include <optional>

#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::inspect {

struct SurfaceInspection {
  int vertices = 0;
  int welded_vertices = 0;  // number of different positions
  int triangles = 0;
  int unused_vertices = 0;  // vertices of the file that are in no triangle
  // All fields below are counted after welding equal positions.
  int islands = 0;
  int boundary_edges = 0;
  int boundary_loops = 0;
  int non_manifold_edges = 0;
  int non_manifold_vertices = 0;
  int flipped_edges = 0;  // edges between triangles that face opposite ways
  int degenerate_triangles = 0;
  int duplicate_triangles = 0;
  int euler_characteristic = 0;
  std::optional<int> genus;  // sum over all islands; none unless every island is an orientable manifold
  bool orientable = true;
  bool watertight = false;
  double area = 0;
  double volume = 0;  // signed; 0 if the surface is not watertight
  EdgeLengths edges;
};

// Inspects a mesh after welding equal positions. Lengths are those of the mesh.
SurfaceInspection InspectSurface(const TriMesh& mesh);
// Inspects a mesh that is already welded. welded: the same triangles on welded vertices.
SurfaceInspection InspectSurface(const TriMesh& mesh, const TriMesh& welded);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_INSPECT_SURFACE_H_
