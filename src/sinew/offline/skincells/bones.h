// The skeleton as line segments, from which initial sites, springs and proximity weights are made.
#ifndef SINEW_OFFLINE_SKINCELLS_BONES_H_
#define SINEW_OFFLINE_SKINCELLS_BONES_H_

#include <vector>

#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/skincells/subject.h"

namespace sinew::skincells {

// Segment from a joint to the next one. It moves with the joint that it starts at.
struct Bone {
  int joint = -1;        // index into the skeleton, of the joint at a
  int child = -1;        // index into the skeleton, of the joint at b; -1: the end of a chain, up to the skin
  Eigen::Vector3d a, b;  // bind space
};

// Returns one bone per pair of joint and child, by increasing joint. Only joints that carry weight count; joints
// between them that carry none are skipped. A joint without children gets a bone that continues its chain and ends just
// below the skin: rigs often have no joint at the crown or the fingertips, and the surface out there must follow too.
std::vector<Bone> FindBones(const Subject& subject, const SurfaceQuery& query);

// Point of a bone that is closest to a given point.
struct BonePoint {
  Eigen::Vector3d point;
  double along = 0;  // 0 at a, 1 at b
  double distance = 0;
};
BonePoint ClosestOnBone(const Bone& bone, const Eigen::Vector3d& x);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_BONES_H_
