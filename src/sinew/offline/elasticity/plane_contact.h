// Contact of a body in plane strain with a rigid collider, as an energy: cubic in the depth, by the collider's distance
// field (contact-centric deformation learning, doi 10.1145/3528223.3530182, section 5: the potential Phi).
//
//   E = k sum_i l_i max(0, depth_i)^3
//
// over points i on the edges of the boundary, with their share l_i of its length at rest. They lie closer together than
// the rounding of the collider's corners is wide, so that no corner can enter between two of them. All pairs are found
// anew at every evaluation: E is a function of the positions alone, whose only kinks, where the nearest side of the
// collider changes, are peaks, at which no solve comes to rest.
#ifndef SINEW_OFFLINE_ELASTICITY_PLANE_CONTACT_H_
#define SINEW_OFFLINE_ELASTICITY_PLANE_CONTACT_H_

#include <vector>

#include "sinew/offline/elasticity/newton.h"
#include "sinew/offline/elasticity/plane_body.h"
#include "sinew/offline/elasticity/plane_collider.h"

namespace sinew::elasticity {

class PlaneContact {
 public:
  // loop: BoundaryLoop(rest). stiffness: k, in newton per metre to the power of four; see ContactStiffness().
  PlaneContact(const PlaneMesh& rest, const std::vector<int>& loop, const PlaneCollider& collider, double stiffness);

  void SetPose(const PlanePose& pose);
  const PlanePose& pose() const { return pose_; }

  double Energy(const Eigen::VectorXd& x) const;
  void AddGradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const;
  // Adds the Hessian without the second derivatives of the depths, which is positive semi-definite.
  void AddHessian(const Eigen::VectorXd& x, PlaneHessian& hessian) const;

  // Largest depth of a point of the boundary; 0 without contact.
  double DeepestDepth(const Eigen::VectorXd& x) const;
  // Smallest distance between the points of the boundary and the collider; negative inside.
  double SmallestGap(const Eigen::VectorXd& x) const;

 private:
  // Point (1 - t) a + t b of the edge between nodes a and b.
  struct Point {
    int a = 0, b = 0;
    double t = 0, length = 0;
  };
  struct Touch {
    const Point* point = nullptr;
    double depth = 0;
    Eigen::Vector2d slope = Eigen::Vector2d::Zero();  // of the depth, by the position of the point
  };
  static Eigen::Vector2d PositionOf(const Point& point, const Eigen::VectorXd& x);
  std::vector<Touch> FindTouches(const Eigen::VectorXd& x) const;

  std::vector<Point> points_;
  const PlaneCollider& collider_;
  double stiffness_;
  PlanePose pose_;
  Eigen::Matrix2d R_ = Eigen::Matrix2d::Identity();
};

// Stiffness at which a body of Young's modulus `young`, pressed with a third of it, is entered by `depth`.
double ContactStiffness(double young, double depth);

// Body in plane strain that touches a collider, or nothing, as an energy to minimise.
class PlaneEquilibrium : public Objective {
 public:
  // contact: may be null. Both must outlive this.
  PlaneEquilibrium(const PlaneBody& body, const PlaneContact* contact, double length)
      : body_(body), contact_(contact), length_(length) {}

  double Energy(const Eigen::VectorXd& x) const override;
  void Gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const override;
  const LinearSystem& Hessian(const Eigen::VectorXd& x) override;
  int dimension() const override { return 2; }
  double Length() const override { return length_; }
  double ForceScale() const override;
  double EnergyScale() const override;

 private:
  const PlaneBody& body_;
  const PlaneContact* contact_;
  double length_;
  PlaneHessian hessian_;
};

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_PLANE_CONTACT_H_
