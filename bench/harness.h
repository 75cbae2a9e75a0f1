// Ratios between variants that do the same job. On a shared machine the clock, the caches and the neighbours change
// from second to second, so variants alternate in one process, round by round, and medians over rounds are compared.
#ifndef SINEW_BENCH_HARNESS_H_
#define SINEW_BENCH_HARNESS_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sinew::bench {

struct Variant {
  std::string name;
  std::function<void()> run;
  // FNV-1a of what the variant computes, from its outputs after a run; null for variants that compute nothing.
  std::function<uint64_t()> hash;
};

// A variant, and which others it is compared with.
struct Entry {
  Variant variant;
  std::string group;       // what scripts/bench NAME selects
  std::string scalar;      // the name of its scalar reference; empty: is one, or has none
  std::string floor = {};  // the name of its floor; empty: the first entry of all
};

struct Measurement {
  std::string name;
  double median_ns = 0;   // of one run
  double fastest_ns = 0;  // of one run
  uint64_t hash = 0;      // 0: computes nothing
};

// Per round each variant runs twice and the second run is timed: its data are as hot as its own last run left them.
std::vector<Measurement> Measure(const std::vector<Variant>& variants, int rounds);

uint64_t Hash(std::span<const float> values, uint64_t seed = 0xcbf29ce484222325ull);

}  // namespace sinew::bench

#endif  // SINEW_BENCH_HARNESS_H_
