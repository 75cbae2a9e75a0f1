// Constants of the networks' tanh approximation, shared by the scalar and the SIMD kernel:
// tanh(x) = 1 - 2 / (exp(2 x) + 1), with exp(2 x) = 2^y, y = 2 x / ln 2, computed as 2^round(y) times a polynomial in
// the remainder y - round(y).
#ifndef SINEW_RUNTIME_NET_TANH_H_
#define SINEW_RUNTIME_NET_TANH_H_

namespace sinew::runtime::tanh_constants {

constexpr float kTwoLog2E = 2.885390081777927f;
// Bound that y is clamped to, on both sides: there the result already rounds to 1 or -1.
constexpr float kLargest = 26;
// Coefficients ln(2)^k / k!, highest power first. The remainder is at most 1/2 in magnitude: the omitted terms are
// below 1.3e-7.
constexpr int kTerms = 7;
constexpr float kPolynomial[kTerms] = {1.5403530393381608e-4f,
                                       1.3333558146428443e-3f,
                                       9.618129107628477e-3f,
                                       5.550410866482158e-2f,
                                       2.402265069591007e-1f,
                                       6.931471805599453e-1f,
                                       1.0f};

}  // namespace sinew::runtime::tanh_constants

#endif  // SINEW_RUNTIME_NET_TANH_H_
