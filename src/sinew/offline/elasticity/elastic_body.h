// A body of tetrahedra: its elastic energy over the positions of its nodes, with first and projected second
// derivatives. Linear tetrahedra, one deformation gradient F each.
//
// Locking: linear tetrahedra resist bending as their Poisson's ratio comes near 0.5, because each has to keep its own
// volume and there are more of them than directions to move in. So only a compressible part of the volume term is
// integrated over tetrahedra. The rest, (lambda - lambda_tet)/2 (J - 1)^2, is integrated over nodes, with J averaged
// over the tetrahedra around each (J. Bonet, A. J. Burton, "A Simple Average Nodal Pressure Tetrahedral Element for
// Incompressible and Nearly Incompressible Dynamic Explicit Applications", 1998): there are about six times fewer
// nodes.
#ifndef SINEW_OFFLINE_ELASTICITY_ELASTIC_BODY_H_
#define SINEW_OFFLINE_ELASTICITY_ELASTIC_BODY_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "sinew/offline/elasticity/conjugate_gradients.h"
#include "sinew/offline/elasticity/stable_neo_hookean.h"
#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/tet_mesh.h"

namespace sinew::elasticity {

struct Elasticity {
  double young = 1e4;     // pascal, above 0
  double poisson = 0.47;  // in [0, 0.5)
  // The Poisson's ratio up to which volume is kept by each tetrahedron on its own; what is above is kept by nodes.
  // 0.5: everything by tetrahedra, which lock.
  double tet_poisson = 0.3;
};

// Second derivatives, as a product with a vector: one 3x3 block for each two nodes with a common tetrahedron, and one
// dyad for each node that keeps its volume.
class ElasticHessian : public LinearSystem {
 public:
  void Multiply(const Eigen::VectorXd& v, Eigen::VectorXd& out) const override;
  // By the blocks on the diagonal.
  void Precondition(const Eigen::VectorXd& v, Eigen::VectorXd& out) const override;

 private:
  friend class ElasticBody;
  const Csr* pattern_ = nullptr;  // the body's
  std::vector<Eigen::Matrix3d> blocks_;
  // Of node n, the derivative of V_n J_n by each of its neighbours; transposed_ is the same by columns.
  std::vector<Eigen::Vector3d> volume_, transposed_;
  double volume_stiffness_ = 0;  // 0: none of these
  std::vector<double> inverse_volumes_;
  std::vector<Eigen::Matrix3d> inverse_diagonal_;
  // Before they are gathered at nodes: the upper triangle of each tetrahedron's 4x4 blocks, and the derivatives of its
  // volume by its corners. Kept because asking the system for that much memory at each step costs as much as filling
  // it.
  std::vector<std::array<Eigen::Matrix3d, 10>> tet_blocks_;
  std::vector<Eigen::Matrix<double, 3, 4>> tet_volumes_;
};

class ElasticBody {
 public:
  // UsageError if a tetrahedron of the rest shape is flat or inverted, or a constant out of range.
  ElasticBody(const TetMesh& rest, const Elasticity& elasticity);

  int node_count() const { return static_cast<int>(volumes_.size()); }
  int tet_count() const { return static_cast<int>(tets_.rows()); }

  // x: one row a node. Joule.
  double Energy(const Nodes& x) const;
  // dE/dx, three numbers a node; minus the elastic forces.
  void Gradient(const Nodes& x, Eigen::VectorXd& gradient) const;
  // Positive semi-definite. The body must live as long as the Hessian is used; its memory is used again.
  void Hessian(const Nodes& x, ElasticHessian& hessian) const;

  int InvertedCount(const Nodes& x) const;
  // A force that counts as large: the shear modulus times the cross section of a mean tetrahedron.
  double ForceScale() const;
  // An energy whose rounding all others have: the shear modulus times the volume.
  double EnergyScale() const;

 private:
  struct Tet {
    Eigen::Matrix3d shape;  // the inverse of the rest edges; row k is the gradient of corner k + 1's shape function
    double volume;
  };
  Eigen::Matrix3d DeformationGradient(const Nodes& x, int t) const;
  // (lambda - lambda_tet) (J - 1) at nodes, and its mean over each tetrahedron's corners.
  std::vector<double> NodePressures(const Nodes& x) const;
  double MeanPressure(const std::vector<double>& pressures, int t) const;
  void BuildPattern();

  StableNeoHookean material_;  // the part integrated over tetrahedra
  double node_lambda_;         // the rest of lambda
  Tets tets_;
  std::vector<Tet> rest_;
  double volume_ = 0;
  std::vector<double> volumes_;  // a quarter of the tetrahedra around each node
  Csr incident_;                 // of each node, 4 t + its corner of tetrahedron t
  Csr pattern_;                  // of each node, itself and its neighbours, rising
  std::vector<int> slots_;       // 16 a tetrahedron: where corners (a, b) are in the pattern's items
  std::vector<int> transposed_;  // of each item (i, j) of the pattern, where (j, i) is
};

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_ELASTIC_BODY_H_
