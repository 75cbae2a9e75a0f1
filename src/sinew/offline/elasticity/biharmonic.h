// Generalised biharmonic coordinates in the plane and in space: Wang, Jacobson, Barbic, Kavan, "Linear Subspace Design
// for Real-Time Shape Deformation", 2015. Handles of points and frames span the smoothest functions that interpolate
// them: one sparse linear solve. They are unbounded, and every handle reaches every node.
#ifndef SINEW_OFFLINE_ELASTICITY_BIHARMONIC_H_
#define SINEW_OFFLINE_ELASTICITY_BIHARMONIC_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "sinew/offline/elasticity/handle_subspace.h"
#include "sinew/offline/elasticity/plane_mesh.h"
#include "sinew/offline/mesh/tet_mesh.h"

namespace sinew::elasticity {

// Nodes that a handle holds: one for a point; for a frame at least three that are not on a line, in space at least four
// that are not in a plane.
struct HeldNodes {
  HandleKind kind = HandleKind::kPoint;
  std::vector<int> nodes;
};

// Returns one row per node and one column per function: one per point handle, its position; three per frame handle,
// which are the columns of its matrix about its centre and its position. The centre of a frame is the mean of its
// nodes. Rows reproduce all affine maps. The energy is the squared jump of the slope across each inner edge, weighed as
// in linear bending, which is 0 for affine functions and needs no condition at the boundary. Throws UsageError if a
// node does not exist or is held twice, or if the handles do not fix an affine map.
Eigen::MatrixXd BiharmonicCoordinates(const PlaneMesh& mesh, const std::vector<HeldNodes>& handles);
// The same in space, with four functions per frame, and jumps of the slope across inner faces.
Eigen::MatrixXd BiharmonicCoordinates(const TetMesh& mesh, const std::vector<HeldNodes>& handles);

// Centre of a handle at rest: the mean of its nodes.
Eigen::Vector2d CentreOf(const PlaneMesh& mesh, const HeldNodes& handle);
Eigen::Vector3d CentreOf(const TetMesh& mesh, const HeldNodes& handle);

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_BIHARMONIC_H_
