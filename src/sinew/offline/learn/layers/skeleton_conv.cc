#include "sinew/offline/learn/layers/skeleton_conv.h"

#include <algorithm>

namespace sinew::layers {
namespace {

// Number of bones between two joints; a large number if they have no common root.
int BonesBetween(std::span<const int> parents, int a, int b) {
  int bones = 0;
  // Parents come before their children, so that the later of two joints is never above the other.
  for (; a != b; ++bones) {
    int& later = a > b ? a : b;
    later = parents[later];
    if (later < 0) return static_cast<int>(parents.size());
  }
  return bones;
}

}  // namespace

JointPairs PairsWithin(std::span<const int> parents, int distance) {
  const auto joints = static_cast<int>(parents.size());
  JointPairs pairs;
  for (int i = 0; i < joints; ++i) {
    for (int j = 0; j < joints; ++j) {
      if (i == j || BonesBetween(parents, i, j) <= std::min(distance, joints - 1)) pairs.push_back({i, j});
    }
  }
  return pairs;
}

void SkeletonConv(const JointPairs& pairs, const ConstRows& x, const ConstRows& W, const ConstRows& bias, Rows y) {
  if (bias.size() > 0) {
    y = bias;
  } else {
    y.setZero();
  }
  for (size_t p = 0; p < pairs.size(); ++p) {
    const auto [i, j] = pairs[p];
    y.row(i).noalias() += x.row(j) * W.middleRows(static_cast<Eigen::Index>(p) * x.cols(), x.cols());
  }
}

void SkeletonConvBackward(const JointPairs& pairs, const ConstRows& x, const ConstRows& W, const ConstRows& dy,
                          Rows* dx, Rows dW, Rows dbias) {
  for (size_t p = 0; p < pairs.size(); ++p) {
    const auto [i, j] = pairs[p];
    const Eigen::Index first = static_cast<Eigen::Index>(p) * x.cols();
    dW.middleRows(first, x.cols()).noalias() += x.row(j).transpose() * dy.row(i);
    if (dx != nullptr) dx->row(j).noalias() += dy.row(i) * W.middleRows(first, x.cols()).transpose();
  }
  if (dbias.size() > 0) dbias += dy;
}

void ChainSum(std::span<const int> parents, const ConstRows& x, Rows y) {
  for (Eigen::Index j = 0; j < x.rows(); ++j) {
    y.row(j) = x.row(j);
    if (parents[j] >= 0) y.row(j) += y.row(parents[j]);
  }
}

void ChainSumBackward(std::span<const int> parents, const ConstRows& dy, Rows dx) {
  RowMatrix below = dy;  // sums over a joint and all that hang from it
  for (Eigen::Index j = dy.rows() - 1; j >= 0; --j) {
    if (parents[j] >= 0) below.row(parents[j]) += below.row(j);
    dx.row(j) += below.row(j);
  }
}

}  // namespace sinew::layers
