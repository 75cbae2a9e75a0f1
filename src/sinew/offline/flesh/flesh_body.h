// Elastic flesh solved in the frame of its skinning. Its shape is y(X) = R(X) z(X) + t(X): R and t are the skinning's
// motion, blended by dual quaternions at the nodes and linearly between them; z is linear over each tetrahedron, and
// equal to the rest position X where flesh does just what skinning says. Unknown are the z of the nodes.
//
// Why not the nodes' own positions: over a cell that a joint bends by 60 degrees, straight edges cut the corner, lose
// volume, and show as facets in the skin. In the skinning's frame the bend is not the elements' to make.
//
// The deformation gradient, turned back by R (which the isotropic energy does not see), is linear in z:
//   R^T F = sum_k z_k grad b_k^T + [omega_j x z + tau_j]_j,
// (FrameChange in skin_frames.h). Without motion it is the usual one. It is taken at points of the tetrahedra: at the
// centre, or at several where a joint bends them so much that one side is pressed together and the other drawn out.
// One thread: frames run beside each other.
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

// A symmetric matrix of 3x3 blocks: the diagonal, and what is right of it in each row.
struct BlockMatrix {
  Csr pattern;  // of each node, its neighbours with a higher number, rising
  std::vector<Eigen::Matrix3d> diagonal;
  std::vector<Eigen::Matrix3d> upper;  // one per item of the pattern

  // Where block (i, j), i < j, is in `upper`; it must exist.
  int Slot(int i, int j) const;
  // out = A v, three numbers a node.
  void Multiply(const Eigen::VectorXd& v, Eigen::VectorXd& out) const;
};

// A point at which energy is taken.
struct FleshPoint {
  int tet = -1;
  Eigen::Vector4d barycentric = Eigen::Vector4d::Constant(0.25);
  double volume = 0;  // of the flesh that it stands for
  FrameChange change;
};

class FleshBody {
 public:
  // UsageError if a tetrahedron is flat or inverted.
  FleshBody(const TetMesh& rest, const elasticity::StableNeoHookean& material);

  int node_count() const { return node_count_; }
  int tet_count() const { return static_cast<int>(tets_.rows()); }
  const Tets& tets() const { return tets_; }
  const Eigen::Matrix<double, 3, 4>& Gradients(int t) const { return elements_[t].gradients; }
  // Of the whole tetrahedron.
  double Volume(int t) const { return elements_[t].volume; }
  const elasticity::StableNeoHookean& material() const { return material_; }

  // R^T F.
  Eigen::Matrix3d DeformationGradient(const FleshPoint& point, const Nodes& z) const;
  double Energy(const std::vector<FleshPoint>& points, const Nodes& z) const;
  // Added to `gradient`.
  void AddGradient(const std::vector<FleshPoint>& points, const Nodes& z, Eigen::VectorXd& gradient) const;
  // A matrix with this body's pattern, all 0.
  BlockMatrix EmptyMatrix() const;
  // Adds the projected second derivatives.
  void AddHessian(const std::vector<FleshPoint>& points, const Nodes& z, BlockMatrix& matrix) const;
  // Adds s a b^T, a and b over a tetrahedron's corners, to all three coordinates: what a spring at a point there does.
  void AddSpring(int t, const Eigen::Matrix4d& stiffness, BlockMatrix& matrix) const;

 private:
  struct Element {
    Eigen::Matrix<double, 3, 4> gradients;  // of the shape functions
    double volume;
    std::array<int, 6> slots;  // of the pairs of corners (0,1) (0,2) (0,3) (1,2) (1,3) (2,3)
  };

  elasticity::StableNeoHookean material_;
  int node_count_;
  Tets tets_;
  std::vector<Element> elements_;
  Csr pattern_;
};

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_FLESH_BODY_H_
