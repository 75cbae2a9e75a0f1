// Table 3 of the paper: how well fields that were trained on 1, 3 or 7 states of the worm predict contacts in states
// that they have not seen.
#ifndef SINEW_OFFLINE_CONTACT_WORM_BENCH_H_
#define SINEW_OFFLINE_CONTACT_WORM_BENCH_H_

#include <filesystem>

#include "sinew/offline/contact/contact_bench.h"

namespace sinew::contact {

struct WormBenchOptions : BenchOptions {
  WormOptions worm;
};

// Runs the bench on the worm (contact_bench.h). The folder also holds each sparse field of N states as sparse_N.dent
// (dent_file.h), unless it is too wide to be simulated.
BenchResult RunWormBench(const WormBenchOptions& options, const std::filesystem::path& folder);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_WORM_BENCH_H_
