#include "sinew/offline/learn/layers/activation.h"

namespace sinew::layers {
namespace {

void ActivateTile(const Activation& activation, const ConstRows& x, Rows y) {
  switch (activation.kind) {
    case ActivationKind::kTanh:
      y = x;
      learn::Tanh(y);
      return;
    case ActivationKind::kTanhShrink: {
      RowMatrix tanh = x;
      learn::Tanh(tanh);
      y = x - tanh;
      return;
    }
    case ActivationKind::kElu: {
      RowMatrix exp = x.cwiseMin(0.0f);
      learn::Exp(exp);
      y = (x.array() > 0).select(x, exp.array() - 1);
      return;
    }
    case ActivationKind::kLeakyRelu:
      y = (x.array() > 0).select(x, activation.slope * x);
      return;
    case ActivationKind::kRelu:
      y = x.cwiseMax(0.0f);
      return;
  }
}

// Returns the derivative of the activation at every entry of x.
RowMatrix SlopeTile(const Activation& activation, const ConstRows& x) {
  RowMatrix slope = x;
  switch (activation.kind) {
    case ActivationKind::kTanh:
      learn::Tanh(slope);
      return 1 - slope.array().square();
    case ActivationKind::kTanhShrink:
      learn::Tanh(slope);
      return slope.array().square();
    case ActivationKind::kElu:
      slope = slope.cwiseMin(0.0f);
      learn::Exp(slope);
      return slope;
    case ActivationKind::kLeakyRelu:
      return (x.array() > 0).select(RowMatrix::Ones(x.rows(), x.cols()), activation.slope);
    case ActivationKind::kRelu:
      break;
  }
  return (x.array() > 0).cast<float>();
}

// A plain loop: the order of the sum must not depend on where the row lies in memory, as it does in Eigen.
void SoftmaxRow(float* y, Eigen::Index count) {
  float sum = 0;
  for (Eigen::Index c = 0; c < count; ++c) sum += y[c];
  for (Eigen::Index c = 0; c < count; ++c) y[c] /= sum;
}

}  // namespace

void Activate(const Activation& activation, const ConstRows& x, Rows y) {
  ForTiles(x.rows(), [&](int begin, int count) {
    ActivateTile(activation, x.middleRows(begin, count), y.middleRows(begin, count));
  });
}

void ActivateBackward(const Activation& activation, const ConstRows& x, const ConstRows& dy, Rows dx) {
  ForTiles(x.rows(), [&](int begin, int count) {
    const RowMatrix slope = SlopeTile(activation, x.middleRows(begin, count));
    dx.middleRows(begin, count) += slope.cwiseProduct(dy.middleRows(begin, count));
  });
}

void RowSoftmax(const ConstRows& x, Rows y) {
  ForTiles(x.rows(), [&](int begin, int count) {
    auto tile = y.middleRows(begin, count);
    tile = x.middleRows(begin, count).colwise() - x.middleRows(begin, count).rowwise().maxCoeff().eval();
    learn::Exp(tile);
    for (int i = begin; i < begin + count; ++i) SoftmaxRow(&y(i, 0), y.cols());
  });
}

void RowSoftmaxBackward(const ConstRows& y, const ConstRows& dy, Rows dx) {
  ForTiles(y.rows(), [&](int begin, int count) {
    for (int i = begin; i < begin + count; ++i) {
      float sum = 0;
      for (Eigen::Index c = 0; c < y.cols(); ++c) sum += y(i, c) * dy(i, c);
      for (Eigen::Index c = 0; c < y.cols(); ++c) dx(i, c) += y(i, c) * (dy(i, c) - sum);
    }
  });
}

}  // namespace sinew::layers
