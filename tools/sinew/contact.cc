#include <fmt/format.h>

#include <memory>

#include "sinew/offline/contact/worm_bench.h"
#include "sinew/offline/core/interrupt.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Options {
  contact::WormBenchOptions bench;
  std::string folder;
};

Json ToJson(const contact::WormBenchResult& result) {
  Json rows = Json::array();
  for (const contact::WormBenchRow& row : result.rows) {
    rows.push_back({{"method", row.method},
                    {"states", row.states},
                    {"samples", row.samples},
                    {"relative_error", row.error},
                    {"paper", row.paper < 0 ? Json() : Json(row.paper)},
                    {"steps", row.steps},
                    {"seconds", row.seconds}});
  }
  return {{"nodes", result.nodes},
          {"triangles", result.triangles},
          {"training_samples", result.training_samples},
          {"test_samples", result.test_samples},
          {"failed", result.failed},
          {"attempted", result.attempted},
          {"core_seconds_per_sample", result.seconds_per_sample},
          {"table3", rows}};
}

std::string ToText(const contact::WormBenchResult& result, const std::string& folder) {
  std::string text = fmt::format(
      "worm of {} triangles, {} nodes: {} training samples, {} test samples in unseen states; {} of {} contacts could "
      "not be simulated\n",
      result.triangles, result.nodes, result.training_samples, result.test_samples, result.failed, result.attempted);
  if (result.seconds_per_sample > 0) {
    text += fmt::format("{:.2f} s of one core per simulated contact\n", result.seconds_per_sample);
  }
  text += fmt::format("{:<16}{:>7}{:>10}{:>10}{:>10}{:>10}\n", "relative error", "states", "samples", "steps", "ours",
                      "paper");
  for (const contact::WormBenchRow& row : result.rows) {
    text += fmt::format("{:<16}{:>7}{:>10}{:>10}{:>9.1f}%{:>10}\n", row.method, row.states, row.samples, row.steps,
                        100 * row.error, row.paper < 0 ? "-" : fmt::format("{:.0f}%", 100 * row.paper));
  }
  return text + fmt::format("{0}/table3.csv, {0}/table3.svg, {0}/contact.svg\n", folder);
}

Result RunWorm(Options& options, const Common& common) {
  options.bench.seed = common.seed;
  const OnInterrupt sentence(options.folder + " keeps finished samples and trainings; the same command goes on");
  const contact::WormBenchResult result = contact::RunWormBench(options.bench, options.folder);
  return {ToJson(result), ToText(result, options.folder)};
}

}  // namespace

void AddContactCommand(Commands& commands) {
  commands.AddGroup("contact", "Learn how a soft body gives way to a rigid collider");
  const auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add(
      "contact bench",
      "Run a scene of the contact-centric paper and print its table. 'worm' is a body in plane strain that three "
      "bones\n"
      "move, pressed by a collider: makes samples by simulation, trains the sparse and the dense field and the\n"
      "object-centric baseline on them, and compares all of them with simulated contacts in unseen states (table 3).\n"
      "What is finished is kept in the folder: the same command goes on after a stop.",
      "sinew contact bench worm --triangles 2000 --places 8 --rotations 8 --minutes 2 -o worm",
      [options](const Common& common) { return RunWorm(*options, common); });
  contact::WormBenchOptions& bench = options->bench;
  static std::string scene;
  command->add_option("SCENE", scene, "The scene: worm")->required()->check(CLI::IsMember({"worm"}));
  command->add_option("-o,--output", options->folder, "Folder for samples, states of training, table and pictures")
      ->required();
  command->add_option("--states", bench.states, "Numbers of states to train on, one column of the table each")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->add_option("--places", bench.plan.places, "Places on the surface per state")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command->add_option("--rotations", bench.plan.rotations, "Rotations of the collider per place")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--depths", bench.plan.depths, "Depths per rotation")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->add_option("--triangles", bench.worm.triangles, "Triangles of the worm, about")
      ->check(CLI::Range(200, 1000000))
      ->capture_default_str();
  command->add_option("--collider", bench.worm.collider, "The collider: cube, cone or star")
      ->check(CLI::IsMember({"cube", "cone", "star"}))
      ->capture_default_str();
  command->add_option("--test", bench.test_chains, "Test states, each with one place and rotation, at all depths")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_option("--methods", bench.methods, "What to train: sparse, dense, object-centric, literal")
      ->check(CLI::IsMember({"sparse", "dense", "object-centric", "literal"}))
      ->capture_default_str();
  command->add_option("--layers", bench.hidden_layers, "Hidden layers of the fields")
      ->check(CLI::Range(1, 2))
      ->capture_default_str();
  command->add_option("--width", bench.width, "Units of a hidden layer of the fields")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command->add_option("--minutes", bench.minutes, "Minutes of each training; the number of steps follows from it")
      ->check(CLI::Range(0.01, 10000.0))
      ->capture_default_str();
  command->add_option("--steps", bench.steps, "Steps of each training, in place of --minutes: same steps, same bits")
      ->check(CLI::Range(int64_t{0}, int64_t{100000000}))
      ->capture_default_str();
  command->add_option("--rate", bench.rate, "Learning rate at the start; the last one is a hundredth of it")
      ->check(CLI::Range(1e-6, 1.0))
      ->capture_default_str();
  command
      ->add_option("--sample-minutes", bench.sample_minutes,
                   "Begin no simulation after so many minutes, and stop with what is there; 0: no limit")
      ->check(CLI::Range(0.0, 100000.0))
      ->capture_default_str();
}

}  // namespace sinew::cli
