// Blend shapes that the residual branch answers for a character that was rigged.
//
// Reference: P. Li et al., "Learning Skeletal Articulations with Neural Blend Shapes", 2021, Eq. 5.
#ifndef SINEW_OFFLINE_AUTORIG_BRANCH_SHAPES_H_
#define SINEW_OFFLINE_AUTORIG_BRANCH_SHAPES_H_

#include <string>

#include "sinew/offline/autorig/residual_branch.h"

namespace sinew::autorig {

class BranchShapes {
 public:
  // Asks the branch once, for one mesh of the body, and carries its answer to the character's vertices. character: what
  // RigCharacter() made, whose first kJoints joints are those of BipedJoints(); kept by reference, as is the branch.
  // turn: from the file's axes to canonical ones. seed: of the mesh. file: for messages. Throws InputError as
  // FindEnvelope().
  BranchShapes(const Character& character, const Eigen::Matrix3d& turn, const RigNetwork& network,
               const ResidualBranch& branch, uint64_t seed, const std::string& file);

  // Returns displacements of all vertices at rest in a pose, in model space. May be called from any number of threads.
  Points Added(const Pose& pose) const;
  // The skinned shape with it, in model space. So may this.
  Points Shape(const Pose& pose) const;

 private:
  const Character& character_;
  const ResidualBranch& branch_;
  Pose rest_;
  Eigen::Matrix3d turn_;  // to the envelope's axes
  double unit_ = 1;       // of the envelope
  RowMatrix masks_;       // vertices by kBendingJoints
  RowMatrix B_;           // vertices by 3 kShapes, in the envelope's space
};

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_BRANCH_SHAPES_H_
