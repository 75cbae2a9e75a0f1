// Losses of section 3.5 and their gradient with respect to the field's parameters, derived by hand.
//
//   X_v     = sum_j w_vj T_j x_v                                                   equation 1
//   DM      = sum_v |L(X)_v - B_v L(rest)_v|^2                                      equation 4
//   loc     = sum_v ((|X_v - T_s a_v| - d_v) / (d_v + 1e-2 cm))^2 over springs       equation 5
//   sp      = sum_v |sum_j (w_vj - Top[l](w)_vj) T_j x_v|^2                          equation 6
//   guide   = sum_v sum_j s_vj (w_vj - target_vj)^2 over guides, in every pose
//   col     = sum_v delta^2 ln(1 + (depth_v / delta)^2)                              collider.h
//   L       = (lambda_DM DM + lambda_loc loc + ...) / (vertices poses)               equation 7
//
// x_v is vertex v at rest, w_vj its weight for joint j, T_j the skinning matrix of joint j in the pose. A spring of
// rest length d_v leads from vertex v to its anchor a_v, which moves with joint s. s_vj is the strength of a guide.
//
// DM, sp and col are divided by the mean square of the edge lengths, so that no loss depends on the file's unit. Where
// the paper has cm, the unit box is taken for that of a body of kPaperBox cm. B_v is the joints' rotations blended by
// the same weights, as quaternions; its derivative is part of the gradient. Top[l](w) is scaled to sum 1, as it would
// be shipped: only then does equation 6 not depend on where the origin is. docs/papers/skincells.md says why.
#ifndef SINEW_OFFLINE_SKINCELLS_OBJECTIVE_H_
#define SINEW_OFFLINE_SKINCELLS_OBJECTIVE_H_

#include <span>
#include <vector>

#include "sinew/offline/skincells/cell_block.h"
#include "sinew/offline/skincells/training_set.h"

namespace sinew::skincells {

constexpr double kPaperBox = 170;  // longest side of the unit box in cm
// Number of poses per batch: each is a lane of the inner loops.
constexpr int kBatch = 16;

// Factors lambda of equation 7.
struct LossWeights {
  double dm = 1;
  double loc = 0.24;
  double sp = 1;
  double guide = 1;
  double col = 5;
};

// Factor for LossWeights::loc on this mesh, with which coarse and fine meshes of a body come to the same balance of
// smoothness and location. It is a power of the edge length, 1 where edges are as long as on the meshes that lambda_loc
// was chosen on.
double LocationBalance(const TrainingSet& set);

// Losses without their factors, as means over vertices and poses; total is equation 7.
struct Losses {
  double dm = 0, loc = 0, sp = 0, guide = 0, col = 0, total = 0;

  bool operator==(const Losses&) const = default;
};

// Evaluates the losses and their gradient. Scalar: float to optimise, double for checks.
template <typename Scalar>
class Objective {
 public:
  // set: must outlive the objective. sites: number per cell; there is one cell per joint of the set.
  Objective(const TrainingSet& set, int sites, int l, const LossWeights& weights);

  // Returns the losses of a batch. poses: kBatch indices into the set's poses. relax: see MakeCellTable. gradient:
  // overwritten; may be null. The result has the same bits whatever the number of threads.
  Losses Evaluate(const Eigen::VectorXd& parameters, std::span<const int> poses, double relax,
                  Eigen::VectorXd* gradient);

 private:
  using Block = CellBlock<Scalar>;
  using Rows = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Columns = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Row = Eigen::Array<Scalar, 3 * kBatch, 1>;
  using RowRef = Eigen::Map<Row>;
  using ConstRow = Eigen::Map<const Row>;

  void LoadPoses(std::span<const int> poses);
  Losses SkinBlock(int block, bool slopes);
  double LaplacianBlock(int block, bool slopes);
  void GradientBlock(int block, Eigen::VectorXd& gradient);
  void AddGradients(Eigen::VectorXd& gradient);
  // 1 / edge^2, which makes losses that are squared lengths dimensionless.
  double Scale() const { return 1 / (set_.edge * set_.edge); }
  double SpringLoss(int vertex);
  double SparsityLoss(int block, bool slopes);
  double GuideLoss(int block);
  double CollisionLoss(int vertex);
  void SkinDense(int block);
  void SkinSparse(int block);
  void BlendRotations(int block, Rows& quaternions) const;
  void RotationSlopes(int block, const Rows& turned);
  void SkinSlopes(int block, std::vector<typename Block::Lanes>& slopes) const;
  Columns Spread(int block, const std::vector<typename Block::Lanes>& weights) const;
  void Gather(int block, const Columns& spread, std::vector<typename Block::Lanes>& slopes) const;
  int BlockSize(int block) const { return std::min(kBlock, set_.vertex_count() - block * kBlock); }

  const TrainingSet& set_;
  const int sites_;
  const int l_;
  const LossWeights weights_;
  std::vector<int> batch_;            // indices of the batch's poses
  std::vector<size_t> first_guides_;  // per block and one more: index of its first guide
  CellTable<Scalar> table_;
  std::vector<Block> blocks_;
  // False where c = 0 leaves a point l joints of many: products with whole matrices would mostly multiply by zero.
  bool dense_ = true;
  std::vector<std::vector<uint16_t>> carriers_;             // per block, kBlock * l: the cells that carry a point
  std::vector<std::vector<uint8_t>> carrier_count_;         // per block, per point
  std::vector<std::vector<typename Block::Lanes>> slopes_;  // per block, per cell: dL/dw
  Rows T_;                                                  // 4 n x 3 kBatch: row 4 j + i, column a kBatch + pose
  Rows Q_;                                                  // n x 4 kBatch: quaternions, x y z w
  Rows X_;                                                  // vertices x 3 kBatch
  Rows G_;                                                  // dL/dX, of springs
  Rows R_;  // vertices x 3 kBatch: 2 lambda r / degree, r the residual of equation 4
};

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_OBJECTIVE_H_
