#include "sinew/offline/core/low_discrepancy.h"

namespace sinew {
namespace {

uint32_t ReverseBits(uint32_t x) {
  x = ((x & 0xaaaaaaaau) >> 1) | ((x & 0x55555555u) << 1);
  x = ((x & 0xccccccccu) >> 2) | ((x & 0x33333333u) << 2);
  x = ((x & 0xf0f0f0f0u) >> 4) | ((x & 0x0f0f0f0fu) << 4);
  x = ((x & 0xff00ff00u) >> 8) | ((x & 0x00ff00ffu) << 8);
  return (x >> 16) | (x << 16);
}

uint32_t Mix(uint32_t x) {
  x ^= x >> 16, x *= 0x7feb352du;
  x ^= x >> 15, x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

// The permutation of S. Laine and T. Karras ("Stratified Sampling for Stochastic Transparency", 2011): each bit is
// flipped by a hash of the bits below it, which, on reversed bits, is Owen's scrambling.
uint32_t ScrambleReversed(uint32_t x, uint32_t seed) {
  x += seed;
  x ^= x * 0x6c50b47cu;
  x ^= x * 0xb82f1e52u;
  x ^= x * 0xc7afe638u;
  x ^= x * 0x8d22f6e6u;
  return x;
}

uint32_t Scramble(uint32_t x, uint32_t seed) { return ReverseBits(ScrambleReversed(ReverseBits(x), seed)); }

// Direction numbers of a Sobol dimension come from a recurrence over a primitive polynomial; those of the first three
// are short enough to be generated while they are used: x, x + 1 and x^2 + x + 1, all initial numbers 1 or (1, 3).
uint32_t Sobol(uint32_t index, int dimension) {
  if (dimension == 0) return ReverseBits(index);
  uint32_t value = 0;
  uint32_t previous = 0, current = 0x80000000u;
  for (int bit = 0; index != 0; ++bit, index >>= 1) {
    if (index & 1) value ^= current;
    uint32_t next = 0;
    if (dimension == 1) {
      next = current ^ (current >> 1);
    } else {
      next = bit == 0 ? 0xc0000000u : current ^ previous ^ (previous >> 2);
    }
    previous = current;
    current = next;
  }
  return value;
}

}  // namespace

std::array<double, 3> LowDiscrepancy3(uint32_t index, uint32_t seed) {
  const uint32_t shuffled = Scramble(index, Mix(seed));
  std::array<double, 3> point{};
  for (int d = 0; d < 3; ++d) {
    const uint32_t bits = Scramble(Sobol(shuffled, d), Mix(seed + 0x9e3779b9u * (static_cast<uint32_t>(d) + 1)));
    point[d] = bits * 0x1p-32;
  }
  return point;
}

}  // namespace sinew
