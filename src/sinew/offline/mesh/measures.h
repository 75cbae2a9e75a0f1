// Lengths, areas, volume, and how well shaped the triangles are. Everything is computed in double precision and added
// in a fixed order.
#ifndef SINEW_OFFLINE_MESH_MEASURES_H_
#define SINEW_OFFLINE_MESH_MEASURES_H_

#include <array>
#include <vector>

#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

// Returns the corners of a triangle, as double.
std::array<Eigen::Vector3d, 3> Corners(const TriMesh& mesh, int t);

struct TriangleShape {
  double area = 0;
  double longest_edge = 0;
  double shortest_edge = 0;
  double min_angle = 0;  // radians; 60 degrees for an equilateral triangle, 0 for a degenerate one
  // Longest edge over 2 sqrt(3) times the inscribed radius: 1 for an equilateral triangle, infinite for a degenerate
  // one.
  double aspect = 0;
};
TriangleShape ShapeOf(const std::array<Eigen::Vector3d, 3>& corners);

// Returns the area of all triangles, in the square of the positions' unit.
double SurfaceArea(const TriMesh& mesh);

// Returns the area per vertex: a third of that of the triangles around it.
std::vector<double> VertexAreas(const TriMesh& mesh);

// Returns the volume that a watertight mesh encloses; negative if it is inside out. For an open mesh it is that of the
// cone from its bounding box's centre.
double SignedVolume(const TriMesh& mesh);

// Returns the triangles without area: equal corners, or a height of at most `tolerance` times the longest edge.
std::vector<int> DegenerateTriangles(const TriMesh& mesh, double tolerance = 1e-6);

struct EdgeLengths {
  double min = 0, mean = 0, max = 0;
};
// All zero for a mesh without edges.
EdgeLengths MeasureEdges(const TriMesh& mesh, const EdgeTable& edges);

// Quality of the triangles that are not degenerate.
struct TriangleQuality {
  int triangles = 0;
  double worst_min_angle = 0;  // radians
  double mean_min_angle = 0;   // radians
  double share_below_10 = 0;   // share of triangles with an angle below 10 degrees
  double share_above_120 = 0;  // share of triangles with an angle above 120 degrees
  double median_aspect = 0;
  double worst_aspect = 0;
  int worst_triangle = -1;  // the one with the smallest angle
};
TriangleQuality MeasureQuality(const TriMesh& mesh);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_MEASURES_H_
