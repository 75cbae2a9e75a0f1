// Joints that a rig gets beside the 24 that a network finds: fingers, twist bones, a tail, as another skeleton has
// them.
#ifndef SINEW_OFFLINE_AUTORIG_EXTRA_JOINTS_H_
#define SINEW_OFFLINE_AUTORIG_EXTRA_JOINTS_H_

#include <string>
#include <vector>

#include "sinew/offline/autorig/biped_joints.h"
#include "sinew/offline/autorig/body_frame.h"
#include "sinew/offline/character/character.h"
#include "sinew/offline/learn/dense.h"

namespace sinew::autorig {

struct ExtraJoint {
  std::string name;
  int parent = 0;  // index into BipedJoints(), or kJoints + index of an earlier extra joint
  int anchor = 0;  // the joint of BipedJoints() that it hangs from
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // in the file's space
};

// Places all joints of a skeleton that are below known ones and are not known themselves. Known are joints whose names
// are those of the rig, or of one of NameSets(), whichever knows most. A joint keeps its place relative to the bone
// that it hangs from, which is turned and scaled to the rig's, so that a skeleton that stands in the mesh keeps its
// joints where they are. frame: of the mesh. file: of the skeleton, for messages. Throws InputError for a skeleton
// without two known joints that hang together, or without any other joint below them.
std::vector<ExtraJoint> PlaceExtraJoints(const Skeleton& from, const JointPositions& joints, const BodyFrame& frame,
                                         const JointNames& names, const std::string& file);

// Appends the joints to a skeleton of the 24, in the order of BipedJoints(), with the axes of the body.
void AppendJoints(const std::vector<ExtraJoint>& extra, const JointPositions& joints, const BodyFrame& frame,
                  Skeleton& skeleton);

// Splits the weight of every joint that extra joints hang from between it and these, as other weights of the same
// vertices have it. weights: one column per joint of BipedJoints(). others: of all joints. Returns one column more per
// extra joint; rows have the same sums as before.
learn::RowMatrix SplitWeights(const learn::RowMatrix& weights, const std::vector<ExtraJoint>& extra,
                              const SkinWeights& others);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_EXTRA_JOINTS_H_
