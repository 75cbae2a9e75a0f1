// Triangle mesh in the plane, the rest shape of a body in plane strain.
#ifndef SINEW_OFFLINE_ELASTICITY_PLANE_MESH_H_
#define SINEW_OFFLINE_ELASTICITY_PLANE_MESH_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::elasticity {

// One row per node.
using PlaneNodes = Eigen::Matrix<double, Eigen::Dynamic, 2, Eigen::RowMajor>;

struct PlaneMesh {
  PlaneNodes positions;
  Triangles triangles;  // counter-clockwise

  int node_count() const { return static_cast<int>(positions.rows()); }
  int triangle_count() const { return static_cast<int>(triangles.rows()); }
};

// Returns the closed loops of the boundary, each a list of nodes in order with the body on the left, so that outer ones
// go counter-clockwise and those around holes clockwise. Loops and their nodes begin with the smallest index. Throws
// UsageError if the boundary touches itself.
std::vector<std::vector<int>> BoundaryLoops(const PlaneMesh& mesh);

// Returns the nodes of the boundary in order, counter-clockwise, beginning with the one of the smallest index. Throws
// UsageError for a mesh whose boundary is not one loop, such as one with a hole or of two pieces.
std::vector<int> BoundaryLoop(const PlaneMesh& mesh);

// Returns a mesh of a capsule around the x axis, centred at the origin: a rectangle with a half disc at each end.
// length: with both ends, above the width. triangles: about so many, at least 50; near-equilateral, on curves at even
// distances from the axis. Throws UsageError for other sizes.
PlaneMesh MakePlaneCapsule(double length, double width, int triangles);

// Returns a mesh of a rectangle centred at the origin, of squares that are cut along alternating diagonals. triangles:
// about so many, at least 50. Throws UsageError for other sizes.
PlaneMesh MakePlaneBlock(double width, double height, int triangles);

// Returns a mesh of a ring around the origin. outer, inner: its radii, 0 < inner < outer. triangles: about so many, at
// least 50. Throws UsageError for other sizes.
PlaneMesh MakePlaneRing(double outer, double inner, int triangles);

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_PLANE_MESH_H_
