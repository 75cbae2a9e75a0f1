// Convolution on the joints of a skeleton (K. Aberman et al., "Skeleton-Aware Networks for Deep Motion Retargeting",
// 2020, as P. Li et al., "Learning Skeletal Articulations with Neural Blend Shapes", 2021, use it), and sums along the
// chains of its joints.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_SKELETON_CONV_H_
#define SINEW_OFFLINE_LEARN_LAYERS_SKELETON_CONV_H_

#include <array>
#include <span>
#include <vector>

#include "sinew/offline/learn/layers/matrix.h"

namespace sinew::layers {

// Pairs of joints, those that a joint sees beside each other: sorted by the joint that sees, then by the one seen.
using JointPairs = std::vector<std::array<int, 2>>;

// Returns all pairs of joints that are at most `distance` bones apart, each joint with itself included. parents: -1 for
// a root; parents come before their children.
JointPairs PairsWithin(std::span<const int> parents, int distance);

// Sets row i of y to the sum over the pairs (i, j) of x_j W_ij, plus row i of `bias`. W: the matrices of all pairs
// below each other, each of them channels of x by channels of y. bias: joints by channels of y, or empty.
void SkeletonConv(const JointPairs& pairs, const ConstRows& x, const ConstRows& W, const ConstRows& bias, Rows y);
// Adds the gradients of x, W and bias for the gradient `dy` of y. dx: may be null. dbias: may be empty.
void SkeletonConvBackward(const JointPairs& pairs, const ConstRows& x, const ConstRows& W, const ConstRows& dy,
                          Rows* dx, Rows dW, Rows dbias);

// Sets every row of y to the sum of the rows of x from the root down to it: offsets become places.
void ChainSum(std::span<const int> parents, const ConstRows& x, Rows y);
// Adds the gradient of x.
void ChainSumBackward(std::span<const int> parents, const ConstRows& dy, Rows dx);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_SKELETON_CONV_H_
