// The paper's scenes in space: how well fields that were trained on a few states of an object predict contacts in
// states that they have not seen. Table 2 is about the jelly; for the others the paper has pictures alone.
#ifndef SINEW_OFFLINE_CONTACT_SOLID_BENCH_H_
#define SINEW_OFFLINE_CONTACT_SOLID_BENCH_H_

#include <filesystem>
#include <string>

#include "sinew/offline/contact/contact_bench.h"

namespace sinew::contact {

struct SolidBenchOptions : BenchOptions {
  SolidOptions solid;
};

// Options of a scene: "jelly", "hand", "floater" or "animal". Throws UsageError for another one.
SolidBenchOptions SolidSceneOptions(const std::string& scene);

// Name of the scene's table: "table2" for the jelly, the scene's own for the others.
std::string SolidTableName(const std::string& scene);

// Runs the bench on the scene's object (contact_bench.h).
BenchResult RunSolidBench(const std::string& scene, const SolidBenchOptions& options,
                          const std::filesystem::path& folder);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_SOLID_BENCH_H_
