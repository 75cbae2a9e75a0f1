// Pooling over all rows: the maximum of channels, skinning-based pooling of vertices to joints, and votes.
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

// Pools votes: every row votes for points in space, and says how sure it is of each. logits: rows by points. votes:
// rows by 3 times the points, x, y and z of each point together. The point is the mean of the votes, weighted by the
// softmax of its logits over all rows; its spread is the root of the weighted mean square of the votes' distances from
// it. Sets all rows of y to the same: the points, then the spread of each times `spread_scale`. Returns the weights,
// rows by points.
RowMatrix VotePool(const ConstRows& logits, const ConstRows& votes, float spread_scale, Rows y);
// Adds the gradients of logits and votes; weights, y: what VotePool() returned.
void VotePoolBackward(const ConstRows& votes, float spread_scale, const ConstRows& weights, const ConstRows& y,
                      const ConstRows& dy, Rows dlogits, Rows dvotes);

// Added to the mean square of distances before the root of a spread, which has no slope at zero otherwise.
inline constexpr float kMinSquaredSpread = 1e-6f;

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_POOLING_H_
