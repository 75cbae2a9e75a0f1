#include "sinew/offline/pipeline/build.h"

#include <fmt/format.h>

#include <memory>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/pipeline/layout.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string character, output, preset = "quick", config, skin;
  std::vector<std::string> assignments, redo;
  bool print_config = false, dry_run = false;
};

pipeline::Config ConfigOf(const Options& options) {
  pipeline::Config config(pipeline::PresetNamed(options.preset));
  if (!options.config.empty()) config.Apply(ReadTextFile(options.config), options.config);
  for (const std::string& assignment : options.assignments) config.Set(assignment);
  if (!options.skin.empty()) config.Set(fmt::format("input.skin={}", Json(options.skin).dump()));
  return config;
}

Result Plan(const Options& options, const pipeline::Request& request) {
  const pipeline::Subject subject = pipeline::FindSubject(request);
  const std::vector<pipeline::Stage> stages = pipeline::MakeStages(request, subject);
  Result result;
  result.json = {{"folder", options.output}, {"stages", Json::array()}};
  result.text = fmt::format("{:<16} {:<14} {}\n", "stage", "would take", "");
  double total = 0;
  for (const pipeline::PlannedStage& planned : pipeline::PlanBuild(options.output, stages, options.redo)) {
    const pipeline::Stage& stage = *planned.stage;
    total += planned.seconds;
    result.json["stages"].push_back(
        {{"stage", stage.name}, {"kept", planned.kept}, {"why", planned.why}, {"seconds", planned.seconds}});
    result.text += planned.kept ? fmt::format("{:<16} {:<14} as it is\n", stage.name, "kept")
                                : fmt::format("{:<16} {:<14} {}: {}\n", stage.name, DurationText(planned.seconds),
                                              stage.does, planned.why);
  }
  result.json["seconds"] = total;
  result.text +=
      fmt::format("about {} with {} threads; nothing was written\n", DurationText(total), Pool().concurrency());
  return result;
}

Result Run(const Options& options, const Common& common) {
  pipeline::Request request{.character = options.character, .config = ConfigOf(options), .seed = common.seed};
  if (options.print_config) return {{{"config", request.config.Text()}}, request.config.Text()};
  if (options.output.empty()) throw UsageError("where to build is missing: give -o FOLDER");
  if (options.dry_run) return Plan(options, request);
  const pipeline::BuildResult built = pipeline::Build(options.output, request, options.redo);
  Result result;
  result.json = {{"folder", options.output}, {"stages", Json::array()}};
  double seconds = 0, cpu = 0;
  for (const pipeline::StageOutcome& stage : built.stages) {
    seconds += stage.seconds;
    cpu += stage.cpu_seconds;
    result.json["stages"].push_back({{"stage", stage.name},
                                     {"kept", stage.kept},
                                     {"why", stage.why},
                                     {"seconds", stage.seconds},
                                     {"cpu_seconds", stage.cpu_seconds}});
  }
  result.json.update(built.summary.json);
  result.text =
      fmt::format("{}\n{} ({} of processor time); the page to read is {}\n", built.summary.Text(),
                  DurationText(seconds), DurationText(cpu), (fs::path(options.output) / pipeline::kReport).string());
  return result;
}

}  // namespace

void AddBuildCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add(
      "build",
      "From a mesh to a real-time character: weights, levels, poses, simulation, training, bundle, evaluation, "
      "report.\n"
      "Every stage is kept in FOLDER and done again only if what it depends on has changed; a stopped build goes on.",
      "sinew build body.glb -o body.build --preset quick --set poses.training=60\n"
      "  sinew build -o biped.build --dry-run",
      [options](const Common& common) { return Run(*options, common); });
  command->add_option("CHARACTER", options->character,
                      "A mesh, rigged or not (.glb, .gltf, .obj); without it, the embedded biped");
  command->add_option("-o,--output", options->output, "The folder to build in, new or of an earlier build");
  command->add_option("--preset", options->preset, "quick, good or film: the defaults of all settings")
      ->check(CLI::IsMember({"quick", "good", "film"}))
      ->capture_default_str();
  command->add_option("--config", options->config, "A file of settings, as --print-config writes them");
  command
      ->add_option("--set", options->assignments,
                   "One setting, SECTION.KEY=VALUE, after the file's; may be given several times")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--skin", options->skin,
                      "Name or number of a skin, if a file has several skeletons; the same as --set input.skin=");
  command->add_flag("--print-config", options->print_config, "Print every setting with its value and meaning");
  command->add_flag("--dry-run", options->dry_run, "Say what would be done and about how long it would take");
  command->add_option("--redo", options->redo, "A stage to do again whatever is there; may be given several times")
      ->take_all()
      ->allow_extra_args(false);
}

}  // namespace sinew::cli
