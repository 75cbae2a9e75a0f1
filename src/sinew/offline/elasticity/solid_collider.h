// Rigid collider in space with rounded edges and corners, and its exact signed distance. It is a polygon (see
// plane_collider.h) that is extruded along z or turned around y, or half a sphere, and then rounded.
#ifndef SINEW_OFFLINE_ELASTICITY_SOLID_COLLIDER_H_
#define SINEW_OFFLINE_ELASTICITY_SOLID_COLLIDER_H_

#include <limits>
#include <optional>
#include <string>

#include "sinew/offline/elasticity/plane_collider.h"

namespace sinew::elasticity {

struct SolidDistance {
  double distance = 0;                                 // negative inside
  Eigen::Vector3d gradient = Eigen::Vector3d::Zero();  // unit vector
};

// All points within `rounding` of an extruded or turned polygon, or of half a sphere. Its space has the origin around
// which it turns.
class SolidCollider {
 public:
  // Polygon in x and y for all z in [-half_depth, half_depth]. half_depth: above 0. rounding: above 0. Throws
  // UsageError for others.
  static SolidCollider Extruded(const PlaneCollider& polygon, double half_depth, double rounding);
  // Polygon turned around the y axis; its corners must be the same on both sides of it. rounding: above 0. Throws
  // UsageError for others.
  static SolidCollider Turned(const PlaneCollider& polygon, double rounding);
  // Shell that is open below: the half of a sphere around the origin with y >= 0, as a wall of twice the rounding.
  // sphere_radius: of the middle of the wall, above 0. rounding: above 0. Throws UsageError for others.
  static SolidCollider Shell(double sphere_radius, double rounding);

  SolidDistance Distance(const Eigen::Vector3d& x) const;

  double rounding() const { return rounding_; }
  // Largest distance of a point of it from the origin.
  double radius() const { return radius_; }
  // Size that depths are relative to: the smallest side of its bounding box.
  double size() const { return size_; }
  // How far it may move into a body between two solves: beyond the middle of a wall, the body would be pushed out on
  // the other side of it. Infinite without a wall.
  double max_step() const { return polygon_ ? std::numeric_limits<double>::infinity() : rounding_; }

 private:
  SolidCollider(const PlaneCollider& polygon, double half_depth, double rounding);
  SolidCollider(double sphere_radius, double rounding);
  SolidDistance ShellDistance(const Eigen::Vector3d& x) const;

  std::optional<PlaneCollider> polygon_;  // none: a shell
  double half_depth_ = 0;                 // 0: turned around y
  double sphere_radius_ = 0;              // of a shell
  double rounding_, radius_ = 0, size_ = 0;
};

// Makes a shape by its name: "cube", "cone" (twice as high as wide), "star" (five points, half as thick as its radius)
// or "shell". radius: largest distance of a point of it from the origin, above 0. Edges are rounded by an eighth of it.
// Throws UsageError for another name or radius.
SolidCollider MakeSolidCollider(const std::string& name, double radius);

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_SOLID_COLLIDER_H_
