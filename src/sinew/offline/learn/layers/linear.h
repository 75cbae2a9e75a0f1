// Linear layer: y = x W + b, with one row of x and y per vertex or edge.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_LINEAR_H_
#define SINEW_OFFLINE_LEARN_LAYERS_LINEAR_H_

#include "sinew/offline/learn/layers/matrix.h"

namespace sinew::layers {

// W: inputs by outputs. b: one number per output, or empty: no bias. y: rows of x by outputs.
void Linear(const ConstRows& x, const ConstRows& W, std::span<const float> b, Rows y);

// Adds the gradients of x, W and b for the gradient `dy` of y. dx: may be null. db: empty if there is no bias.
void LinearBackward(const ConstRows& x, const ConstRows& W, const ConstRows& dy, Rows* dx, Rows dW,
                    std::span<float> db);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_LINEAR_H_
