// What dynamics in the plane and in space have in common is written once, for a number of dimensions D that the
// compiler knows: 2 or 3. Here is what differs: poses and colliders.
#ifndef SINEW_DYNAMICS_SPACE_H_
#define SINEW_DYNAMICS_SPACE_H_

#include "sinew/dynamics/collider.h"
#include "sinew/dynamics/solid_collider.h"

namespace sinew::dynamics {

template <int D>
struct Space;

template <>
struct Space<2> {
  using Pose = PlanePose;
  using Collider = dynamics::Collider;
};

template <>
struct Space<3> {
  using Pose = SolidPose;
  using Collider = SolidCollider;
};

template <int D>
using PoseOf = typename Space<D>::Pose;
template <int D>
using ColliderOf = typename Space<D>::Collider;

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_SPACE_H_
