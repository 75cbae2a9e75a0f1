// Which directions a solution may take: orthogonal projections of vectors over all nodes, three numbers a node.
#ifndef SINEW_OFFLINE_ELASTICITY_PROJECTOR_H_
#define SINEW_OFFLINE_ELASTICITY_PROJECTOR_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

namespace sinew::elasticity {

// P = P^T = P^2.
class Projector {
 public:
  virtual ~Projector() = default;
  virtual void Apply(Eigen::VectorXd& v) const = 0;
};

// The nodes in the list stay where they are; an empty list lets everything move.
class PinnedNodes : public Projector {
 public:
  explicit PinnedNodes(std::vector<int> nodes) : nodes_(std::move(nodes)) {}
  void Apply(Eigen::VectorXd& v) const override;

 private:
  std::vector<int> nodes_;
};

// Nothing moves along a subspace (the null-space projection of contact-centric, section 4.3):
//   P = I - U (U^T U)^-1 U^T
// so what is solved for is what the subspace, such as a skinning rig's, cannot do. Nodes may be pinned besides. Columns
// of U that depend on each other do no harm.
class NullSpace : public Projector {
 public:
  // U: three rows a node, one column a direction.
  explicit NullSpace(const Eigen::SparseMatrix<double>& U, std::vector<int> pinned = {});
  void Apply(Eigen::VectorXd& v) const override;

 private:
  PinnedNodes pinned_;
  Eigen::SparseMatrix<double> U_;  // without the pinned rows
  Eigen::MatrixXd inverse_;        // of U^T U, its pseudo-inverse
};

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_PROJECTOR_H_
