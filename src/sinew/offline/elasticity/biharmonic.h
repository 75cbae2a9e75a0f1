// Generalised biharmonic coordinates in the plane: Wang, Jacobson, Barbic, Kavan, "Linear Subspace Design for Real-Time
// Shape Deformation", 2015. Handles of points and frames span the smoothest functions that interpolate them: one sparse
// linear solve. They are unbounded, and every handle reaches every node.
#ifndef SINEW_OFFLINE_ELASTICITY_BIHARMONIC_H_
#define SINEW_OFFLINE_ELASTICITY_BIHARMONIC_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "sinew/offline/elasticity/handle_subspace.h"

namespace sinew::elasticity {

// Nodes that a handle holds: one for a point; three or more, not on a line, for a frame.
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

// Centre of a handle at rest: the mean of its nodes.
Eigen::Vector2d CentreOf(const PlaneMesh& mesh, const HeldNodes& handle);

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_BIHARMONIC_H_
