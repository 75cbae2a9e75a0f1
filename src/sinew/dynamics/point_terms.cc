#include "sinew/dynamics/point_terms.h"

#include <cmath>

namespace sinew::dynamics {
namespace {

// Sets the slip of a point, without what is along the normal, and returns its length.
template <int D>
double SlipOf(const FrictionOf<D>& friction, const double* x, double* slip) {
  double along = 0, square = 0;
  for (int r = 0; r < D; ++r) along += (x[r] - friction.from[r]) * friction.normal[r];
  for (int r = 0; r < D; ++r) {
    slip[r] = x[r] - friction.from[r] - along * friction.normal[r];
    square += slip[r] * slip[r];
  }
  return std::sqrt(square);
}

}  // namespace

template <int D>
double ContactEnergy(std::span<const ColliderOf<D>> colliders, double k, const double* x) noexcept {
  double energy = 0;
  for (const ColliderOf<D>& collider : colliders) {
    if (!collider.on || collider.IsFar(collider.pose, x)) continue;
    const double distance = collider.Distance(collider.pose, x).distance;
    if (distance < 0) energy -= k * distance * distance * distance;
  }
  return energy;
}

template <int D>
void AddContact(std::span<const ColliderOf<D>> colliders, double k, const double* x, PointTermOf<D>& term) noexcept {
  for (const ColliderOf<D>& collider : colliders) {
    if (!collider.on || collider.IsFar(collider.pose, x)) continue;
    const DistanceSample<D> sample = collider.Distance(collider.pose, x);
    if (!(sample.distance < 0)) continue;
    const double depth = -sample.distance, force = -3 * k * depth * depth, curvature = 6 * k * depth;
    term.acts = true;
    for (int r = 0; r < D; ++r) {
      term.slope[r] += force * sample.gradient[r];
      // Without the second derivatives of the distance, so that nothing is negative.
      for (int s = 0; s < D; ++s) term.curvature[r][s] += curvature * sample.gradient[r] * sample.gradient[s];
    }
  }
}

template <int D>
double FrictionEnergy(const FrictionOf<D>& friction, double slip, const double* x) noexcept {
  if (!(friction.force > 0)) return 0;
  double offset[D];
  return friction.force * FrictionLength(SlipOf(friction, x, offset), slip);
}

template <int D>
void AddFriction(const FrictionOf<D>& friction, double slip, const double* x, PointTermOf<D>& term) noexcept {
  if (!(friction.force > 0)) return;
  double along[D];
  const double length = SlipOf(friction, x, along);
  for (int r = 0; r < D; ++r) along[r] = length > 0 ? along[r] / length : 0;
  const double force = friction.force * FrictionSlope(length, slip);
  // Second derivatives along the slip and, in space, across it; neither is ever negative. In the plane slope over
  // length, which is larger, took no step too far, but so small ones where points begin to slide that a tenth of the
  // steps came to the limit of iterations; the line search takes care of those that are too large.
  const double straight = length < slip ? 2 * friction.force / slip * (1 - length / slip) : 0;
  const double across = length > 1e-9 * slip ? force / length : 2 * friction.force / slip;
  term.acts = true;
  for (int r = 0; r < D; ++r) {
    term.slope[r] += force * along[r];
    for (int s = 0; s < D; ++s) {
      const double tangent = (r == s ? 1 : 0) - friction.normal[r] * friction.normal[s];
      term.curvature[r][s] += across * tangent + (straight - across) * along[r] * along[s];
    }
  }
}

template <int D>
FrictionOf<D> LagFriction(std::span<const ColliderOf<D>> colliders, const PoseOf<D>* before, const bool* was_on,
                          double k, const double* x) noexcept {
  FrictionOf<D> friction;
  double deepest = 0;
  for (size_t c = 0; c < colliders.size(); ++c) {
    if (!colliders[c].on || !was_on[c] || colliders[c].IsFar(before[c], x)) continue;
    const DistanceSample<D> sample = colliders[c].Distance(before[c], x);
    if (!(-sample.distance > deepest)) continue;
    deepest = -sample.distance;
    friction.force = colliders[c].friction * 3 * k * deepest * deepest;
    for (int r = 0; r < D; ++r) {
      friction.normal[r] = sample.gradient[r];
      friction.from[r] = x[r];
    }
    CarryDirection(before[c], colliders[c].pose, friction.normal);
    CarryPoint(before[c], colliders[c].pose, friction.from);
  }
  return friction;
}

double FrictionLength(double y, double slip) noexcept {
  return y < slip ? y * y / slip * (1 - y / (3 * slip)) : y - slip / 3;
}

double FrictionSlope(double y, double slip) noexcept { return y < slip ? y / slip * (2 - y / slip) : 1; }

template double ContactEnergy<2>(std::span<const Collider>, double, const double*) noexcept;
template double ContactEnergy<3>(std::span<const SolidCollider>, double, const double*) noexcept;
template void AddContact<2>(std::span<const Collider>, double, const double*, PointTermOf<2>&) noexcept;
template void AddContact<3>(std::span<const SolidCollider>, double, const double*, PointTermOf<3>&) noexcept;
template double FrictionEnergy<2>(const FrictionOf<2>&, double, const double*) noexcept;
template double FrictionEnergy<3>(const FrictionOf<3>&, double, const double*) noexcept;
template void AddFriction<2>(const FrictionOf<2>&, double, const double*, PointTermOf<2>&) noexcept;
template void AddFriction<3>(const FrictionOf<3>&, double, const double*, PointTermOf<3>&) noexcept;
template FrictionOf<2> LagFriction<2>(std::span<const Collider>, const PlanePose*, const bool*, double,
                                      const double*) noexcept;
template FrictionOf<3> LagFriction<3>(std::span<const SolidCollider>, const SolidPose*, const bool*, double,
                                      const double*) noexcept;

}  // namespace sinew::dynamics
