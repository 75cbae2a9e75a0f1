// Rigid colliders in the plane, by their exact signed distances.
#ifndef SINEW_DYNAMICS_COLLIDER_H_
#define SINEW_DYNAMICS_COLLIDER_H_

#include <cstdint>

#include "sinew/dynamics/distance_sample.h"
#include "sinew/runtime/kernels/polygon_distance.h"

namespace sinew::dynamics {

class FieldTable;

// Pose of a collider: x_world = R x + position, with R the rotation of this cosine and sine.
struct PlanePose {
  double cosine = 1, sine = 0;
  double position[2] = {0, 0};  // in metre
};

enum class ColliderShape : uint32_t {
  kHalfPlane,  // everything below its x axis
  kCircle,
  kPolygon  // with rounded corners
};

struct Collider {
  static constexpr int kMaxCorners = 256;

  ColliderShape shape = ColliderShape::kHalfPlane;
  double radius = 0;                // of a circle, in metre, above 0
  const double* corners = nullptr;  // of a polygon: two coordinates each, counter-clockwise, not crossing itself
  int corner_count = 0;             // 3 to kMaxCorners
  // Radius of a polygon's corners, in metre. The corner of a collider passes between contact points of the object
  // unnoticed if it is rounded by less than their distance.
  double rounding = 0;
  double friction = 0;  // coefficient of Coulomb friction, 0 to 10
  PlanePose pose;       // at the end of the step
  bool on = true;
  // Learned field of the object's displacements around this collider (field_table.h). Null: only handles move. A field
  // has a shape of its own, which then replaces shape, corners and rounding. Must outlive the simulation.
  const FieldTable* field = nullptr;

  // Whether all numbers are finite and in their range, and cosine and sine are those of an angle within 1e-3.
  bool IsSound() const noexcept;
  // Signed distance and its gradient, in the world.
  runtime::PlaneDistanceSample Distance(const PlanePose& at, double x, double y) const noexcept;
  DistanceSample<2> Distance(const PlanePose& at, const double x[2]) const noexcept;
  // Whether it shows at little cost that x is outside; false says nothing.
  bool IsFar(const PlanePose& at, const double x[2]) const noexcept;
};

// Makes cosine and sine those of an angle exactly.
void Normalise(PlanePose* pose) noexcept;

// Carries a point, and a direction, from where the collider was to where it is.
void CarryPoint(const PlanePose& from, const PlanePose& to, double x[2]) noexcept;
void CarryDirection(const PlanePose& from, const PlanePose& to, double x[2]) noexcept;

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_COLLIDER_H_
