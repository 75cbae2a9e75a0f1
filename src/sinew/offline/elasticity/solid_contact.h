// Contact of a body of tetrahedra with a rigid collider, as an energy: cubic in the depth, by the collider's distance
// (contact-centric deformation learning, doi 10.1145/3528223.3530182, section 5: the potential Phi).
//
//   E = k sum_i a_i max(0, depth_i)^3
//
// over points i on the triangles of the surface, with their share a_i of its area at rest. They lie closer together
// than the rounding of the collider's edges is wide, so that no corner can enter between them. As in the plane
// (plane_contact.h), all pairs are found anew at every evaluation.
#ifndef SINEW_OFFLINE_ELASTICITY_SOLID_CONTACT_H_
#define SINEW_OFFLINE_ELASTICITY_SOLID_CONTACT_H_

#include <vector>

#include "sinew/offline/elasticity/elastic_body.h"
#include "sinew/offline/elasticity/newton.h"
#include "sinew/offline/elasticity/solid_collider.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::elasticity {

// Returns the middles of the k^2 equal triangles that a triangle is cut into, as weights of its corners.
std::vector<Eigen::Vector3d> TriangleMiddles(int k);

class SolidContact {
 public:
  // surface: SurfaceOf(rest). stiffness: k, in newton per metre to the power of four; see ContactStiffness(). The
  // collider must outlive this.
  SolidContact(const TetMesh& rest, const Triangles& surface, const SolidCollider& collider, double stiffness);

  // x_world = R x + position, with a rotation R.
  void SetPose(const Eigen::Matrix3d& R, const Eigen::Vector3d& position);

  // x: three coordinates per node.
  double Energy(const Eigen::VectorXd& x) const;
  void AddGradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const;
  // Adds the Hessian without the second derivatives of the depths, which is positive semi-definite.
  void AddHessian(const Eigen::VectorXd& x, ElasticHessian& hessian) const;

  // Largest depth of a point of the surface; 0 without contact.
  double DeepestDepth(const Eigen::VectorXd& x) const;
  // Smallest distance between the points of the surface and the collider; negative inside.
  double SmallestGap(const Eigen::VectorXd& x) const;

 private:
  struct Point {
    Eigen::Vector3i nodes;
    Eigen::Vector3d shares;  // of the nodes; they sum to 1
    double area = 0;
  };
  struct Touch {
    const Point* point = nullptr;
    double depth = 0;
    Eigen::Vector3d slope = Eigen::Vector3d::Zero();  // of the depth, by the position of the point
  };
  static Eigen::Vector3d PositionOf(const Point& point, const Eigen::VectorXd& x);
  std::vector<Touch> FindTouches(const Eigen::VectorXd& x) const;

  std::vector<Point> points_;
  const SolidCollider& collider_;
  double stiffness_;
  Eigen::Matrix3d R_ = Eigen::Matrix3d::Identity();
  Eigen::Vector3d position_ = Eigen::Vector3d::Zero();
};

// Body of tetrahedra that touches a collider, or nothing, as an energy to minimise.
class SolidEquilibrium : public Objective {
 public:
  // contact: may be null. Both must outlive this.
  SolidEquilibrium(const ElasticBody& body, const SolidContact* contact, double length)
      : body_(body), contact_(contact), length_(length) {}

  double Energy(const Eigen::VectorXd& x) const override;
  void Gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const override;
  const LinearSystem& Hessian(const Eigen::VectorXd& x) override;
  int dimension() const override { return 3; }
  double Length() const override { return length_; }
  double ForceScale() const override { return body_.ForceScale(); }
  double EnergyScale() const override { return body_.EnergyScale(); }

 private:
  const ElasticBody& body_;
  const SolidContact* contact_;
  double length_;
  ElasticHessian hessian_;
};

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_SOLID_CONTACT_H_
