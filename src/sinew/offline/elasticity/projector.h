// Orthogonal projectors that restrict the directions in which a solution may move.
#ifndef SINEW_OFFLINE_ELASTICITY_PROJECTOR_H_
#define SINEW_OFFLINE_ELASTICITY_PROJECTOR_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

namespace sinew::elasticity {

// Orthogonal projector: P = P^T = P^2.
class Projector {
 public:
  virtual ~Projector() = default;
  // Replaces v by P v.
  virtual void Apply(Eigen::VectorXd& v) const = 0;
};

// Projector that keeps the listed nodes where they are. With an empty list everything may move.
class PinnedNodes : public Projector {
 public:
  explicit PinnedNodes(std::vector<int> nodes, int dimension = 3) : nodes_(std::move(nodes)), dimension_(dimension) {}
  void Apply(Eigen::VectorXd& v) const override;

 private:
  std::vector<int> nodes_;
  int dimension_;  // coordinates per node
};

// Projector that forbids all motion within a subspace (the null-space projection of contact-centric learning, doi
// 10.1145/3528223.3530182, section 4.3):
//   P = I - U (U^T U)^-1 U^T
// so that only those deformations are solved for which the subspace, such as that of a skinning rig, cannot express.
// Handles move all coordinates alike: U = B x I (Kronecker product) with one number per node and column in B, so that
// one sparse product with B serves all coordinates. Nodes may be pinned in addition. Linearly dependent columns of B
// are allowed.
class NullSpace : public Projector {
 public:
  // B: one row per node. dimension: coordinates per node, 2 or 3; others throw UsageError. pinned: indices of nodes,
  // may be empty.
  NullSpace(const Eigen::SparseMatrix<double>& B, int dimension, const std::vector<int>& pinned = {});
  void Apply(Eigen::VectorXd& v) const override;

 private:
  template <int kDimension>
  void Project(Eigen::VectorXd& v) const;

  PinnedNodes pinned_;
  int dimension_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> B_;  // without the rows of pinned nodes
  Eigen::MatrixXd inverse_;                         // pseudo-inverse of B^T B
};

// Projector that allows motion within a subspace alone: what NullSpace forbids. See there for B and the dimension.
class RangeSpace : public Projector {
 public:
  RangeSpace(const Eigen::SparseMatrix<double>& B, int dimension) : null_space_(B, dimension) {}
  void Apply(Eigen::VectorXd& v) const override;

 private:
  NullSpace null_space_;
};

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_PROJECTOR_H_
