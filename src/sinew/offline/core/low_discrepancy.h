// Points that fill a cube more evenly than random ones: the first three dimensions of I. M. Sobol's sequence,
// Owen-scrambled by hashing as in B. Burley, "Practical Hash-based Owen Scrambling", 2020. Any first 2^k points are
// stratified, so a longer run only adds points. For more dimensions give each group of three its own seed: that
// shuffles the order of its points as well, which leaves groups independent of each other and every group evenly
// filled.
#ifndef SINEW_OFFLINE_CORE_LOW_DISCREPANCY_H_
#define SINEW_OFFLINE_CORE_LOW_DISCREPANCY_H_

#include <array>
#include <cstdint>

namespace sinew {

// Returns a point of [0, 1)^3. The same index and seed give the same bits.
std::array<double, 3> LowDiscrepancy3(uint32_t index, uint32_t seed);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_LOW_DISCREPANCY_H_
