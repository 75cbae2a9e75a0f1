// Exact signed distances to rigid shapes in space with rounded edges: a box, and polygons (polygon_distance.h) that are
// extruded along z or turned around y. For everything that collides in space: offline/elasticity and dynamics.
#ifndef SINEW_RUNTIME_KERNELS_SOLID_DISTANCE_H_
#define SINEW_RUNTIME_KERNELS_SOLID_DISTANCE_H_

#include <cmath>

#include "sinew/runtime/kernels/polygon_distance.h"

namespace sinew::runtime {

struct SolidDistanceSample {
  double distance = 0;             // negative inside
  double gradient[3] = {1, 0, 0};  // unit vector
};

// Distance of x to all points within `rounding` of a polygon in x and y that reaches over all z in [-half_depth,
// half_depth]. corners, count, tiny: as in RoundedPolygonDistance(). half_depth: above 0.
inline SolidDistanceSample ExtrudedDistance(const double* corners, int count, double half_depth, double rounding,
                                            double tiny, const double x[3]) {
  // Polygon and slab are crossed at right angles: beyond both, the distance is by Pythagoras; otherwise the larger.
  const PlaneDistanceSample flat = RoundedPolygonDistance(corners, count, 0, tiny, x[0], x[1]);
  const double over = std::fabs(x[2]) - half_depth, up = x[2] < 0 ? -1 : 1;
  if (flat.distance > 0 && over > 0) {
    const double length = std::sqrt(flat.distance * flat.distance + over * over);
    return {length - rounding,
            {flat.distance * flat.gradient_x / length, flat.distance * flat.gradient_y / length, over * up / length}};
  }
  if (flat.distance > over) return {flat.distance - rounding, {flat.gradient_x, flat.gradient_y, 0}};
  return {over - rounding, {0, 0, up}};
}

// Distance of x to all points within `rounding` of a polygon that is turned around the y axis. The polygon must be the
// same on both sides of that axis.
inline SolidDistanceSample TurnedDistance(const double* corners, int count, double rounding, double tiny,
                                          const double x[3]) {
  // The nearest point of the turned polygon is in the half plane of x, so that its distance is that of the plane.
  const double off = std::sqrt(x[0] * x[0] + x[2] * x[2]);
  const PlaneDistanceSample flat = RoundedPolygonDistance(corners, count, 0, tiny, off, x[1]);
  const double away_x = off > 0 ? x[0] / off : 1, away_z = off > 0 ? x[2] / off : 0;
  return {flat.distance - rounding, {flat.gradient_x * away_x, flat.gradient_y, flat.gradient_x * away_z}};
}

// Distance of x to all points within `rounding` of the box from -half to half.
inline SolidDistanceSample BoxDistance(const double half[3], double rounding, const double x[3]) {
  double over[3], square = 0;
  int farthest = 0;
  for (int k = 0; k < 3; ++k) {
    over[k] = std::fabs(x[k]) - half[k];
    if (over[k] > over[farthest]) farthest = k;
    if (over[k] > 0) square += over[k] * over[k];
  }
  SolidDistanceSample sample{over[farthest] - rounding, {0, 0, 0}};
  sample.gradient[farthest] = x[farthest] < 0 ? -1 : 1;
  const double length = std::sqrt(square);
  if (!(length > 0)) return sample;
  sample.distance = length - rounding;
  for (int k = 0; k < 3; ++k) sample.gradient[k] = over[k] > 0 ? std::copysign(over[k] / length, x[k]) : 0;
  return sample;
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_KERNELS_SOLID_DISTANCE_H_
