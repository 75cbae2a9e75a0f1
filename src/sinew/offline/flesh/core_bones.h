// The bones inside flesh, as segments between joints.
#ifndef SINEW_OFFLINE_FLESH_CORE_BONES_H_
#define SINEW_OFFLINE_FLESH_CORE_BONES_H_

#include <array>
#include <vector>

#include "sinew/offline/flesh/skin_frames.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::flesh {

struct CoreBone {
  Eigen::Vector3d a, b;
  int joint = -1;  // that moves it
};

// From each joint that carries weight to the next such joints below it; from a last one on into what it carries, up to
// most of the way to the skin.
std::vector<CoreBone> FindCoreBones(const Skeleton& skeleton, const std::vector<Eigen::Vector3d>& joints,
                                    const Points& skin, const std::vector<Influences>& influences);

double DistanceToBones(const std::vector<CoreBone>& bones, const Eigen::Vector3d& x);

// How bones share a point of the core: as the skin's weights, sharpened, so that bones are rigid but for their ends.
Influences CoreInfluences(const std::array<Influences, 4>& corners, const Eigen::Vector4d& barycentric);

std::vector<CoreBone> MovedBones(const std::vector<CoreBone>& bones, const std::vector<Eigen::Affine3d>& motions);

// How firmly bones hold a point of the core in a pose, from 1 to 0. Where a joint bends far, what lies on its inner
// side comes nearer to the other bone than to its own, and the cores of the two bones would be in one place: there they
// let go. rest and posed: the point, with the bones as they are then.
double CoreHold(const std::vector<CoreBone>& rest_bones, const std::vector<CoreBone>& posed_bones,
                const Influences& influences, const Eigen::Vector3d& rest, const Eigen::Vector3d& posed);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_CORE_BONES_H_
