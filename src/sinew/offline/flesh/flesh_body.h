// Elastic flesh whose unknowns are node positions before skinning: energy, gradient and projected Hessian.
//
// The posed shape is y(X) = R(X) z(X) + t(X). R and t are the rigid motion of the skinning, blended by dual quaternions
// at the nodes and linearly between them: the skinning frame. z is the position before skinning. It is linear over each
// tetrahedron, and equal to the rest position X where flesh does just what skinning says. Solved for are the z of the
// nodes.
//
// Why not the nodes' posed positions: over a cell that a joint bends by 60 degrees, straight edges cut the corner, lose
// volume, and show as facets in the skin. In the skinning frame the elements do not have to make that bend.
//
// The deformation gradient, rotated back by R (which does not change the isotropic energy), is linear in z:
//   R^T F = sum_k z_k grad b_k^T + [omega_j x z + tau_j]_j,
// (FrameChange in skin_frames.h). Without motion it is the usual one. It is evaluated at sample points of the
// tetrahedra: at the centre, or at several points where a joint bends a tetrahedron so much that one side is compressed
// and the other stretched. Runs on one thread: different frames are solved in parallel.
#ifndef SINEW_OFFLINE_FLESH_FLESH_BODY_H_
#define SINEW_OFFLINE_FLESH_FLESH_BODY_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "sinew/offline/elasticity/stable_neo_hookean.h"
#include "sinew/offline/flesh/skin_frames.h"
#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/tet_mesh.h"

namespace sinew::flesh {

// Symmetric matrix of 3x3 blocks, one row and column of blocks per node. Stores the diagonal and the upper triangle.
struct BlockMatrix {
  Csr pattern;  // row per node: its neighbours of higher index, ascending
  std::vector<Eigen::Matrix3d> diagonal;
  std::vector<Eigen::Matrix3d> upper;  // one per item of the pattern

  // Index of block (i, j), i < j, in `upper`; the block must exist.
  int Slot(int i, int j) const;
  // Computes out = A v, with three numbers per node.
  void Multiply(const Eigen::VectorXd& v, Eigen::VectorXd& out) const;
};

// Sample point at which the energy is evaluated (a quadrature point).
struct FleshPoint {
  int tet = -1;
  Eigen::Vector4d barycentric = Eigen::Vector4d::Constant(0.25);
  double volume = 0;   // volume of the flesh that it represents, at rest
  FrameChange change;  // derivatives of the skinning frame at the point
};

class FleshBody {
 public:
  // Throws UsageError if a tetrahedron is flat or inverted.
  FleshBody(const TetMesh& rest, const elasticity::StableNeoHookean& material);

  int node_count() const { return node_count_; }
  int tet_count() const { return static_cast<int>(tets_.rows()); }
  const Tets& tets() const { return tets_; }
  // Gradients of the four shape functions of tetrahedron t, one per column.
  const Eigen::Matrix<double, 3, 4>& Gradients(int t) const { return elements_[t].gradients; }
  // Rest volume of the whole tetrahedron t, flesh or not.
  double Volume(int t) const { return elements_[t].volume; }
  const elasticity::StableNeoHookean& material() const { return material_; }

  // Deformation gradient at a sample point, rotated back: R^T F. Here and below, z has one row per node.
  Eigen::Matrix3d DeformationGradient(const FleshPoint& point, const Nodes& z) const;
  // Elastic energy, summed over the sample points, in pascal times the positions' unit to the third power.
  double Energy(const std::vector<FleshPoint>& points, const Nodes& z) const;
  // Adds the gradient of Energy() to `gradient`, three numbers per node.
  void AddGradient(const std::vector<FleshPoint>& points, const Nodes& z, Eigen::VectorXd& gradient) const;
  // Matrix with this body's pattern, all blocks 0.
  BlockMatrix EmptyMatrix() const;
  // Adds the Hessian of Energy(), projected to positive semi-definite at each sample point.
  void AddHessian(const std::vector<FleshPoint>& points, const Nodes& z, BlockMatrix& matrix) const;
  // Adds a matrix over the corners of tetrahedron t, for each of the three coordinates. A spring of stiffness s at a
  // point with barycentric coordinates b has the matrix s b b^T.
  void AddSpring(int t, const Eigen::Matrix4d& stiffness, BlockMatrix& matrix) const;

 private:
  struct Element {
    Eigen::Matrix<double, 3, 4> gradients;  // of the shape functions, one per column
    double volume;
    std::array<int, 6> slots;  // BlockMatrix::Slot of the pairs of corners (0,1) (0,2) (0,3) (1,2) (1,3) (2,3)
  };

  elasticity::StableNeoHookean material_;
  int node_count_;
  Tets tets_;
  std::vector<Element> elements_;
  Csr pattern_;
};

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_FLESH_BODY_H_
