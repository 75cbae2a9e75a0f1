// Random generator: PCG32 (M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
// Algorithms for Random Number Generation", 2014). The standard library's distributions differ between
// implementations, so the few that are needed are here: the same seed gives the same bits everywhere.
#ifndef SINEW_OFFLINE_CORE_RANDOM_H_
#define SINEW_OFFLINE_CORE_RANDOM_H_

#include <cstdint>

namespace sinew {

class Random {
 public:
  // Streams of one seed are independent: give each item of a parallel loop its own, numbered by the item's index.
  explicit Random(uint64_t seed, uint64_t stream = 0);

  uint32_t Bits();
  // In [0, 1).
  double Uniform();
  double Uniform(double low, double high) { return low + (high - low) * Uniform(); }
  // Mean 0, variance 1.
  double Normal();
  // In [0, n), without bias; n > 0.
  uint32_t Below(uint32_t n);

 private:
  uint64_t state_;
  uint64_t increment_;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_RANDOM_H_
