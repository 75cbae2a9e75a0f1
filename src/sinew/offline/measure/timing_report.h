// Timings of a bundle as tables and as JSON.
#ifndef SINEW_OFFLINE_MEASURE_TIMING_REPORT_H_
#define SINEW_OFFLINE_MEASURE_TIMING_REPORT_H_

#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/measure/bundle_timing.h"

namespace sinew::measure {

// Poses with every joint turned a little away from rest.
std::vector<Pose> PosesToTime(const runtime::Bundle& bundle, int count, uint64_t seed);

Json TimingsJson(const BundleTimings& timings);
std::string TrafficText(const BundleTimings& timings);
std::string TimingsText(const BundleTimings& timings);
// Of TimeInTurn: a line for every bundle and number of threads, against its floor, fewest threads and the first bundle.
std::string TurnsText(const std::vector<std::string>& names, const std::vector<BundleTimings>& timings);

}  // namespace sinew::measure

#endif  // SINEW_OFFLINE_MEASURE_TIMING_REPORT_H_
