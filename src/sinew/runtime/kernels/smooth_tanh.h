// Hyperbolic tangent in double precision, without branches and without the C library, so that compilers vectorise loops
// over it and every platform has it:
//
//   tanh(x) = 1 - 2 / (exp(2 x) + 1),  exp(2 x) = 2^n exp(r),  |r| <= log(2) / 2
//
// with the Taylor polynomial of exp(r) up to the eleventh power. The absolute error is below 1e-14.
#ifndef SINEW_RUNTIME_KERNELS_SMOOTH_TANH_H_
#define SINEW_RUNTIME_KERNELS_SMOOTH_TANH_H_

#include <cstdint>
#include <cstring>

namespace sinew::runtime {

inline double SmoothTanh(double x) {
  // Beyond this, tanh rounds to 1 or -1.
  constexpr double kLargest = 19.1;
  constexpr double kPerLog2 = 2 / 0.693147180559945309417;
  constexpr double kLog2High = 0.69314718055994528623, kLog2Low = 2.319046813846299558e-17;
  // Adding this leaves the nearest integer in the lowest bits.
  constexpr double kRounder = 6755399441055744.0;  // 1.5 * 2^52
  const double clamped = x > kLargest ? kLargest : (x < -kLargest ? -kLargest : x);
  const double shifted = clamped * kPerLog2 + kRounder, n = shifted - kRounder;
  const double r = (2 * clamped - n * kLog2High) - n * kLog2Low;
  double p = 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1;
  p = p * r + 1;
  uint64_t bits = 0;
  std::memcpy(&bits, &shifted, sizeof(bits));
  bits = (bits + 1023) << 52;
  double power = 0;
  std::memcpy(&power, &bits, sizeof(power));
  return 1 - 2 / (p * power + 1);
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_KERNELS_SMOOTH_TANH_H_
