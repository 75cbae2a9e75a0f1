#include <fmt/format.h>

#include <memory>

#include "sinew/offline/bake/bundle_file.h"
#include "sinew/offline/measure/timing_report.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string bundle;
  int rounds = 31;
};

Result Run(const Options& options, const Common& common) {
  const LoadedBundle loaded = ReadBundle(options.bundle);
  const std::vector<Pose> poses = PosesToTime(loaded.bundle, 16, common.seed);
  std::vector<int> threads = {1};
  if (common.threads != 1) threads.push_back(common.threads == 0 ? 2 : common.threads);
  const BundleTimings timings = TimeBundle(loaded.bundle, poses, {.threads = threads, .rounds = options.rounds});
  const Microseconds opening = TimeOpening(options.bundle, options.rounds);
  Json json = {{"file", options.bundle},
               {"bytes", loaded.file.bytes().size()},
               {"rounds", options.rounds},
               {"open_us", {{"median", opening.median}, {"p99", opening.p99}, {"fastest", opening.fastest}}}};
  json.update(TimingsJson(timings));
  return {json,
          fmt::format("{}: {:.2f} MB, opened and checked in {:.2f} ms (99th percentile {:.2f}, fastest {:.2f})\n{}",
                      options.bundle, static_cast<double>(loaded.file.bytes().size()) / 1e6, opening.median / 1e3,
                      opening.p99 / 1e3, opening.fastest / 1e3, TimingsText(timings))};
}

}  // namespace

void AddBenchCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add(
      "bench",
      "Time a baked character on this machine: every level and stage, hot and cold caches, one thread and several,\n"
      "against the memory floor measured in the same run. Run it on a machine that does nothing else.",
      "sinew bench body.sinew --rounds 31", [options](const Common& common) { return Run(*options, common); });
  command->add_option("CHARACTER", options->bundle, "A baked character (.sinew)")->required();
  command
      ->add_option("--rounds", options->rounds, "How often everything is timed; medians and 99th percentiles of that")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->get_option("--threads")->description("Time with one thread and with so many; 0: with two");
}

}  // namespace sinew::cli
