// Random generator: PCG32 (M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
// Algorithms for Random Number Generation", 2014). The standard library's distributions differ between
// implementations, so the few that are needed are here: the same seed gives the same bits everywhere.
#ifndef SINEW_OFFLINE_CORE_RANDOM_H_
#define SINEW_OFFLINE_CORE_RANDOM_H_

#include <cstdint>

namespace sinew {

class Random {
 public:
  // All that the next numbers depend on, for checkpoints.
  struct State {
    uint64_t state = 0, increment = 1;
    bool operator==(const State&) const = default;
  };

  // Streams of one seed are independent: give each item of a parallel loop its own, numbered by the item's index.
  explicit Random(uint64_t seed, uint64_t stream = 0);

  // Goes on where another generator was.
  explicit Random(const State& state) : state_(state.state), increment_(state.increment | 1) {}
  State state() const { return {state_, increment_}; }

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
