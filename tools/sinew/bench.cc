#include <fmt/format.h>

#include <memory>

#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/measure/timing_report.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Options {
  std::vector<std::string> bundles;
  int rounds = 31;
  bool hot = false;
};

struct Timed {
  std::string file;
  bundle::LoadedBundle loaded;
  measure::Microseconds opening;

  Json ToJson(const measure::BundleTimings& timings) const {
    Json json = {{"file", file},
                 {"bytes", loaded.file.bytes().size()},
                 {"open_us", {{"median", opening.median}, {"p99", opening.p99}, {"fastest", opening.fastest}}}};
    json.update(measure::TimingsJson(timings));
    return json;
  }
  std::string Text() const {
    return fmt::format("{}: {:.2f} MB, opened and checked in {:.2f} ms (99th percentile {:.2f}, fastest {:.2f})", file,
                       static_cast<double>(loaded.file.bytes().size()) / 1e6, opening.median / 1e3, opening.p99 / 1e3,
                       opening.fastest / 1e3);
  }
};

std::vector<int> ThreadsToTime(int asked) {
  if (asked == 1) return {1};
  return {1, asked == 0 ? 2 : asked};
}

Result RunOne(const Timed& timed, const measure::TimingOptions& timing, const Common& common) {
  const measure::BundleTimings timings =
      measure::TimeBundle(timed.loaded.bundle, measure::PosesToTime(timed.loaded.bundle, 16, common.seed), timing);
  Json json = timed.ToJson(timings);
  json["rounds"] = timing.rounds;
  return {json, fmt::format("{}\n{}", timed.Text(), measure::TimingsText(timings))};
}

Result RunSeveral(const std::vector<Timed>& all, const measure::TimingOptions& timing, const Common& common) {
  std::vector<const runtime::Bundle*> bundles;
  const auto joints = all.front().loaded.bundle.rest_pose().size();
  for (const Timed& timed : all) {
    if (timed.loaded.bundle.rest_pose().size() != joints) {
      throw UsageError(fmt::format("{} has {} joints, {} has {}: give bundles of one character", timed.file,
                                   timed.loaded.bundle.rest_pose().size(), all.front().file, joints));
    }
    bundles.push_back(&timed.loaded.bundle);
  }
  const std::vector<measure::BundleTimings> timings =
      measure::TimeInTurn(bundles, measure::PosesToTime(*bundles.front(), 16, common.seed), timing);
  Result result;
  result.json = {{"rounds", timing.rounds}, {"characters", Json::array()}};
  std::vector<std::string> names;
  for (size_t b = 0; b < all.size(); ++b) {
    result.json["characters"].push_back(all[b].ToJson(timings[b]));
    names.push_back(all[b].file);
    result.text += fmt::format("{}\n  {}", all[b].Text(), measure::TrafficText(timings[b]));
  }
  result.text += fmt::format("\n{}", measure::TurnsText(names, timings));
  return result;
}

Result Run(const Options& options, const Common& common) {
  std::vector<Timed> all;
  for (const std::string& file : options.bundles)
    all.push_back({file, bundle::ReadBundle(file), measure::TimeOpening(file, options.rounds)});
  const measure::TimingOptions timing{
      .threads = ThreadsToTime(common.threads), .rounds = options.rounds, .cold = !options.hot};
  return all.size() == 1 ? RunOne(all.front(), timing, common) : RunSeveral(all, timing, common);
}

}  // namespace

void AddBenchCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add(
      "bench",
      "Time a baked character on this machine: every level and stage, hot and cold caches, one thread and several,\n"
      "against the memory floor measured in the same run. Given several bundles of one character, such as its\n"
      "precisions, it times their frames in turn instead, so that what else the machine does is the same for all, and\n"
      "says how they compare. Run it on a machine that does nothing else.",
      "sinew bench body.sinew --rounds 31\n  sinew bench body_f32.sinew body_f16.sinew body_i8.sinew --rounds 31",
      [options](const Common& common) { return Run(*options, common); });
  command->add_option("CHARACTER", options->bundles, "A baked character (.sinew), or several bundles of one character")
      ->required()
      ->take_all();
  command
      ->add_option("--rounds", options->rounds, "How often everything is timed; medians and 99th percentiles of that")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_flag("--hot", options->hot, "Time only what was run just before: seconds instead of minutes");
  command->get_option("--threads")->description("Time with one thread and with so many; 0: with two");
}

}  // namespace sinew::cli
