// Elastic body in plane strain, made of linear triangles with one deformation gradient each: the energy per metre of
// depth as a function of the node positions, its gradient and its projected Hessian. The material is that of three
// dimensions (stable_neo_hookean.h) with F_33 = 1.
//
// All functions are single-threaded: callers solve many bodies at once. Linear triangles lock as Poisson's ratio comes
// near 0.5; up to 0.4 they may be used as they are.
#ifndef SINEW_OFFLINE_ELASTICITY_PLANE_BODY_H_
#define SINEW_OFFLINE_ELASTICITY_PLANE_BODY_H_

#include <array>
#include <vector>

#include "sinew/offline/elasticity/conjugate_gradients.h"
#include "sinew/offline/elasticity/plane_mesh.h"
#include "sinew/offline/elasticity/stable_neo_hookean.h"
#include "sinew/offline/mesh/csr.h"

namespace sinew::elasticity {

// Symmetric matrix of one 2x2 block per pair of nodes that share a triangle.
class PlaneHessian : public LinearSystem {
 public:
  // Adds a block between nodes i and j, which must share a triangle or be the same.
  void Add(int i, int j, const Eigen::Matrix2d& block);
  // Prepares Precondition(), which multiplies by the inverses of the blocks on the diagonal. Call after the last Add().
  void Finish();

  void Multiply(const Eigen::VectorXd& v, Eigen::VectorXd& out) const override;
  void Precondition(const Eigen::VectorXd& v, Eigen::VectorXd& out) const override;

 private:
  friend class PlaneBody;
  const Csr* pattern_ = nullptr;  // PlaneBody::pattern_
  std::vector<Eigen::Matrix2d> blocks_;
  std::vector<Eigen::Matrix2d> inverse_diagonal_;
};

class PlaneBody {
 public:
  // young: Young's modulus in pascal, above 0. poisson: Poisson's ratio, in [0, 0.5). Throws UsageError for others, and
  // if a triangle is flat or clockwise at rest.
  PlaneBody(const PlaneMesh& rest, double young, double poisson);

  int node_count() const { return pattern_.row_count(); }
  int triangle_count() const { return static_cast<int>(triangles_.rows()); }
  const StableNeoHookean& material() const { return material_; }
  double area() const { return area_; }

  // Energy in joule per metre of depth. x: two coordinates per node.
  double Energy(const Eigen::VectorXd& x) const;
  void Gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const;
  // Computes the projected, positive semi-definite Hessian. Callers may Add() to it, and must Finish() it. Reuses the
  // memory of `hessian`, which may be used only as long as the body lives.
  void Hessian(const Eigen::VectorXd& x, PlaneHessian& hessian) const;
  // Number of triangles that are inverted or flat at x.
  int InvertedCount(const Eigen::VectorXd& x) const;

 private:
  struct Element {
    Eigen::Matrix2d shape;  // inverse of the rest edges; row k is the gradient of the shape function of corner k + 1
    double area;
    std::array<int, 9> slots;  // index of each pair of corners in the pattern's items
  };
  Eigen::Matrix2d DeformationGradient(const Eigen::VectorXd& x, int t) const;

  StableNeoHookean material_;
  Triangles triangles_;
  std::vector<Element> elements_;
  double area_ = 0;
  Csr pattern_;  // row per node: the node itself and its neighbours, ascending
};

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_PLANE_BODY_H_
