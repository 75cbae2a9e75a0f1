// How much room a surface leaves to itself: between fingers, legs, arm and trunk.
#ifndef SINEW_OFFLINE_MESH_CLEARANCE_H_
#define SINEW_OFFLINE_MESH_CLEARANCE_H_

#include <optional>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

struct ClearanceOptions {
  // Surface points are apart, and not just neighbours, if the way along the surface is longer than this many times the
  // straight line. Flanks of a crease that opens less than 2 asin(1 / apart) (29 degrees) count as apart.
  double apart = 4;
  // Wider gaps than this are not looked for, in the unit of the positions; 0: six mean edge lengths, but at most one
  // twentieth of the bounding diagonal.
  double max_distance = 0;
};

struct Clearance {
  double distance = 0;
  int vertex = -1;
  int triangle = -1;                                // what it comes close to
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  // on that triangle
};

// The smallest distance from a vertex p to a surface point q that is apart from it, across the outside: q lies before p
// (where p's normal points), p before q's triangle, and the two normals point against each other. The way along the
// surface is measured along edges, which is never too short. Nothing if no gap is narrower than max_distance. For a
// surface free of self-intersections; weld it first (weld.h).
std::optional<Clearance> MinimumClearance(const TriMesh& welded, const ClearanceOptions& options = {});

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_CLEARANCE_H_
