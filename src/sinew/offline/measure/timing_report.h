// Output of a bundle's timings as text tables and as JSON.
#ifndef SINEW_OFFLINE_MEASURE_TIMING_REPORT_H_
#define SINEW_OFFLINE_MEASURE_TIMING_REPORT_H_

#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/measure/bundle_timing.h"

namespace sinew::measure {

// Random poses to time with: every joint rotated by up to 0.5 radians from rest.
std::vector<Pose> PosesToTime(const runtime::Bundle& bundle, int count, uint64_t seed);

// All timings and the memory of the bundle.
Json TimingsJson(const BundleTimings& timings);
// One sentence: bytes read and written by a frame with all levels.
std::string TrafficText(const BundleTimings& timings);
// Tables of all stages by level, hot and cold, for every number of threads, and of the memory.
std::string TimingsText(const BundleTimings& timings);
// Table of the results of TimeInTurn(): one line per bundle and number of threads, with ratios to the bundle's floor,
// to the fewest threads and to the first bundle. names: one per bundle.
std::string TurnsText(const std::vector<std::string>& names, const std::vector<BundleTimings>& timings);

}  // namespace sinew::measure

#endif  // SINEW_OFFLINE_MEASURE_TIMING_REPORT_H_
