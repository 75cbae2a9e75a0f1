// Fit of a garment that was modelled for another body of the same joints: it is carried along by the joints, and then
// moved out of the flesh. Internal to this folder.
#ifndef SINEW_OFFLINE_BODIES_FIT_GARMENT_H_
#define SINEW_OFFLINE_BODIES_FIT_GARMENT_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/character/influences.h"
#include "sinew/offline/character/skeleton.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::bodies {

// Joints of a garment and of the body that it is put on, in model space and the bind pose.
struct JointPairs {
  std::vector<int> parent;               // one per joint of the garment: its parent there, or -1
  std::vector<int> of_body;              // one per joint of the garment: the body's of that name, or -1
  std::vector<Eigen::Vector3d> garment;  // one per joint of the garment
  std::vector<Eigen::Vector3d> body;     // one per joint of the garment; unused where of_body is -1
};

// Largest distance between the two joints of a pair, of those that move a vertex. moves: one per joint of the garment.
double LargestGap(const JointPairs& joints, const std::vector<bool>& moves);

// Carries points along: each joint takes the garment's bones to the body's, across them by the ratio of all bones.
// influences: one per point, by the garment's joints; points without any stay.
void CarryByJoints(const JointPairs& joints, const std::vector<Influences>& influences, Points& points);

// Moves the vertices of a garment that are inside the body, or nearer to it than `gap`, out to that distance, and their
// neighbours with them. deepest: depth below the skin from which on a vertex is left where it is.
void PushOutOf(const TriMesh& body, double gap, double deepest, TriMesh& garment);

}  // namespace sinew::bodies

#endif  // SINEW_OFFLINE_BODIES_FIT_GARMENT_H_
