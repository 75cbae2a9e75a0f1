// Quantiles of a list of numbers.
#ifndef SINEW_OFFLINE_CORE_QUANTILE_H_
#define SINEW_OFFLINE_CORE_QUANTILE_H_

#include <vector>

namespace sinew {

// Returns the value that a share of the values, 0 to 1, stays below, interpolated between neighbours; 0 if there is no
// value. values: in any order, finite.
double Quantile(std::vector<double> values, double share);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_QUANTILE_H_
