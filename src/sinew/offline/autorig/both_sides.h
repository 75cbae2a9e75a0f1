// Rigs of bodies that are their own mirror image: both sides get the same joints and weights, so that what is learned
// of one side holds for the other.
#ifndef SINEW_OFFLINE_AUTORIG_BOTH_SIDES_H_
#define SINEW_OFFLINE_AUTORIG_BOTH_SIDES_H_

#include "sinew/offline/autorig/biped_joints.h"
#include "sinew/offline/autorig/edge_input.h"
#include "sinew/offline/character/symmetry.h"

namespace sinew::autorig {

// Moves every joint to the mean of its place and of the mirror image of its counterpart's. joints: in the space of the
// surface that the mirror image is of.
void MirrorJoints(const MirrorImage& image, JointPositions& joints);

// Gives every vertex the mean of its weights and of those that the counterparts of its joints have at its mirror image.
// weights: one row per vertex of the surface, one column per joint of BipedJoints().
void MirrorWeights(const MirrorImage& image, RowMatrix& weights);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_BOTH_SIDES_H_
