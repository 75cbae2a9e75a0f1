// The one gradient checker: every loss, energy, layer and implicit surface is held against it.
#ifndef SINEW_TESTS_SUPPORT_GRADIENT_CHECK_H_
#define SINEW_TESTS_SUPPORT_GRADIENT_CHECK_H_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>

namespace sinew {

// The gradient of f at x by central differences of fourth order: error O(step^4) where f is smooth enough.
inline Eigen::VectorXd NumericGradient(const std::function<double(const Eigen::VectorXd&)>& f, const Eigen::VectorXd& x,
                                       double step) {
  Eigen::VectorXd gradient(x.size());
  for (int i = 0; i < x.size(); ++i) {
    const auto at = [&](double offset) {
      Eigen::VectorXd moved = x;
      moved[i] += offset;
      return f(moved);
    };
    gradient[i] = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
  }
  return gradient;
}

// Largest difference between `gradient` and the numeric one, relative to the larger of their norms and `scale` (the
// size of a gradient that counts as large; keeps the check meaningful where the gradient vanishes).
inline double GradientError(const std::function<double(const Eigen::VectorXd&)>& f, const Eigen::VectorXd& x,
                            const Eigen::VectorXd& gradient, double step = 1e-4, double scale = 1e-3) {
  const Eigen::VectorXd numeric = NumericGradient(f, x, step);
  const double size = std::max({numeric.norm(), gradient.norm(), scale});
  const double error = (numeric - gradient).cwiseAbs().maxCoeff() / size;
  return std::isfinite(error) ? error : INFINITY;
}

}  // namespace sinew

#endif  // SINEW_TESTS_SUPPORT_GRADIENT_CHECK_H_
