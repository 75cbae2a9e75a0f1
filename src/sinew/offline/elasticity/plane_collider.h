// Rigid collider in the plane: a polygon with rounded corners, and its exact signed distance.
#ifndef SINEW_OFFLINE_ELASTICITY_PLANE_COLLIDER_H_
#define SINEW_OFFLINE_ELASTICITY_PLANE_COLLIDER_H_

#include <Eigen/Core>
#include <string>
#include <vector>

namespace sinew::elasticity {

struct PlaneDistance {
  double distance = 0;                                 // negative inside
  Eigen::Vector2d gradient = Eigen::Vector2d::Zero();  // unit vector
};

// All points within `rounding` of a polygon. Its space has the origin around which it turns.
class PlaneCollider {
 public:
  // corners: of a polygon that does not cross itself, counter-clockwise, at least three. rounding: radius of the
  // corners, at least 0. Throws UsageError for others, and for a polygon without an area.
  PlaneCollider(std::vector<Eigen::Vector2d> corners, double rounding);

  PlaneDistance Distance(const Eigen::Vector2d& x) const;

  const std::vector<Eigen::Vector2d>& corners() const { return corners_; }
  double rounding() const { return rounding_; }
  // Largest distance of a point of it from the origin.
  double radius() const { return radius_; }
  // Size that depths are relative to: the smaller side of its bounding box.
  double size() const { return size_; }

 private:
  std::vector<Eigen::Vector2d> corners_;
  double rounding_, radius_ = 0, size_ = 0;
};

// Makes a shape by its name: "cube" (a square), "cone" (a triangle twice as high as wide) or "star" (five
// points). radius: largest distance of a point of it from the origin, above 0. Corners are rounded by an eighth of it.
// Throws UsageError for another name or radius.
PlaneCollider MakePlaneCollider(const std::string& name, double radius);

// Pose of a collider: x_world = R(angle) x + position.
struct PlanePose {
  double angle = 0;  // radians
  Eigen::Vector2d position = Eigen::Vector2d::Zero();

  Eigen::Matrix2d Rotation() const;
  Eigen::Vector2d ToWorld(const Eigen::Vector2d& x) const { return Rotation() * x + position; }
  Eigen::Vector2d ToCollider(const Eigen::Vector2d& x) const { return Rotation().transpose() * (x - position); }
};

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_PLANE_COLLIDER_H_
