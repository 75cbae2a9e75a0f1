// Exact signed distance to a polygon with rounded corners, for everything that collides in the plane:
// offline/elasticity and dynamics.
#ifndef SINEW_RUNTIME_KERNELS_POLYGON_DISTANCE_H_
#define SINEW_RUNTIME_KERNELS_POLYGON_DISTANCE_H_

#include <cmath>
#include <limits>

namespace sinew::runtime {

struct PlaneDistanceSample {
  double distance = 0;                    // negative inside
  double gradient_x = 1, gradient_y = 0;  // unit vector
};

// Distance of (x, y) to all points within `rounding` of a polygon. corners: two coordinates each, counter-clockwise, of
// a polygon that does not cross itself. count: at least 3. tiny: distance from the polygon below which the direction to
// it is not trusted, and the normal of the nearest side is the gradient.
inline PlaneDistanceSample RoundedPolygonDistance(const double* corners, int count, double rounding, double tiny,
                                                  double x, double y) {
  double nearest = std::numeric_limits<double>::infinity();
  double offset_x = 0, offset_y = 0, side_x = 0, side_y = 1;
  bool inside = false;
  for (int i = 0; i < count; ++i) {
    const double* a = corners + 2 * i;
    const double* b = corners + 2 * (i + 1 < count ? i + 1 : 0);
    const double edge_x = b[0] - a[0], edge_y = b[1] - a[1], from_x = x - a[0], from_y = y - a[1];
    double t = (from_x * edge_x + from_y * edge_y) / (edge_x * edge_x + edge_y * edge_y);
    t = t > 0 ? (t < 1 ? t : 1) : 0;
    const double away_x = from_x - t * edge_x, away_y = from_y - t * edge_y;
    if (away_x * away_x + away_y * away_y < nearest) {
      nearest = away_x * away_x + away_y * away_y;
      offset_x = away_x;
      offset_y = away_y;
      side_x = edge_x;
      side_y = edge_y;
    }
    // A ray to the right crosses the boundary an odd number of times if it starts inside.
    if ((a[1] > y) != (b[1] > y) && x < a[0] + edge_x * (y - a[1]) / edge_y) inside = !inside;
  }
  const double length = std::sqrt(nearest), sign = inside ? -1 : 1;
  if (length > tiny) return {sign * length - rounding, sign / length * offset_x, sign / length * offset_y};
  const double side = std::sqrt(side_x * side_x + side_y * side_y);
  return {sign * length - rounding, side_y / side, -side_x / side};
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_KERNELS_POLYGON_DISTANCE_H_
