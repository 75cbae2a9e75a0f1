// Units of length, by the names that settings, options and reports use.
#ifndef SINEW_OFFLINE_CORE_UNITS_H_
#define SINEW_OFFLINE_CORE_UNITS_H_

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// "m", "dm", "cm", "mm", "in" and "ft".
std::vector<std::string> UnitNames();

// Length of one unit in metres. Throws UsageError, which lists the names that there are, for any other word.
double MetresPer(std::string_view unit);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_UNITS_H_
