// Rigid colliders in space, by their exact signed distances.
#ifndef SINEW_DYNAMICS_SOLID_COLLIDER_H_
#define SINEW_DYNAMICS_SOLID_COLLIDER_H_

#include <cstdint>

#include "sinew/dynamics/distance_sample.h"

namespace sinew::dynamics {

// Pose of a collider: x_world = R x + position.
struct SolidPose {
  double rotation[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // R, row by row
  double position[3] = {0, 0, 0};                    // in metre
};

enum class SolidShape : uint32_t {
  kHalfSpace,  // everything below its xz plane
  kSphere,
  kBox,       // from -half to half
  kExtruded,  // polygon in x and y that reaches over all z in [-half[2], half[2]]
  kTurned     // polygon turned around the y axis
};

struct SolidCollider {
  static constexpr int kMaxCorners = 256;

  SolidShape shape = SolidShape::kHalfSpace;
  double radius = 0;                // of a sphere, in metre, above 0
  double half[3] = {0, 0, 0};       // of a box, and the last of an extruded polygon: half its sides, in metre, above 0
  const double* corners = nullptr;  // of a polygon: x and y each, counter-clockwise, not crossing itself; one that is
                                    // turned must be the same on both sides of the y axis
  int corner_count = 0;             // 3 to kMaxCorners
  // All points within this distance of a box or a polygon are part of the collider, so that its edges are round, in
  // metre. An edge passes between contact points of the object unnoticed if it is rounded by less than their distance.
  double rounding = 0;
  double friction = 0;  // coefficient of Coulomb friction, 0 to 10
  SolidPose pose;       // at the end of the step
  bool on = true;

  // Whether all numbers are finite and in their range, and the rotation is one within 1e-3.
  bool IsSound() const noexcept;
  // Signed distance and its gradient, in the world.
  DistanceSample<3> Distance(const SolidPose& at, const double x[3]) const noexcept;
  // Whether it shows at little cost, by a ball around the collider, that x is outside; false says nothing.
  bool IsFar(const SolidPose& at, const double x[3]) const noexcept;

 private:
  bool PolygonIsSound() const noexcept;
};

// Makes the rotation one exactly.
void Normalise(SolidPose* pose) noexcept;

// Carries a point, and a direction, from where the collider was to where it is.
void CarryPoint(const SolidPose& from, const SolidPose& to, double x[3]) noexcept;
void CarryDirection(const SolidPose& from, const SolidPose& to, double x[3]) noexcept;

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_SOLID_COLLIDER_H_
