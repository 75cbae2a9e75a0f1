#include <fmt/format.h>

#include <memory>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/interrupt.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/evaluate/fronts.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/tables/names.h"
#include "tools/sinew/precision.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string dataset, test, output, device = "cpu";
  std::vector<std::string> hierarchies, precisions = {"f32", "i8"};
  evaluate::FrontsOptions fronts;
};

Result Run(Options options, const Common& common) {
  evaluate::FrontsOptions& fronts = options.fronts;
  fronts.train.seed = common.seed;
  fronts.train.device = options.device == "cuda" ? multires::TrainDevice::kCuda : multires::TrainDevice::kCpu;
  fronts.threads = common.threads == 0 ? 2 : common.threads;
  fronts.precisions.clear();
  for (const std::string& name : options.precisions) fronts.precisions.push_back(tables::PrecisionNamed(name));
  std::vector<lod::Hierarchy> hierarchies;
  for (const std::string& path : options.hierarchies) hierarchies.push_back(lod::ReadHierarchy(path));
  const dataset::Dataset training(options.dataset), test(options.test);
  const fs::path partial = options.output + ".partial";
  const OnInterrupt interrupt(fmt::format(
      "what was trained is kept in {}, and the same call with --resume goes on from there", partial.string()));
  const evaluate::FrontsComparison comparison = evaluate::CompareFronts(hierarchies, training, test, fronts, partial);

  const double to_mm = 1e3 * test.manifest().metres_per_unit;
  Result result;
  result.json = evaluate::FrontsJson(comparison, to_mm);
  result.json["dataset"] = options.dataset;
  result.json["test"] = options.test;
  result.json["threads"] = fronts.threads;
  result.json["rounds"] = fronts.rounds;
  result.text = evaluate::FrontsText(comparison, to_mm);
  const auto may_replace = [](const fs::path& path) { return fs::exists(path / "fronts.json"); };
  WriteFolderAtomic(options.output, may_replace, [&](const fs::path& folder) {
    WriteFileAtomic(folder / "fronts.json", JsonText(result.json, 2) + "\n");
    WriteFileAtomic(folder / "fronts.txt", result.text);
    WriteFileAtomic(folder / "memory.svg", evaluate::FrontsPlot(comparison, evaluate::FrontsCost::kMemory, to_mm));
    WriteFileAtomic(folder / "time.svg", evaluate::FrontsPlot(comparison, evaluate::FrontsCost::kTime, to_mm));
    WriteFileAtomic(folder / "correctives.svg",
                    evaluate::FrontsPlot(comparison, evaluate::FrontsCost::kCorrectiveTime, to_mm));
  });
  std::error_code ignored;
  fs::remove_all(partial, ignored);
  result.text +=
      fmt::format("wrote {}: fronts.json, fronts.txt, memory.svg, time.svg, correctives.svg\n", options.output);
  return result;
}

}  // namespace

void AddFrontsCommand(Commands& commands) {
  auto options = std::make_shared<Options>();
  CLI::App* app = commands.Add(
      "fronts",
      "Compares with the single-level method: trains both over epsilons and hierarchies that differ in their regions,\n"
      "and sets error on unseen frames against memory and time. Run it on a machine that does nothing else.",
      "sinew fronts body.dataset --test test.dataset --hierarchy 50.lod 100.lod 200.lod -o body.fronts",
      [options](const Common& common) { return Run(*options, common); });
  app->add_option("dataset", options->dataset, "To train on")->required();
  app->add_option("--test", options->test, "To measure on, none of it trained on")->required();
  app->add_option("--hierarchy", options->hierarchies,
                  "Folders that `sinew lod` wrote, of the same character, alike but for --regions")
      ->required();
  app->add_option("-o,--output", options->output, "Folder for tables and plots; an older comparison there is replaced")
      ->required();
  app->add_option(
         "--epsilons", options->fronts.epsilons,
         "What bases may leave out, as fractions of the body's height, besides what training chooses; none: 0.35 "
         "to 2 times that")
      ->delimiter(',')
      ->check(CLI::Range(1e-9, 1.0));
  app->add_option("--precisions", options->precisions, "In which bundles are baked")
      ->delimiter(',')
      ->check(CLI::IsMember(tables::PrecisionNames()))
      ->capture_default_str();
  app->add_option("--steps", options->fronts.train.fit.steps, "Steps of Adam for a network, at most")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  app->add_option("--device", options->device, "Where networks are trained; cuda needs what `scripts/cuda` builds")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  app->add_option("--rounds", options->fronts.rounds, "How often every bundle is timed")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app->add_flag("--resume", options->fronts.resume,
                "Do not train again what a stopped run of the same call left in OUTPUT.partial");
}

}  // namespace sinew::cli
