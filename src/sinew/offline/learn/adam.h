// Adam (D. P. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", 2015, algorithm 1 in the form of its
// section 2, which puts both bias corrections into the size of the step).
#ifndef SINEW_OFFLINE_LEARN_ADAM_H_
#define SINEW_OFFLINE_LEARN_ADAM_H_

#include <cmath>
#include <cstddef>
#include <span>

namespace sinew::learn {

struct AdamOptions {
  double beta1 = 0.9, beta2 = 0.999;  // how much of the two moments a step keeps
  // Added to the root of the second moment as it is. Algorithm 1 adds it to the corrected one: give sqrt(1 - beta2^t)
  // times its epsilon for that.
  double epsilon = 1e-8;
};

// Size of step t = 1, 2, ...: `rate` with both bias corrections.
inline double AdamScale(int t, double rate, const AdamOptions& options = {}) {
  return rate * std::sqrt(1 - std::pow(options.beta2, t)) / (1 - std::pow(options.beta1, t));
}

// Moves the moments on by one gradient. The parameters become
//   keep * parameter - scale * rate * first / (sqrt(second) + epsilon),
// where `rates` has one factor per parameter, or is empty: all 1.
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
