// Adam optimiser (D. P. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", 2015, algorithm 1 in the form
// of its section 2, which puts both bias corrections into the step size).
#ifndef SINEW_OFFLINE_LEARN_ADAM_H_
#define SINEW_OFFLINE_LEARN_ADAM_H_

#include <cmath>
#include <cstddef>
#include <span>

namespace sinew::learn {

struct AdamOptions {
  double beta1 = 0.9, beta2 = 0.999;  // decay rates of the two moments
  // Added to the root of the second moment as it is. Algorithm 1 adds it to the root of the corrected moment: for that,
  // give sqrt(1 - beta2^t) times its epsilon.
  double epsilon = 1e-8;
};

// Step size of step t = 1, 2, ...: the learning rate with both bias corrections.
inline double AdamScale(int t, double rate, const AdamOptions& options = {}) {
  return rate * std::sqrt(1 - std::pow(options.beta2, t)) / (1 - std::pow(options.beta1, t));
}

// Updates the moments `first` and `second` with one gradient, and the parameters to
//   keep * parameter - scale * rate * first / (sqrt(second) + epsilon).
// scale: AdamScale(). keep: 1 minus the weight decay. rates: one factor per parameter, or empty: all 1. All other spans
// have one entry per parameter.
template <typename Scalar>
void AdvanceAdam(std::span<const Scalar> gradient, Scalar scale, Scalar keep, std::span<const Scalar> rates,
                 std::span<Scalar> first, std::span<Scalar> second, std::span<Scalar> parameters,
                 const AdamOptions& options = {}) {
  const auto b1 = static_cast<Scalar>(options.beta1), b2 = static_cast<Scalar>(options.beta2);
  const auto epsilon = static_cast<Scalar>(options.epsilon);
  for (size_t i = 0; i < parameters.size(); ++i) {
    first[i] = b1 * first[i] + (1 - b1) * gradient[i];
    second[i] = b2 * second[i] + (1 - b2) * gradient[i] * gradient[i];
    const Scalar size = rates.empty() ? scale : scale * rates[i];
    parameters[i] = keep * parameters[i] - size * first[i] / (std::sqrt(second[i]) + epsilon);
  }
}

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_ADAM_H_
