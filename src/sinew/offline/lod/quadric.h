// Quadric error metric (M. Garland and P. S. Heckbert, "Surface Simplification Using Quadric Error Metrics", 1997): the
// weighted sum of squared distances to planes and points, as a quadratic function x' A x - 2 b' x + c.
#ifndef SINEW_OFFLINE_LOD_QUADRIC_H_
#define SINEW_OFFLINE_LOD_QUADRIC_H_

#include <Eigen/Core>

namespace sinew::lod {

struct Quadric {
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  Eigen::Vector3d b = Eigen::Vector3d::Zero();
  double c = 0;

  // Adds the squared distance to a plane. normal: unit; point: any on the plane.
  void AddPlane(const Eigen::Vector3d& normal, const Eigen::Vector3d& point, double weight) {
    const double d = normal.dot(point);
    A += weight * normal * normal.transpose();
    b += weight * d * normal;
    c += weight * d * d;
  }
  void AddPoint(const Eigen::Vector3d& point, double weight) {
    A += weight * Eigen::Matrix3d::Identity();
    b += weight * point;
    c += weight * point.squaredNorm();
  }
  Quadric& operator+=(const Quadric& other) {
    A += other.A;
    b += other.b;
    c += other.c;
    return *this;
  }
  double operator()(const Eigen::Vector3d& x) const { return x.dot(A * x - 2 * b) + c; }
};

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_QUADRIC_H_
