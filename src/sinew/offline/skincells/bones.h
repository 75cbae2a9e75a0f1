// The skeleton as segments: what initial sites, springs and proximity weights are measured from.
#ifndef SINEW_OFFLINE_SKINCELLS_BONES_H_
#define SINEW_OFFLINE_SKINCELLS_BONES_H_

#include <vector>

#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/skincells/subject.h"

namespace sinew::skincells {

// From a joint to where the next one is. It moves with the joint that it starts at.
struct Bone {
  int joint = -1;
  int child = -1;        // -1: an end of a chain, up to the skin
  Eigen::Vector3d a, b;  // bind space
};

// One per pair of joint and child, of joints that carry weight; joints between them that carry none are passed over. A
// joint without children has a bone on along its chain that ends just below the skin: rigs often have no joint at
// the crown or the fingertips, and what lies out there must follow too. By increasing joint.
std::vector<Bone> FindBones(const Subject& subject, const SurfaceQuery& query);

struct BonePoint {
  Eigen::Vector3d point;
  double along = 0;  // 0 at a, 1 at b
  double distance = 0;
};
BonePoint ClosestOnBone(const Bone& bone, const Eigen::Vector3d& x);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_BONES_H_
