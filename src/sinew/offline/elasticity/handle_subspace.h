// Linear subspace of a body that handles span, in the plane or in space (contact-centric deformation learning, doi
// 10.1145/3528223.3530182, section 3.1): x~(x) = U(x) x, with x the positions of point handles and the transformations
// of frame handles.
//
// A frame's numbers, six in the plane and twelve in space, are the matrix A (row by row) and the position p of its
// centre c:
//   x~(x) = sum_j w_j(x) p_j over points + sum_j (A_j v_j(x) + w_j(x) p_j) over frames,
// with v_j = w_j (x - c_j) for skinning weights, and functions of their own for generalised biharmonic coordinates.
// p_j is counted from the frame's own centre, and not from the origin, so that it says where the frame is.
#ifndef SINEW_OFFLINE_ELASTICITY_HANDLE_SUBSPACE_H_
#define SINEW_OFFLINE_ELASTICITY_HANDLE_SUBSPACE_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

namespace sinew::elasticity {

// Two or three numbers, or a square matrix of that size, without a heap.
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;

enum class HandleKind { kPoint, kFrame };

struct Handle {
  HandleKind kind = HandleKind::kFrame;
  SmallVector centre;  // at rest; two or three coordinates

  // Number of functions per coordinate, and of numbers in a state.
  int function_count() const { return kind == HandleKind::kPoint ? 1 : static_cast<int>(centre.size()) + 1; }
  int size() const { return function_count() * static_cast<int>(centre.size()); }
};

class HandleSubspace {
 public:
  // Subspace of skinning weights. rest: one row per node, two or three columns. weights: one row per node and one
  // column per handle; each row sums to 1. Throws UsageError for others.
  HandleSubspace(const Eigen::MatrixXd& rest, std::vector<Handle> handles, const Eigen::MatrixXd& weights);
  // Subspace of functions as BiharmonicCoordinates() returns them: one column per point and, per frame, one per column
  // of its matrix and one for its position. Throws UsageError for other sizes, or if those of positions do not sum
  // to 1.
  static HandleSubspace OfFunctions(const Eigen::MatrixXd& rest, std::vector<Handle> handles,
                                    Eigen::MatrixXd functions);

  int dimension() const { return static_cast<int>(rest_.cols()); }
  const std::vector<Handle>& handles() const { return handles_; }
  // How much of each handle's position reaches each node: one row per node and one column per handle.
  const Eigen::MatrixXd& weights() const { return weights_; }
  const Eigen::MatrixXd& rest() const { return rest_; }
  // Index of a handle's first number in a state; one more entry than handles, the last is the size of a state.
  const std::vector<int>& offsets() const { return offsets_; }
  int state_size() const { return offsets_.back(); }

  // Basis U: as many rows per node as coordinates, one column per number of the state.
  const Eigen::SparseMatrix<double>& U() const { return U_; }
  // The same for one coordinate: one row per node, one column per function. U is its Kronecker product with the
  // identity, but for the order of the columns.
  const Eigen::SparseMatrix<double>& B() const { return B_; }
  const Eigen::MatrixXd& functions() const { return functions_; }
  // State in which every node is at rest.
  Eigen::VectorXd RestState() const;
  // Positions U x, all coordinates of a node after each other.
  Eigen::VectorXd Positions(const Eigen::VectorXd& state) const { return U_ * state; }
  // State whose positions are nearest to the given ones, by least squares.
  Eigen::VectorXd Project(const Eigen::VectorXd& positions) const;

 private:
  struct FromFunctions {};
  HandleSubspace(FromFunctions, const Eigen::MatrixXd& rest, std::vector<Handle> handles, Eigen::MatrixXd functions);
  static Eigen::MatrixXd SkinningFunctions(const Eigen::MatrixXd& rest, const std::vector<Handle>& handles,
                                           const Eigen::MatrixXd& weights);

  Eigen::MatrixXd rest_;
  std::vector<Handle> handles_;
  Eigen::MatrixXd functions_, weights_;
  std::vector<int> offsets_;
  Eigen::SparseMatrix<double> U_, B_;
};

// Carries a state into a frame of reference, such as that of a collider: x -> R' (x - position), with matrices of
// frames multiplied by R'. The subspace's positions are carried along.
Eigen::VectorXd CarryState(const HandleSubspace& subspace, const Eigen::VectorXd& state, const SmallMatrix& R,
                           const SmallVector& position);

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_HANDLE_SUBSPACE_H_
