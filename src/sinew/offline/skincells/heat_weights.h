// Skinning weights by bone heat, the usual automatic weights of modelling programs: the baseline of rigging networks.
//
// Reference: I. Baran, J. Popovic, "Automatic Rigging and Animation of 3D Characters", 2007, section 4. The weight of a
// joint is the equilibrium temperature of the surface if its bones are hot and all others cold:
//   -Laplacian w + H w = H p, with H = c / d^2 at a vertex that sees its nearest bone at distance d, 0 elsewhere, and
// p = 1 if that bone is the joint's. c = 1, as in Blender.
#ifndef SINEW_OFFLINE_SKINCELLS_HEAT_WEIGHTS_H_
#define SINEW_OFFLINE_SKINCELLS_HEAT_WEIGHTS_H_

#include <Eigen/Core>
#include <span>

#include "sinew/offline/skincells/bones.h"

namespace sinew::skincells {

// Returns one row per vertex of the surface, one column per entry of subject.joints; rows sum to 1. Rows of vertices
// that no heat reaches, such as islands none of whose vertices sees a bone, are zero. bones: those of FindBones().
Eigen::MatrixXd HeatWeights(const Subject& subject, std::span<const Bone> bones, const SurfaceQuery& query);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_HEAT_WEIGHTS_H_
