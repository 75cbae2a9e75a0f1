// Brute-force facts about a triangle mesh, independent of the library's own topology code.
#ifndef SINEW_TESTS_SUPPORT_MESH_CHECKS_H_
#define SINEW_TESTS_SUPPORT_MESH_CHECKS_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/mesh/extract_surface.h"

namespace sinew {

struct MeshFacts {
  bool manifold = true;    // every directed edge once, every vertex with one fan of triangles
  int boundary_edges = 0;  // edges with one triangle
  int boundary_loops = 0;  // only meaningful if manifold
  int components = 0;      // connected through vertices
  int euler = 0;           // V - E + F
  int unused_vertices = 0;
};

MeshFacts Facts(const std::vector<Eigen::Vector3i>& triangles, int vertex_count);

MeshFacts Facts(const FineMesh& mesh);

// Smallest angle of a triangle, degrees.
double SmallestAngle(const FineMesh& mesh, const Eigen::Vector3i& t);

// Signed volume enclosed by a closed mesh.
double Volume(const FineMesh& mesh);

}  // namespace sinew

#endif  // SINEW_TESTS_SUPPORT_MESH_CHECKS_H_
