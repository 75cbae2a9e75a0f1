// What the tests of layers share: noise, and the gradient checker on float matrices.
#ifndef SINEW_TESTS_OFFLINE_LEARN_LAYERS_LAYER_CHECKS_H_
#define SINEW_TESTS_OFFLINE_LEARN_LAYERS_LAYER_CHECKS_H_

#include <functional>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/learn/layers/graph.h"
#include "sinew/offline/learn/layers/matrix.h"
#include "tests/support/gradient_check.h"

namespace sinew::layers {

inline RowMatrix Noise(Eigen::Index rows, Eigen::Index columns, uint64_t seed) {
  Random random(seed);
  RowMatrix matrix(rows, columns);
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<float>(random.Normal());
  return matrix;
}

// The sum of all entries of y, each times its entry of `factors`: its gradient with respect to y is `factors`.
inline double Weighted(const RowMatrix& y, const RowMatrix& factors) {
  return y.cast<double>().cwiseProduct(factors.cast<double>()).sum();
}

inline Eigen::VectorXd Flat(const RowMatrix& x) {
  return Eigen::Map<const Eigen::VectorXf>(x.data(), x.size()).cast<double>();
}

// Error of the gradient `dx` of f at x. Layers compute in floats, so the step is large.
inline double FloatGradientError(const std::function<double(const RowMatrix&)>& f, const RowMatrix& x,
                                 const RowMatrix& dx, double step = 0.02) {
  const auto g = [&](const Eigen::VectorXd& values) {
    RowMatrix moved(x.rows(), x.cols());
    Eigen::Map<Eigen::VectorXf>(moved.data(), moved.size()) = values.cast<float>();
    return f(moved);
  };
  return GradientError(g, Flat(x), Flat(dx), step);
}

// Error that rounding and the step leave where a gradient is right.
inline constexpr double kGradientTolerance = 1e-3;

// The same bits on one thread and on several.
inline bool SameOnAllThreads(const std::function<RowMatrix()>& compute) {
  SetThreads(1);
  const RowMatrix one = compute();
  SetThreads(5);
  const RowMatrix five = compute();
  SetThreads(0);
  return one == five;
}

// Every node i is joined to i + 1 and to i + 3, around a ring, but for the last node, which stands alone.
inline std::vector<std::array<int, 2>> RingEdges(int nodes) {
  std::vector<std::array<int, 2>> edges;
  const int around = nodes - 1;
  for (int i = 0; i < around; ++i) {
    edges.push_back({i, (i + 1) % around});
    edges.push_back({i, (i + 3) % around});
  }
  return edges;
}

}  // namespace sinew::layers

#endif  // SINEW_TESTS_OFFLINE_LEARN_LAYERS_LAYER_CHECKS_H_
