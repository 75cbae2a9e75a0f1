#include "sinew/offline/pipeline/build.h"

#include <fmt/format.h>

#include <memory>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/pipeline/layout.h"
#include "tools/sinew/models.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string character, output, preset = "quick", config, skin;
  std::vector<std::string> assignments;
  pipeline::BuildOptions build;
  bool print_config = false, dry_run = false;
  const CLI::App* command = nullptr;  // tells which options were given

  bool Given(const char* option) const { return command->get_option(option)->count() > 0; }
};

// The settings: those that the folder was last built with, or the preset's, and what the call changes of them.
pipeline::Config ConfigOf(const Options& options, const Common& common) {
  const bool anew = options.Given("--preset") || options.Given("--config");
  // A later call may come from another folder.
  const std::string character =
      options.character.empty() ? "" : fs::absolute(options.character).lexically_normal().string();
  pipeline::Config config =
      pipeline::StartingConfig(options.output, pipeline::PresetNamed(options.preset), anew, character);
  if (!options.config.empty()) config.Apply(ReadTextFile(options.config), options.config);
  for (const std::string& assignment : options.assignments) config.Set(assignment);
  const auto set = [&](const char* key, const Json& value) {
    config.Set(fmt::format("input.{}={}", key, JsonText(value)));
  };
  if (!options.skin.empty()) set("skin", options.skin);
  if (options.Given("--seed")) set("seed", common.seed);
  if (!character.empty()) set("character", character);
  return config;
}

// Says what the estimate stands on.
std::string MeasuredText(const pipeline::Calibration& measured) {
  std::string text = measured.rigid
                         ? "nothing of it is flesh, so nothing is simulated and no corrective is learned"
                         : fmt::format("measured for this: {} poses, simulated in {:.2g} s of processor time each",
                                       measured.frames, measured.frame_seconds);
  // Below this share other programs make a difference that a user should know of.
  constexpr double kBusy = 0.8;
  if (measured.share < kBusy) {
    text += fmt::format("; other programs are running: a thread gets {:.0f}% of a core", 100 * measured.share);
  }
  return text;
}

Result Plan(const Options& options, const pipeline::Request& request) {
  const pipeline::BuildPlan plan = pipeline::PlanBuild(options.output, request, options.build);
  Result result;
  result.json = {{"folder", options.output}, {"stages", Json::array()}, {"seconds", plan.seconds()}};
  result.text = fmt::format("{:<16} {:<14} {}\n", "stage", "would take", "");
  for (const pipeline::PlannedStage& planned : plan.planned) {
    const pipeline::Stage& stage = *planned.stage;
    result.json["stages"].push_back(
        {{"stage", stage.name}, {"kept", planned.kept}, {"why", planned.why}, {"seconds", planned.seconds}});
    if (!planned.kept) result.json["stages"].back()["processor_seconds"] = stage.cost.processor_seconds();
    result.text += planned.kept ? fmt::format("{:<16} {:<14} as it is\n", stage.name, "kept")
                                : fmt::format("{:<16} {:<14} {}: {}\n", stage.name, DurationText(planned.seconds),
                                              stage.does, planned.why);
  }
  result.text += fmt::format("about {} with {} threads; nothing was written\n", DurationText(plan.seconds()),
                             Pool().concurrency());
  const pipeline::Calibration& measured = plan.calibration;
  if (plan.calibrated) {
    result.json["measured"] = {{"frames", measured.frames},
                               {"frame_seconds", measured.frame_seconds},
                               {"model_seconds", measured.model_seconds},
                               {"networks", measured.networks},
                               {"speed", measured.speed},
                               {"share", measured.share}};
    result.text += MeasuredText(measured) + "\n";
  }
  if (!plan.refusal.empty()) {
    result.json["needs_replace"] = plan.refusal;
    result.text += plan.refusal + "\n";
  }
  return result;
}

Result Run(const Options& options, const Common& common) {
  pipeline::Request request = pipeline::MakeRequest(ConfigOf(options, common));
  request.find_model = FindModel;
  if (options.print_config) return {{{"config", request.config.Text()}}, request.config.Text()};
  if (options.output.empty()) throw UsageError("where to build is missing: give -o FOLDER");
  if (options.dry_run) return Plan(options, request);
  const pipeline::BuildResult built = pipeline::Build(options.output, request, options.build);
  Result result;
  result.json = {{"folder", options.output}, {"stages", Json::array()}};
  double seconds = 0, cpu = 0, expected = 0;
  for (const pipeline::StageOutcome& stage : built.stages) {
    seconds += stage.seconds;
    cpu += stage.cpu_seconds;
    expected += stage.expected_seconds;
    result.json["stages"].push_back({{"stage", stage.name},
                                     {"kept", stage.kept},
                                     {"why", stage.why},
                                     {"seconds", stage.seconds},
                                     {"expected_seconds", stage.expected_seconds},
                                     {"cpu_seconds", stage.cpu_seconds}});
  }
  result.json.update(built.summary.json);
  result.text = fmt::format("{}\n{}, where {} were expected ({} of processor time); the page to read is {}\n",
                            built.summary.Text(), DurationText(seconds), DurationText(expected), DurationText(cpu),
                            (fs::path(options.output) / pipeline::kReport).string());
  return result;
}

}  // namespace

void AddBuildCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add(
      "build",
      "From a mesh to a real-time character: weights, levels, poses, simulation, training, bundle, evaluation, "
      "report.\n"
      "Every stage is kept in FOLDER and done again only if what it depends on has changed; a stopped build goes on.\n"
      "FOLDER remembers its character and settings: `sinew build -o FOLDER` goes on with them.",
      "sinew build body.glb -o body.build --preset quick --set poses.training=60\n"
      "  sinew build -o biped.build --dry-run",
      [options](const Common& common) { return Run(*options, common); });
  command->add_option(
      "CHARACTER", options->character,
      "A mesh, rigged or not (.glb, .gltf, .obj, .ply); without it, that of the folder, or the embedded biped");
  command->add_option("-o,--output", options->output, "The folder to build in, new or of an earlier build");
  command
      ->add_option(
          "--preset", options->preset,
          "instant, quick, good or film: the defaults of all settings, instead of those that FOLDER was built with")
      ->check(CLI::IsMember({"instant", "quick", "good", "film"}))
      ->capture_default_str();
  command->add_option("--config", options->config,
                      "A file of settings, as --print-config writes them; others are the preset's");
  command
      ->add_option("--set", options->assignments,
                   "One setting, SECTION.KEY=VALUE, after the file's; may be given several times")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--skin", options->skin,
                      "Name or number of a skin, if a file has several skeletons; the same as --set input.skin=");
  command->add_flag("--print-config", options->print_config, "Print every setting with its value and meaning");
  command->add_flag("--dry-run", options->dry_run, "Say what would be done and about how long it would take");
  command
      ->add_option("--redo", options->build.redo, "A stage to do again whatever is there; may be given several times")
      ->take_all()
      ->allow_extra_args(false);
  command->add_flag("--replace", options->build.replace,
                    "Delete more than a minute's work of FOLDER if another character or other settings outdate it");
  options->command = command;
}

}  // namespace sinew::cli
