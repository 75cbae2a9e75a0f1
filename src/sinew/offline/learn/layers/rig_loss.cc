#include "sinew/offline/learn/layers/rig_loss.h"

#include <algorithm>
#include <numeric>

namespace sinew::layers {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using RowMatrixXd = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// What joints do to points in a pose: T_j x = turn_j x + move_j.
struct Transforms {
  std::vector<Matrix3d> turns;
  // With turn_p that of the parent and p_j the joint, move_j = move_p + slide_j p_j: the joint stays where its parent
  // moves it.
  std::vector<Matrix3d> slides;
  std::vector<Vector3d> moves;
};

// Forward kinematics: local rotations, accumulated along the chains.
Transforms TransformsOf(std::span<const int> parents, const RowMatrixXd& joints, const RigPose& pose) {
  Transforms made;
  for (size_t j = 0; j < parents.size(); ++j) {
    const auto row = static_cast<Eigen::Index>(j);
    const Matrix3d local =
        Eigen::Map<const Eigen::Matrix<float, 3, 3, Eigen::RowMajor>>(pose.row(row).data()).cast<double>();
    const Matrix3d above = parents[j] < 0 ? Matrix3d(Matrix3d::Identity()) : made.turns[parents[j]];
    made.turns.push_back(above * local);
    made.slides.push_back(above - made.turns[j]);
    made.moves.push_back(made.slides[j] * joints.row(row).transpose());
    if (parents[j] >= 0) made.moves[j] += made.moves[parents[j]];
  }
  return made;
}

// Eqs. 2 and 3: every point by the sum of what joints do to it.
RowMatrixXd Skin(const Transforms& transforms, const RowMatrixXd& points, const RowMatrixXd& weights) {
  RowMatrixXd posed = RowMatrixXd::Zero(points.rows(), 3);
  for (size_t j = 0; j < transforms.turns.size(); ++j) {
    const RowMatrixXd moved = (points * transforms.turns[j].transpose()).rowwise() + transforms.moves[j].transpose();
    posed += (moved.array().colwise() * weights.col(static_cast<Eigen::Index>(j)).array()).matrix();
  }
  return posed;
}

// Weights of vertices from those of edges, and back.
struct EdgeMeans {
  explicit EdgeMeans(const RigTruth& truth) : ends(truth.ends), counts(truth.points.rows(), 0) {
    for (const auto& [a, b] : ends) ++counts[a], ++counts[b];
  }
  double Share(int vertex) const { return 1.0 / std::max(1, counts[vertex]); }
  RowMatrixXd Gather(const ConstRows& edges, Eigen::Index joints) const {
    RowMatrixXd means = RowMatrixXd::Zero(static_cast<Eigen::Index>(counts.size()), joints);
    for (size_t e = 0; e < ends.size(); ++e) {
      for (const int v : ends[e]) {
        means.row(v) += Share(v) * edges.row(static_cast<Eigen::Index>(e)).head(joints).cast<double>();
      }
    }
    return means;
  }
  void Scatter(const RowMatrixXd& dmeans, RowMatrix& gradient) const {
    for (size_t e = 0; e < ends.size(); ++e) {
      for (const int v : ends[e]) {
        gradient.row(static_cast<Eigen::Index>(e)).head(dmeans.cols()) += (Share(v) * dmeans.row(v)).cast<float>();
      }
    }
  }

  const std::vector<std::array<int, 2>>& ends;
  std::vector<int> counts;
};

// The largest weights of every row, renormalised; of equal ones the first are kept.
struct Strongest {
  Strongest(const RowMatrixXd& weights, int count) : kept(weights), sums(weights.rows()) {
    std::vector<int> order(static_cast<size_t>(weights.cols()));
    for (Eigen::Index v = 0; v < weights.rows(); ++v) {
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return weights(v, a) > weights(v, b); });
      for (size_t k = static_cast<size_t>(count); k < order.size(); ++k) kept(v, order[k]) = 0;
      sums[v] = std::max(kept.row(v).sum(), kLeast);
      kept.row(v) /= sums[v];
    }
  }
  // With w' = w / s over the kept weights: dw_k = (dw'_k - sum_l dw'_l w'_l) / s.
  RowMatrixXd Backward(const RowMatrixXd& dkept) const {
    const Eigen::VectorXd along = dkept.cwiseProduct(kept).rowwise().sum();
    RowMatrixXd dweights = (dkept.colwise() - along).array().colwise() / sums.array();
    return (kept.array() > 0).select(dweights, 0);
  }

  static constexpr double kLeast = 1e-12;
  RowMatrixXd kept;
  Eigen::VectorXd sums;
};

