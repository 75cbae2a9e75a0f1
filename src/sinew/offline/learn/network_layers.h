// Matrix views into the parameters of a network that is stored as one row of numbers, W1 b1 W2 b2 W3.
#ifndef SINEW_OFFLINE_LEARN_NETWORK_LAYERS_H_
#define SINEW_OFFLINE_LEARN_NETWORK_LAYERS_H_

#include "sinew/offline/learn/dense.h"
#include "sinew/offline/learn/fit_network.h"

namespace sinew::learn {

// p: shape.parameter_count() numbers, which must outlive the views; matrices are row-major.
template <typename Number, typename Matrix, typename Column>
struct NetworkLayers {
  NetworkLayers(const NetworkShape& s, Number* p)
      : W1(p, s.width, s.inputs),
        b1(p + s.width * s.inputs, s.width),
        W2(p + s.width * (s.inputs + 1), s.width, s.width),
        b2(p + s.width * (s.inputs + 1 + s.width), s.width),
        W3(p + s.width * (s.inputs + 2 + s.width), s.outputs, s.width) {}
  Matrix W1;
  Column b1;
  Matrix W2;
  Column b2;
  Matrix W3;
};
using ConstLayers = NetworkLayers<const float, Eigen::Map<const RowMatrix>, Eigen::Map<const Eigen::VectorXf>>;
using MutableLayers = NetworkLayers<float, Eigen::Map<RowMatrix>, Eigen::Map<Eigen::VectorXf>>;

// Backpropagates through tanh, whose derivative is 1 - h^2.
inline void ThroughTanh(const RowMatrix& h, RowMatrix& gradient) { gradient.array() *= 1 - h.array().square(); }

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_NETWORK_LAYERS_H_
