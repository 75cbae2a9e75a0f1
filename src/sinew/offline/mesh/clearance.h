// Measures the clearance of a surface from itself: between fingers, legs, arm and trunk.
#ifndef SINEW_OFFLINE_MESH_CLEARANCE_H_
#define SINEW_OFFLINE_MESH_CLEARANCE_H_

#include <optional>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

struct ClearanceOptions {
  // Ratio of the way along the surface to the straight line above which surface points are apart, and not just
  // neighbours. Flanks of a crease that opens less than 2 asin(1 / apart) (29 degrees) count as apart.
  double apart = 4;
  // Widest gap that is looked for, in the unit of the positions; 0: six mean edge lengths, but at most one twentieth of
  // the diagonal of the bounding box.
  double max_distance = 0;
};

struct Clearance {
  double distance = 0;
  int vertex = -1;
  int triangle = -1;                                // that the vertex comes close to
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  // on that triangle
};

// Finds the smallest distance from a vertex p to a surface point q that is apart from it, across the outside: q lies in
// front of p (where p's normal points), p in front of q's triangle, and the two normals point against each other. The
// way along the surface is measured along edges, which is never too short. Returns nothing if no gap is narrower than
// max_distance. For a surface free of self-intersections; weld it first (weld.h).
std::optional<Clearance> MinimumClearance(const TriMesh& welded, const ClearanceOptions& options = {});

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_CLEARANCE_H_
