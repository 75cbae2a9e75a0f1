#include "sinew/offline/core/random.h"

#include <cmath>
#include <numbers>

namespace sinew {

Random::Random(uint64_t seed, uint64_t stream) : state_(0), increment_(2 * stream + 1) {
  Bits();
  state_ += seed;
  Bits();
}

uint32_t Random::Bits() {
  const uint64_t old = state_;
  state_ = old * 6364136223846793005ULL + increment_;
  const auto shifted = static_cast<uint32_t>(((old >> 18) ^ old) >> 27);
  const auto rotation = static_cast<uint32_t>(old >> 59);
  return (shifted >> rotation) | (shifted << ((32 - rotation) & 31));
}

double Random::Uniform() {
  const uint64_t high = Bits() >> 6;
  const uint64_t low = Bits() >> 5;
  return static_cast<double>((high << 27) | low) * 0x1p-53;
}

double Random::Normal() {
  // Box-Muller; the second value is thrown away so that a draw has no hidden state.
  const double radius = std::sqrt(-2 * std::log(1 - Uniform()));
  return radius * std::cos(2 * std::numbers::pi * Uniform());
}

uint32_t Random::Below(uint32_t n) {
  const uint32_t threshold = (0u - n) % n;
  for (;;) {
    const uint32_t bits = Bits();
    if (bits >= threshold) return bits % n;
  }
}

}  // namespace sinew
