// Linear subspace of a body in the plane that handles span (contact-centric deformation learning, doi
// 10.1145/3528223.3530182, section 3.1): x~(x) = U(x) x, with x the positions of point handles and the transformations
// of frame handles.
//
// A frame's six numbers are the matrix A (row by row) and the position p of its centre c:
//   x~(x) = sum_j w_j(x) p_j over points + sum_j w_j(x) (A_j (x - c_j) + p_j) over frames.
// p_j is counted from the frame's own centre, and not from the origin, so that it says where the frame is.
#ifndef SINEW_OFFLINE_ELASTICITY_HANDLE_SUBSPACE_H_
#define SINEW_OFFLINE_ELASTICITY_HANDLE_SUBSPACE_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "sinew/offline/elasticity/plane_mesh.h"

namespace sinew::elasticity {

enum class HandleKind { kPoint, kFrame };

struct PlaneHandle {
  HandleKind kind = HandleKind::kFrame;
  Eigen::Vector2d centre = Eigen::Vector2d::Zero();  // at rest

  int size() const { return kind == HandleKind::kPoint ? 2 : 6; }
};

class HandleSubspace {
 public:
  // weights: one row per node and one column per handle; each row sums to 1. Throws UsageError for others.
  HandleSubspace(const PlaneNodes& rest, std::vector<PlaneHandle> handles, Eigen::MatrixXd weights);

  const std::vector<PlaneHandle>& handles() const { return handles_; }
  const Eigen::MatrixXd& weights() const { return weights_; }
  const PlaneNodes& rest() const { return rest_; }
  // Index of a handle's first number in a state; one more entry than handles, the last is the size of a state.
  const std::vector<int>& offsets() const { return offsets_; }
  int state_size() const { return offsets_.back(); }

  // Basis U: two rows per node, one column per number of the state.
  const Eigen::SparseMatrix<double>& U() const { return U_; }
  // The same for one coordinate: one row per node; for a point one column, for a frame three. U is its Kronecker
  // product with the identity, but for the order of the columns.
  const Eigen::SparseMatrix<double>& B() const { return B_; }
  // State in which every node is at rest.
  Eigen::VectorXd RestState() const;
  // Positions U x, two coordinates per node.
  Eigen::VectorXd Positions(const Eigen::VectorXd& state) const { return U_ * state; }

 private:
  PlaneNodes rest_;
  std::vector<PlaneHandle> handles_;
  Eigen::MatrixXd weights_;
  std::vector<int> offsets_;
  Eigen::SparseMatrix<double> U_, B_;
};

// Carries a state into a frame of reference, such as that of a collider: x -> R' (x - position), with matrices of
// frames multiplied by R'. The subspace's positions are carried along.
Eigen::VectorXd CarryState(const HandleSubspace& subspace, const Eigen::VectorXd& state, const Eigen::Matrix2d& R,
                           const Eigen::Vector2d& position);

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_HANDLE_SUBSPACE_H_
