// Implicit surfaces whose properties are known.
#ifndef SINEW_TESTS_SUPPORT_IMPLICIT_SHAPES_H_
#define SINEW_TESTS_SUPPORT_IMPLICIT_SHAPES_H_

#include <Eigen/Core>
#include <cmath>

#include "sinew/offline/mesh/implicit_surface.h"

namespace sinew {

class Ball : public ImplicitSurface {
 public:
  Ball(const Eigen::Vector3d& center, double radius) : center_(center), radius_(radius) {}
  double Evaluate(const Eigen::Vector3d& point, Eigen::Vector3d* gradient) const override {
    if (gradient != nullptr) *gradient = (point - center_).normalized();
    return (point - center_).norm() - radius_;
  }
  Eigen::AlignedBox3d Bounds() const override {
    return {center_ - Eigen::Vector3d::Constant(radius_), center_ + Eigen::Vector3d::Constant(radius_)};
  }

 private:
  Eigen::Vector3d center_;
  double radius_;
};

// Around the y axis.
class Torus : public ImplicitSurface {
 public:
  Torus(double ring, double tube) : ring_(ring), tube_(tube) {}
  double Evaluate(const Eigen::Vector3d& point, Eigen::Vector3d* gradient) const override {
    const Eigen::Vector3d flat(point.x(), 0, point.z());
    const Eigen::Vector3d nearest = ring_ * flat.normalized();
    if (gradient != nullptr) *gradient = (point - nearest).normalized();
    return (point - nearest).norm() - tube_;
  }
  Eigen::AlignedBox3d Bounds() const override {
    const double wide = ring_ + tube_;
    return {Eigen::Vector3d(-wide, -tube_, -wide), Eigen::Vector3d(wide, tube_, wide)};
  }

 private:
  double ring_, tube_;
};

}  // namespace sinew

#endif  // SINEW_TESTS_SUPPORT_IMPLICIT_SHAPES_H_
