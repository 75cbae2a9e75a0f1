// Small dense network with two hidden tanh layers (Zheng and Barbic 2024, section 5).
#ifndef SINEW_OFFLINE_LEARN_NETWORK_H_
#define SINEW_OFFLINE_LEARN_NETWORK_H_

#include <Eigen/Core>

namespace sinew::learn {

// Parameters of z = W3 tanh(W2 tanh(W1 x + b1) + b2) + b3. Inputs and outputs are in their original units: the
// standardisation of training is folded into W1, b1, W3 and b3.
struct Network {
  Eigen::MatrixXf W1, W2, W3;
  Eigen::VectorXf b1, b2, b3;

  int inputs() const { return static_cast<int>(W1.cols()); }
  int width() const { return static_cast<int>(W2.rows()); }
  int outputs() const { return static_cast<int>(W3.rows()); }
};

// Evaluates the network on all columns of `inputs`, one column per sample.
Eigen::MatrixXf Evaluate(const Network& network, const Eigen::MatrixXf& inputs);

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_NETWORK_H_
