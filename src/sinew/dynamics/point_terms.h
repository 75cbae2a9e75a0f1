// Contact and friction of one point of an object's boundary in a time step: their energies, slopes and curvatures by
// where the point is. The subspace (incremental_potential.h) and simulation of all nodes (offline/scenes/full_space.h)
// share them, so that both solve the same problem. D is the number of dimensions, 2 or 3.
//
// Friction is lagged: normal forces, directions and places are those of the end of the step before, so that it is an
// energy, too. Its smooth length is that of Li et al., "Incremental Potential Contact", 2020, section 4.
#ifndef SINEW_DYNAMICS_POINT_TERMS_H_
#define SINEW_DYNAMICS_POINT_TERMS_H_

#include <span>

#include "sinew/dynamics/space.h"

namespace sinew::dynamics {

// Slope of the energy by where the point is, and its curvature.
template <int D>
struct PointTermOf {
  bool acts = false;
  double slope[D] = {};
  double curvature[D][D] = {};
};

// Friction at a contact point, lagged.
template <int D>
struct FrictionOf {
  double force = 0;       // mu lambda: largest force, in newton, in the plane per metre of depth; 0: none
  double normal[D] = {};  // unit vector; slip along it costs nothing
  double from[D] = {};    // where the point would be if it stuck to the collider
};

using PointTerm = PointTermOf<2>;
using Friction = FrictionOf<2>;

// Speed below which points in contact stick, in sizes of the object per second.
inline constexpr double kStickSpeed = 3e-3;

// Energy k max(0, depth)^3 of a point, over all colliders, and what it adds to a term. colliders: all sound. k: contact
// stiffness times the length, or the area, that the point stands for. x: D coordinates.
template <int D>
double ContactEnergy(std::span<const ColliderOf<D>> colliders, double k, const double* x) noexcept;
template <int D>
void AddContact(std::span<const ColliderOf<D>> colliders, double k, const double* x, PointTermOf<D>& term) noexcept;

// The same of friction. slip: distance in a step below which points stick smoothly, above 0.
template <int D>
double FrictionEnergy(const FrictionOf<D>& friction, double slip, const double* x) noexcept;
template <int D>
void AddFriction(const FrictionOf<D>& friction, double slip, const double* x, PointTermOf<D>& term) noexcept;

// Returns the friction of a point that was at x at the end of the last step, at the collider that it was deepest in.
// before, was_on: poses then, and whether they are known, one per collider.
template <int D>
FrictionOf<D> LagFriction(std::span<const ColliderOf<D>> colliders, const PoseOf<D>* before, const bool* was_on,
                          double k, const double* x) noexcept;

// Smooth length of friction: quadratic near 0, |slip| - slip / 3 beyond; its slope is 0 to 1.
double FrictionLength(double y, double slip) noexcept;
double FrictionSlope(double y, double slip) noexcept;

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_POINT_TERMS_H_
