// Bones inside flesh, as line segments between joints, and how they move the flesh around them, the core.
#ifndef SINEW_OFFLINE_FLESH_CORE_BONES_H_
#define SINEW_OFFLINE_FLESH_CORE_BONES_H_

#include <array>
#include <vector>

#include "sinew/offline/flesh/skin_frames.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::flesh {

// Segment from a to b, in model space.
struct CoreBone {
  Eigen::Vector3d a, b;
  int joint = -1;  // index of the joint that moves it
};

// Finds the bones at rest. A bone runs from each joint that carries skin to each of the next such joints below it. A
// joint without such joints below it has a bone into the skin that it carries, most of the way to the farthest of it.
// joints: positions at rest, one per joint. skin: positions at rest. influences: one per vertex of the skin; the
// strongest joint of a vertex carries it.
std::vector<CoreBone> FindCoreBones(const Skeleton& skeleton, const std::vector<Eigen::Vector3d>& joints,
                                    const Points& skin, const std::vector<Influences>& influences);

// Distance from x to the nearest bone; infinite without bones.
double DistanceToBones(const std::vector<CoreBone>& bones, const Eigen::Vector3d& x);

// Weights by which joints move a core point in a tetrahedron: the weights of its corners, interpolated and then
// sharpened, so that the core is rigid except at the ends of bones.
Influences CoreInfluences(const std::array<Influences, 4>& corners, const Eigen::Vector4d& barycentric);

// Bones in a pose. motions: one per joint, from rest to the pose.
std::vector<CoreBone> MovedBones(const std::vector<CoreBone>& bones, const std::vector<Eigen::Affine3d>& motions);

// Factor on the attachment stiffness of a core point in a pose: 1 if its bones hold it as usual, 0 if they release it.
// Where a joint bends far, flesh on the inner side of the bend comes nearer to the other bone than to its own, and the
// cores of the two bones would be in the same place: there the bones release it.
// influences: of the core point. rest, posed: positions of the point at rest and as moved by its bones in the pose;
// rest_bones and posed_bones are the bones at those two.
double CoreHold(const std::vector<CoreBone>& rest_bones, const std::vector<CoreBone>& posed_bones,
                const Influences& influences, const Eigen::Vector3d& rest, const Eigen::Vector3d& posed);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_CORE_BONES_H_
