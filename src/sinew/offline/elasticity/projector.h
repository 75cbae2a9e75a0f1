// Orthogonal projectors that restrict the directions in which a solution may move. They act on vectors of three numbers
// per node.
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
  explicit PinnedNodes(std::vector<int> nodes) : nodes_(std::move(nodes)) {}
  void Apply(Eigen::VectorXd& v) const override;

 private:
  std::vector<int> nodes_;
};

// Projector that forbids all motion within a subspace (the null-space projection of contact-centric learning, doi
// 10.1145/3528223.3530182, section 4.3):
//   P = I - U (U^T U)^-1 U^T
// so that only those deformations are solved for which the subspace, such as that of a skinning rig, cannot express.
// Nodes may be pinned in addition. Linearly dependent columns of U are allowed.
class NullSpace : public Projector {
 public:
  // U: basis of the subspace, three rows per node and one column per direction. pinned: indices of nodes, may be empty.
  explicit NullSpace(const Eigen::SparseMatrix<double>& U, std::vector<int> pinned = {});
  void Apply(Eigen::VectorXd& v) const override;

 private:
  PinnedNodes pinned_;
  Eigen::SparseMatrix<double> U_;  // without the rows of pinned nodes
  Eigen::MatrixXd inverse_;        // pseudo-inverse of U^T U
};

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_PROJECTOR_H_
