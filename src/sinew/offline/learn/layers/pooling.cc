#include "sinew/offline/learn/layers/pooling.h"

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

}  // namespace sinew::layers
