#include "sinew/offline/learn/share_network.h"

#include <cmath>

#include "sinew/offline/learn/network_layers.h"

namespace sinew::learn {
namespace {

constexpr float kSmooth = 0.01F;  // differences of shares below which the loss is about their square

// The layers of a network as the products take them.
struct Layers {
  RowMatrix W1, W2, W3;
  Eigen::VectorXf b1, b2, b3;
};

RowMatrix Affine(const RowMatrix& W, const Eigen::VectorXf& b, const RowMatrix& x) {
  RowMatrix y(W.rows(), x.cols());
  Product(W, x, y);
  y.colwise() += b;
  return y;
}

// Columns of z become softmax(log(prior + floor) + z).
void TakeShares(const RowMatrix& priors, RowMatrix& z) {
  z.array() += (priors.array() + kShareFloor).log();
  z.rowwise() -= Eigen::RowVectorXf(z.colwise().maxCoeff());
  Exp(z);
  z.array().rowwise() /= Eigen::ArrayXXf(z.colwise().sum()).row(0);
}

struct Pass {
  RowMatrix h1, h2, shares;
};
Pass Forward(const Layers& layers, const RowMatrix& inputs, const RowMatrix& priors) {
  Pass pass;
  pass.h1 = Affine(layers.W1, layers.b1, inputs);
  Tanh(pass.h1);
  pass.h2 = Affine(layers.W2, layers.b2, pass.h1);
  Tanh(pass.h2);
  pass.shares = Affine(layers.W3, layers.b3, pass.h2);
  TakeShares(priors, pass.shares);
  return pass;
}

Layers LayersOf(const NetworkShape& shape, const float* parameters) {
  const ConstLayers views(shape, parameters);
  const Eigen::Map<const Eigen::VectorXf> b3(parameters + shape.parameter_count(), shape.outputs);
  return {views.W1, views.W2, views.W3, views.b1, views.b2, b3};
}

}  // namespace

double ShareLoss(const NetworkShape& shape, const float* parameters, const ShareSamples& samples, float* gradient) {
  const Layers layers = LayersOf(shape, parameters);
  const Pass pass = Forward(layers, samples.inputs, samples.priors);
  const Eigen::ArrayXXf difference = (pass.shares - samples.targets).array();
  const Eigen::ArrayXXf length = (difference.square() + kSmooth * kSmooth).sqrt();
  const double loss = (length - kSmooth).cast<double>().sum();
  if (gradient == nullptr) return loss;

  const RowMatrix slope = (difference / length).matrix();
  const Eigen::RowVectorXf along = slope.cwiseProduct(pass.shares).colwise().sum();
  const RowMatrix d3 = pass.shares.cwiseProduct(slope.rowwise() - along);  // through softmax
  MutableLayers d(shape, gradient);
  Eigen::Map<Eigen::VectorXf> db3(gradient + shape.parameter_count(), shape.outputs);
  ProductTransposed(d3, pass.h2, d.W3);
  db3 = d3.rowwise().sum();
  RowMatrix d2(shape.width, d3.cols()), d1(shape.width, d3.cols());
  Product(RowMatrix(layers.W3.transpose()), d3, d2);
  ThroughTanh(pass.h2, d2);
  ProductTransposed(d2, pass.h1, d.W2);
  d.b2 = d2.rowwise().sum();
  Product(RowMatrix(layers.W2.transpose()), d2, d1);
  ThroughTanh(pass.h1, d1);
  ProductTransposed(d1, samples.inputs, d.W1);
  d.b1 = d1.rowwise().sum();
  return loss;
}

Network ShareNetwork(const NetworkShape& shape, const float* parameters) {
  const Layers layers = LayersOf(shape, parameters);
  return {layers.W1, layers.W2, layers.W3, layers.b1, layers.b2, layers.b3};
}

RowMatrix CorrectShares(const Network& network, const RowMatrix& inputs, const RowMatrix& priors) {
  return Forward({network.W1, network.W2, network.W3, network.b1, network.b2, network.b3}, inputs, priors).shares;
}

}  // namespace sinew::learn
