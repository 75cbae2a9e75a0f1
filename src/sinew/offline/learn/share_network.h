// Small network that corrects shares, such as skin weights: numbers of a sample that are not negative and sum to 1. Its
// answer is softmax(log(prior + floor) + z(x)), with z a network with two hidden tanh layers: an untrained one, z = 0,
// all but leaves the prior as it is.
#ifndef SINEW_OFFLINE_LEARN_SHARE_NETWORK_H_
#define SINEW_OFFLINE_LEARN_SHARE_NETWORK_H_

#include "sinew/offline/learn/dense.h"
#include "sinew/offline/learn/fit_network.h"
#include "sinew/offline/learn/network.h"

namespace sinew::learn {

// Added to every prior, so that a share of zero can grow.
constexpr float kShareFloor = 1e-3F;

// Samples to learn from, one column each.
struct ShareSamples {
  RowMatrix inputs, priors, targets;
};

// Number of parameters in one row: those of NetworkShape, then b3.
inline int ShareParameterCount(const NetworkShape& shape) { return shape.parameter_count() + shape.outputs; }

// Returns the sum over the samples of |answer - target|, summed over shares and smooth near zero, and computes its
// gradient unless that is null. parameters, gradient: ShareParameterCount() numbers.
double ShareLoss(const NetworkShape& shape, const float* parameters, const ShareSamples& samples, float* gradient);

// Returns the network with these parameters.
Network ShareNetwork(const NetworkShape& shape, const float* parameters);

// Returns corrected shares. inputs, priors: one column per sample. A column of the result depends on the same column of
// these alone.
RowMatrix CorrectShares(const Network& network, const RowMatrix& inputs, const RowMatrix& priors);

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_SHARE_NETWORK_H_
