#include <fmt/format.h>

#include <memory>

#include "sinew/offline/ablation/ablation_text.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/interrupt.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/program_file.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Call {
  std::vector<std::string> inputs, on;
  std::string output, device = "cpu";
  ablation::Options options;
};

void WriteTables(const ablation::Ablation& ablation, const fs::path& folder) {
  WriteFileAtomic(folder / "rows.md", ablation::MarkdownOf(ablation));
  WriteFileAtomic(folder / "rows.csv", ablation::CsvOf(ablation));
  WriteFileAtomic(folder / "rows.svg", ablation::PlotOf(ablation));
  WriteFileAtomic(folder / "rows.json", JsonText(ablation::JsonOf(ablation), 1) + "\n");
}

Result Run(Call call, const Common& common) {
  ablation::Options& options = call.options;
  options.folder = call.output;
  options.inputs.paths = {call.inputs.begin(), call.inputs.end()};
  options.inputs.seed = options.run.seed = common.seed;
  options.run.threads = common.threads;
  options.run.cuda = call.device == "cuda";
  options.on = {call.on.begin(), call.on.end()};
  options.program = ProgramFile();
  const OnInterrupt interrupt(
      fmt::format("what was trained until half a minute ago is kept in {}, and the same call goes on", call.output));
  const ablation::Ablation ablation = ablation::Ablate(options);
  WriteTables(ablation, call.output);
  if (ablation.rows.empty() && ablation.finished) {
    throw FailedError(fmt::format("no row has a result; {} failed: {}", ablation.failures.front().first,
                                  ablation.failures.front().second));
  }
  Result result;
  result.json = ablation::JsonOf(ablation);
  result.text = ablation::MarkdownOf(ablation);
  if (!ablation.finished) result.text += "\nthe time is over; the same call goes on\n";
  if (ablation.finished && ablation.skinning.empty()) result.text += "\nnothing to test on: give a corpus, or --on\n";
  result.text += fmt::format("\nwrote rows.md, rows.csv, rows.svg and rows.json in {}\n", call.output);
  return result;
}

void AddRowOptions(Call& call, CLI::App& app) {
  ablation::Options& options = call.options;
  app.add_option("--rows", options.rows, "Only these rows; docs/large-networks.md lists them")->delimiter(',');
  app.add_option("--bodies", options.counts,
                 "How many bodies the rows with fewer of them have; none: a third and two thirds")
      ->delimiter(',')
      ->check(CLI::Range(1, 1000000));
  app.add_option("--rates", options.rates, "Learning rates that every row is trained at")
      ->delimiter(',')
      ->check(CLI::Range(1e-7, 1.0))
      ->capture_default_str();
  app.add_option("--epochs", options.epochs,
                 "As many steps as take every training frame so often, mirror images aside; the same for all rows")
      ->check(CLI::Range(1e-3, 1e6))
      ->capture_default_str();
  app.add_option("--batch", options.run.batch, "Frames per step")->check(CLI::Range(1, 1024))->capture_default_str();
  app.add_option("--unseen-family", options.inputs.unseen_family,
                 "Family of the corpora to leave out of training, for a test of what is not known");
}

void AddTestOptions(Call& call, CLI::App& app) {
  ablation::TestOptions& test = call.options.test;
  app.add_option("--on", call.on,
                 "Corpora, of which the test frames are used, or datasets; none: the corpora that are trained on")
      ->take_all();
  app.add_option("--methods", test.skinning, "Skinning that is tested beside linear blend")
      ->delimiter(',')
      ->check(CLI::IsMember(ablation::SkinningNames()))
      ->capture_default_str();
  app.add_option("--field-steps", test.field_steps, "For skincells: most steps of the optimisation of a field")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--test-frames", call.options.test_frames,
                 "Frames of each body to test on at most, evenly spread; 0: all")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  app.add_flag("--moved", test.moved,
               "Test networks on bodies that stand upside down and elsewhere, too: positions depend on that");
}

void AddRunOptions(Call& call, CLI::App& app) {
  ablation::Options& options = call.options;
  app.add_option("--device", call.device, "Where rows are trained")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  app.add_option("--at-once", options.at_once, "How many trainings run beside each other")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--minutes", options.minutes,
                 "Stop training after this time and test what is trained; the same call goes on; 0: no limit")
      ->check(CLI::Range(0.0, 1e5))
      ->capture_default_str();
}

}  // namespace

void AddLearnAblateCommand(Commands& commands) {
  const auto call = std::make_shared<Call>();
  call->options.run.batch = 16;
  call->options.test.skinning = ablation::SkinningNames();
  CLI::App* app = commands.Add(
      "learn ablate",
      "Trains graph networks that differ in one thing each, at the same few learning rates for the same number of\n"
      "steps, tests the best of each beside skinning, and writes a table. Needs what `sinew learn train` needs. What "
      "is\n"
      "stopped goes on with the same call, and rows can be added.",
      "sinew learn ablate body.dataset --on test.dataset -o rows --rows ours,mlp --rates 3e-3 --epochs 20",
      [call](const Common& common) { return Run(*call, common); });
  app->add_option("inputs", call->inputs, "Corpora, packed corpora or datasets to train on")->required();
  app->add_option("-o,--output", call->output, "Folder for rows.md, rows.csv, rows.svg, rows.json and all trainings")
      ->required();
  AddRowOptions(*call, *app);
  AddTestOptions(*call, *app);
  AddRunOptions(*call, *app);
}

}  // namespace sinew::cli
