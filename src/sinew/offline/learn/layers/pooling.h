// Pooling over all rows: the maximum of channels, and skinning-based pooling of vertices to joints.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_POOLING_H_
#define SINEW_OFFLINE_LEARN_LAYERS_POOLING_H_

#include <vector>

#include "sinew/offline/learn/layers/matrix.h"

namespace sinew::layers {

// Sets y = x, but for the first `channels` columns, which become their maximum over all rows. Returns the row that each
// maximum comes from, the first of equal ones. y may be x. There must be a row.
std::vector<int> ChannelMax(const ConstRows& x, int channels, Rows y);
// Adds the gradient of x. chosen: what ChannelMax() returned.
void ChannelMaxBackward(std::span<const int> chosen, const ConstRows& dy, Rows dx);

// Skinning-based pooling (P. Li et al., "Learning Skeletal Articulations with Neural Blend Shapes", 2021, Eq. 1): row j
// of y is the mean of the rows of x, weighted by column j of `weights`. A joint without weight gets zeros. weights:
// rows of x by joints. y: joints by columns of x.
void SkinningPool(const ConstRows& weights, const ConstRows& x, Rows y);
// Adds the gradients of the weights and of x for the gradient `dy` of y; either may be null. y: what SkinningPool()
// returned.
void SkinningPoolBackward(const ConstRows& weights, const ConstRows& x, const ConstRows& y, const ConstRows& dy,
                          Rows* dweights, Rows* dx);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_POOLING_H_
