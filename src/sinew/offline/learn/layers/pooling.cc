#include "sinew/offline/learn/layers/pooling.h"

#include <cmath>

namespace sinew::layers {
namespace {

// 1 / (sum of the joint's weights); 0 for a joint without weight.
Eigen::VectorXf InverseMass(const ConstRows& weights) {
  std::vector<float> mass(static_cast<size_t>(weights.cols()), 0);
  AddColumnSums(weights, mass);
  Eigen::VectorXf inverse(weights.cols());
  for (Eigen::Index j = 0; j < weights.cols(); ++j) inverse[j] = mass[j] > 0 ? 1 / mass[j] : 0;
  return inverse;
}

}  // namespace

std::vector<int> ChannelMax(const ConstRows& x, int channels, Rows y) {
  std::vector<int> chosen(channels, 0);
  for (int i = 1; i < x.rows(); ++i) {
    for (int c = 0; c < channels; ++c) {
      if (x(i, c) > x(chosen[c], c)) chosen[c] = i;
    }
  }
  Eigen::RowVectorXf most(channels);
  for (int c = 0; c < channels; ++c) most[c] = x(chosen[c], c);
  ForTiles(x.rows(), [&](int begin, int count) {
    y.middleRows(begin, count) = x.middleRows(begin, count);
    y.middleRows(begin, count).leftCols(channels).rowwise() = most;
  });
  return chosen;
}

void ChannelMaxBackward(std::span<const int> chosen, const ConstRows& dy, Rows dx) {
  const auto channels = static_cast<Eigen::Index>(chosen.size());
  std::vector<float> sums(chosen.size(), 0);
  AddColumnSums(dy.leftCols(channels), sums);
  for (Eigen::Index c = 0; c < channels; ++c) dx(chosen[c], c) += sums[c];
  const Eigen::Index rest = dy.cols() - channels;
  ForTiles(dy.rows(), [&](int begin, int count) {
    dx.middleRows(begin, count).rightCols(rest) += dy.middleRows(begin, count).rightCols(rest);
  });
}

void SkinningPool(const ConstRows& weights, const ConstRows& x, Rows y) {
  y.setZero();
  AddTransposedTimes(weights, x, y);
  y.array().colwise() *= InverseMass(weights).array();
}

// With m_j the sum of the joint's weights, y_j = sum_i w_ij x_i / m_j:
//   d w_ij = dy_j . (x_i - y_j) / m_j,  dx_i = sum_j w_ij dy_j / m_j.
void SkinningPoolBackward(const ConstRows& weights, const ConstRows& x, const ConstRows& y, const ConstRows& dy,
                          Rows* dweights, Rows* dx) {
  const RowMatrix scaled = dy.array().colwise() * InverseMass(weights).array();
  if (dweights != nullptr) {
    AddTimesTransposed(x, scaled, *dweights);
    Eigen::RowVectorXf own = Eigen::RowVectorXf::Zero(weights.cols());
    for (Eigen::Index j = 0; j < y.rows(); ++j) {
      for (Eigen::Index c = 0; c < y.cols(); ++c) own[j] += scaled(j, c) * y(j, c);
    }
    dweights->rowwise() -= own;
  }
  if (dx != nullptr) AddTimesTransposed(weights, RowMatrix(scaled.transpose()), *dx);
}

RowMatrix VotePool(const ConstRows& logits, const ConstRows& votes, float spread_scale, Rows y) {
  const auto points = static_cast<int>(logits.cols());
  RowMatrix weights = (logits.rowwise() - logits.colwise().maxCoeff()).array().exp();
  ParallelFor(points, 1, [&](int j) {
    const Eigen::VectorXd w = weights.col(j).cast<double>() / weights.col(j).cast<double>().sum();
    const Eigen::MatrixXd at = votes.middleCols(3 * j, 3).cast<double>();
    const Eigen::RowVector3d point = w.transpose() * at;
    const double square = w.dot((at.rowwise() - point).rowwise().squaredNorm()) + double{kMinSquaredSpread};
    weights.col(j) = w.cast<float>();
    y.middleCols(3 * j, 3).rowwise() = point.cast<float>();
    y.col(3 * points + j).setConstant(spread_scale * static_cast<float>(std::sqrt(square)));
  });
  return weights;
}

// With weights w_i, votes v_i, point m = sum w_i v_i, s^2 = sum w_i |v_i - m|^2 + constant, and gradients dm and ds:
//   dv_i = w_i (dm + ds (v_i - m) / s)        (the point's own move does not change s, for sum w_i (v_i - m) = 0)
//   dw_i = dm . v_i + ds |v_i - m|^2 / (2 s),  dlogit_i = w_i (dw_i - sum w_k dw_k).
void VotePoolBackward(const ConstRows& votes, float spread_scale, const ConstRows& weights, const ConstRows& y,
                      const ConstRows& dy, Rows dlogits, Rows dvotes) {
  const auto points = static_cast<int>(weights.cols());
  ParallelFor(points, 1, [&](int j) {
    const Eigen::RowVector3d m = y.row(0).segment(3 * j, 3).cast<double>();
    const Eigen::RowVector3d dm = dy.middleCols(3 * j, 3).cast<double>().colwise().sum();
    const double s = y(0, 3 * points + j) / spread_scale;
    const double ds = spread_scale * dy.col(3 * points + j).cast<double>().sum();
    const Eigen::VectorXd w = weights.col(j).cast<double>();
    const Eigen::MatrixXd apart = votes.middleCols(3 * j, 3).cast<double>().rowwise() - m;
    const Eigen::VectorXd dw = apart * dm.transpose() + ds / (2 * s) * apart.rowwise().squaredNorm();
    const Eigen::MatrixXd moves = (apart * (ds / s)).rowwise() + dm;
    dvotes.middleCols(3 * j, 3) += (moves.array().colwise() * w.array()).matrix().cast<float>();
    dlogits.col(j) += (w.array() * (dw.array() - w.dot(dw))).matrix().cast<float>();
  });
}

}  // namespace sinew::layers
