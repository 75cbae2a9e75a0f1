// The bones inside flesh, as segments between joints.
#ifndef SINEW_OFFLINE_FEM_CORE_BONES_H_
#define SINEW_OFFLINE_FEM_CORE_BONES_H_

#include <array>
#include <vector>

#include "sinew/offline/fem/skin_frames.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::fem {

struct CoreBone {
  Eigen::Vector3d a, b;
};

// From each joint that carries weight to the next such joints below it; from a last one on into what it carries, up to
// most of the way to the skin.
std::vector<CoreBone> FindCoreBones(const Skeleton& skeleton, const std::vector<Eigen::Vector3d>& joints,
                                    const Points& skin, const std::vector<Influences>& influences);

double DistanceToBones(const std::vector<CoreBone>& bones, const Eigen::Vector3d& x);

// How bones share a point of the core: as the skin's weights, sharpened, so that bones are rigid but for their ends.
Influences CoreInfluences(const std::array<Influences, 4>& corners, const Eigen::Vector4d& barycentric);

}  // namespace sinew::fem

#endif  // SINEW_OFFLINE_FEM_CORE_BONES_H_
