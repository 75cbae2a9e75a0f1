#include "sinew/offline/learn/network.h"

#include "sinew/offline/learn/dense.h"

namespace sinew::learn {

Eigen::MatrixXf Evaluate(const Network& network, const Eigen::MatrixXf& inputs) {
  const auto layer = [](const Eigen::MatrixXf& W, const Eigen::VectorXf& b, const RowMatrix& x) {
    RowMatrix y(W.rows(), x.cols());
    Product(RowMatrix(W), x, y);
    y.colwise() += b;
    return y;
  };
  RowMatrix h = layer(network.W1, network.b1, inputs);
  Tanh(h);
  h = layer(network.W2, network.b2, h);
  Tanh(h);
  return layer(network.W3, network.b3, h);
}

}  // namespace sinew::learn
