// Activations, and the softmax of each row.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_ACTIVATION_H_
#define SINEW_OFFLINE_LEARN_LAYERS_ACTIVATION_H_

#include "sinew/offline/learn/layers/matrix.h"

namespace sinew::layers {

enum class ActivationKind {
  kTanh,
  kTanhShrink,  // x - tanh x
  kElu,         // x where positive, otherwise exp x - 1
  kLeakyRelu,   // x where positive, otherwise slope times x
  kRelu,
};

struct Activation {
  ActivationKind kind = ActivationKind::kTanh;
  float slope = 0.2f;  // of LeakyReLU for negative x
};

// Sets y to the activation of every entry of x. y may be x.
void Activate(const Activation& activation, const ConstRows& x, Rows y);
// Adds the gradient of x for the gradient `dy` of y.
void ActivateBackward(const Activation& activation, const ConstRows& x, const ConstRows& dy, Rows dx);

// Sets every row of y to the softmax of the row of x. y may be x.
void RowSoftmax(const ConstRows& x, Rows y);
// Adds the gradient of x. y: what RowSoftmax() returned.
void RowSoftmaxBackward(const ConstRows& y, const ConstRows& dy, Rows dx);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_ACTIVATION_H_
