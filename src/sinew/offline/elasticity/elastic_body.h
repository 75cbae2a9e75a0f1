// Elastic body made of linear tetrahedra, with one deformation gradient F each: its elastic energy as a function of the
// node positions, the gradient of that energy and its projected Hessian.
//
// Locking: linear tetrahedra become too stiff in bending as Poisson's ratio approaches 0.5, because each has to keep
// its own volume and there are more tetrahedra than degrees of freedom. So only a compressible part of the volume term
// is integrated over tetrahedra. The rest, (lambda - lambda_tet)/2 (J - 1)^2, is integrated over nodes, with J averaged
// over the tetrahedra around each node (J. Bonet, A. J. Burton, "A Simple Average Nodal Pressure Tetrahedral Element
// for Incompressible and Nearly Incompressible Dynamic Explicit Applications", 1998): there are about six times fewer
// nodes than tetrahedra.
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

// Material constants of an elastic body.
struct Elasticity {
  double young = 1e4;     // Young's modulus in pascal, above 0
  double poisson = 0.47;  // Poisson's ratio, in [0, 0.5)
  // Poisson's ratio up to which each tetrahedron keeps its own volume; the part of `poisson` above it is left to the
  // nodes. 0.5 leaves everything to the tetrahedra, which then lock.
  double tet_poisson = 0.3;
};

// Projected Hessian of an ElasticBody's energy, applied as a matrix-vector product. It consists of one 3x3 block per
// pair of nodes that share a tetrahedron, and one rank-one term per node that keeps its volume.
class ElasticHessian : public LinearSystem {
 public:
  // Adds a block between nodes i and j, which must share a tetrahedron or be the same, such as that of a contact.
  // Blocks of one node with itself also count in Precondition(); they are best summed before they are added.
  void Add(int i, int j, const Eigen::Matrix3d& block);
  void Multiply(const Eigen::VectorXd& v, Eigen::VectorXd& out) const override;
  // Multiplies by the inverses of the 3x3 blocks on the diagonal.
  void Precondition(const Eigen::VectorXd& v, Eigen::VectorXd& out) const override;

 private:
  friend class ElasticBody;
  const Csr* pattern_ = nullptr;  // ElasticBody::pattern_
  std::vector<Eigen::Matrix3d> blocks_;
  // Derivatives of V_n J_n, for row n of the pattern, with respect to each node of that row. transposed_ holds the same
  // values ordered by columns.
  std::vector<Eigen::Vector3d> volume_, transposed_;
  double volume_stiffness_ = 0;  // lambda - lambda_tet; 0 if there are no rank-one terms
  std::vector<double> inverse_volumes_;
  std::vector<Eigen::Matrix3d> inverse_diagonal_;
  // Values per tetrahedron before they are summed at nodes: the upper triangle of its 4x4 blocks, and the derivatives
  // of its volume with respect to its corners. Kept between calls, because allocating that much memory at each step
  // costs as much as filling it.
  std::vector<std::array<Eigen::Matrix3d, 10>> tet_blocks_;
  std::vector<Eigen::Matrix<double, 3, 4>> tet_volumes_;
};

class ElasticBody {
 public:
  // Throws UsageError if a tetrahedron of the rest shape is flat or inverted, or if a constant is out of range.
  ElasticBody(const TetMesh& rest, const Elasticity& elasticity);

  int node_count() const { return static_cast<int>(volumes_.size()); }
  int tet_count() const { return static_cast<int>(tets_.rows()); }

  // Elastic energy in joule. x: node positions, one row per node.
  double Energy(const Nodes& x) const;
  // Gradient dE/dx, three numbers per node; the negative of the elastic forces.
  void Gradient(const Nodes& x, Eigen::VectorXd& gradient) const;
  // Computes the projected, positive semi-definite Hessian at x. Reuses the memory of `hessian`, which may be used only
  // as long as the body lives.
  void Hessian(const Nodes& x, ElasticHessian& hessian) const;

  // Number of tetrahedra that are inverted or flat at x.
  int InvertedCount(const Nodes& x) const;
  // Force that counts as large: the shear modulus times the cross section of a mean tetrahedron.
  double ForceScale() const;
  // Energy to which rounding errors are relative: the shear modulus times the volume.
  double EnergyScale() const;

 private:
  struct Tet {
    Eigen::Matrix3d shape;  // inverse of the rest edges; row k is the gradient of the shape function of corner k + 1
    double volume;
  };
  Eigen::Matrix3d DeformationGradient(const Nodes& x, int t) const;
  // Pressure (lambda - lambda_tet) (J - 1) at each node.
  std::vector<double> NodePressures(const Nodes& x) const;
  // Mean of the node pressures over the corners of tetrahedron t.
  double MeanPressure(const std::vector<double>& pressures, int t) const;
  void BuildPattern();

  StableNeoHookean material_;  // part of the material that is integrated over tetrahedra
  double node_lambda_;         // lambda - lambda_tet, integrated over nodes
  Tets tets_;
  std::vector<Tet> rest_;
  double volume_ = 0;
  std::vector<double> volumes_;  // one per node: a quarter of the volume of the tetrahedra around it
  Csr incident_;                 // row per node: 4 t + k for each tetrahedron t of which it is corner k
  Csr pattern_;                  // row per node: the node itself and its neighbours, ascending
  std::vector<int> slots_;       // 16 per tetrahedron: index of the pair of corners (a, b) in the pattern's items
  std::vector<int> transposed_;  // one per item (i, j) of the pattern: index of the item (j, i)
};

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_ELASTIC_BODY_H_