// Values and gradients of one evaluation, in the space of the answer's weights and places.
struct Evaluation {
  const RigLossOptions& options;
  const RigTruth& truth;
  RowMatrixXd weights, joints;  // as predicted
  RowMatrixXd dweights, djoints;
  double loss = 0;

  RowMatrixXd TrueJoints() const { return truth.joints.cast<double>(); }
  Eigen::VectorXd Shares() const {
    return Eigen::Map<const Eigen::VectorXf>(truth.shares.data(), truth.points.rows()).cast<double>();
  }

  // Eq. 6, L_w.
  void AddWeights() {
    const RowMatrixXd residual = weights - truth.weights.cast<double>();
    loss += options.weights * Shares().dot(residual.rowwise().squaredNorm());
    dweights += 2 * options.weights * (residual.array().colwise() * Shares().array()).matrix();
  }

  // Eq. 6, L_s: offsets of all joints from their parents, the root's from the origin.
  void AddOffsets() {
    const RowMatrixXd residual = joints - TrueJoints();
    for (int j = 0; j < options.joints(); ++j) {
      const int parent = options.parents[j];
      Eigen::RowVector3d off = residual.row(j);
      if (parent >= 0) off -= residual.row(parent);
      const double factor = options.scale * options.scale * (options.offsets + (parent < 0 ? options.root : 0));
      loss += factor * off.squaredNorm();
      djoints.row(j) += 2 * factor * off;
      if (parent >= 0) djoints.row(parent) -= 2 * factor * off;
    }
  }

  // Eqs. 2 to 4: distances of vertices in a pose.
  void AddPose(const RigPose& pose, double factor) {
    const RowMatrixXd points = truth.points.cast<double>();
    const Transforms own = TransformsOf(options.parents, joints, pose);
    const RowMatrixXd truly =
        Skin(TransformsOf(options.parents, TrueJoints(), pose), points, truth.weights.cast<double>());
    const RowMatrixXd residual = Skin(own, points, weights) - truly;
    factor *= options.scale * options.scale;
    loss += factor * Shares().dot(residual.rowwise().squaredNorm());  // Eq. 4
    const RowMatrixXd dposed = 2 * factor * (residual.array().colwise() * Shares().array()).matrix();
    std::vector<Vector3d> dmoves;
    for (Eigen::Index j = 0; j < weights.cols(); ++j) {
      const RowMatrixXd moved = (points * own.turns[j].transpose()).rowwise() + own.moves[j].transpose();
      dweights.col(j) += dposed.cwiseProduct(moved).rowwise().sum();
      dmoves.emplace_back(dposed.transpose() * weights.col(j));
    }
    for (int j = options.joints() - 1; j >= 0; --j) {
      djoints.row(j) += (own.slides[j].transpose() * dmoves[j]).transpose();
      if (options.parents[j] >= 0) dmoves[options.parents[j]] += dmoves[j];
    }
  }
};

}  // namespace

RowMatrix PoseSurface(std::span<const int> parents, const ConstRows& points, const ConstRows& weights,
                      const ConstRows& joints, const RigPose& pose) {
  const RowMatrixXd places = joints.cast<double>();
  return Skin(TransformsOf(parents, places, pose), points.cast<double>(), weights.cast<double>()).cast<float>();
}

double RigLoss(const RigLossOptions& options, const RigTruth& truth, const ConstRows& answer,
               std::span<const RigPose> poses, RowMatrix* gradient) {
  const int joints = options.joints();
  const EdgeMeans edges(truth);
  const RowMatrixXd means = edges.Gather(answer, joints);
  const Strongest strongest(means, options.influences > 0 ? std::min(options.influences, joints) : joints);
  RowMatrixXd places(joints, 3);
  for (int k = 0; k < 3 * joints; ++k) {
    places(k / 3, k % 3) = options.means[k] + options.deviation * double{answer(0, joints + k)};
  }
  const bool all = options.influences <= 0;
  Evaluation at{.options = options,
                .truth = truth,
                .weights = all ? means : strongest.kept,
                .joints = places,
                .dweights = RowMatrixXd::Zero(means.rows(), joints),
                .djoints = RowMatrixXd::Zero(joints, 3)};
  at.AddWeights();
  at.AddOffsets();
  for (size_t k = 0; k < options.poses.size(); ++k) at.AddPose(poses[k], options.poses[k]);
  if (gradient == nullptr) return at.loss;
  gradient->setZero(answer.rows(), answer.cols());
  edges.Scatter(all ? at.dweights : strongest.Backward(at.dweights), *gradient);
  for (int k = 0; k < 3 * joints; ++k) {
    (*gradient)(0, joints + k) += static_cast<float>(options.deviation * at.djoints(k / 3, k % 3));
  }
  return at.loss;
}

}  // namespace sinew::layers
