#include <fmt/format.h>

#include <memory>

#include "sinew/offline/bake/bake_character.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/multires/dataset_frames.h"
#include "sinew/offline/multires/deformer_file.h"
#include "sinew/offline/multires/train.h"
#include "tools/sinew/precision.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string dataset, hierarchy, output;
  TrainOptions train;
  std::string features = "quaternion", precision = "i8";
  bool resume = false;
};

runtime::PoseFeatures ParseFeatures(const std::string& name) {
  if (name == "euler") return runtime::PoseFeatures::kEuler;
  if (name == "columns") return runtime::PoseFeatures::kColumns;
  return runtime::PoseFeatures::kQuaternion;
}

// What decides the result. A checkpoint of other settings, frames or levels is not gone on from.
Json SettingsOf(const Options& options, const Dataset& dataset, const TrainingFrames& frames) {
  std::string all_hashes;
  for (const std::string& hash : frames.hashes) all_hashes += hash;
  const TrainOptions& t = options.train;
  return {{"method", t.single_level ? "single-level" : "multi-resolution"},
          {"epsilon", t.epsilon},
          {"features", options.features},
          {"precision", options.precision},
          {"most_modes", t.most_modes},
          {"most_width", t.most_width},
          {"validation", t.validation},
          {"outliers", t.outliers},
          {"steps", t.fit.steps},
          {"batch", t.fit.batch},
          {"rate", t.fit.rate},
          {"seed", t.seed},
          {"frames", frames.count()},
          {"frames_hash", HashHex(std::as_bytes(std::span(all_hashes)))},
          {"metres_per_unit", dataset.manifest().metres_per_unit},
          {"dataset", dataset.manifest().settings}};
}

fs::path CheckpointPath(const Options& options) { return options.output + ".partial"; }

// Asked for a bundle, training writes the deformer beside it, under the same name.
bool WantsBundle(const std::string& output) { return fs::path(output).extension() == ".sinew"; }

// What an earlier run of the same settings left behind, if --resume asks for it.
std::unique_ptr<Deformer> FindCheckpoint(const Options& options, const Json& settings) {
  const fs::path path = CheckpointPath(options);
  if (!options.resume || !fs::exists(path)) return nullptr;
  auto deformer = std::make_unique<Deformer>(ParseDeformer(ReadFile(path), path.string()));
  if (deformer->settings != settings) {
    throw InputError(path.string(), "settings", "are not those of this call, so that it cannot be gone on from",
                     "give the same options and files, or leave --resume out");
  }
  return deformer;
}

Json ToJson(const LevelSummary& level, double unit) {
  const auto mm = [&](double length) { return 1e3 * unit * length; };
  return {{"networks", level.networks},
          {"mean_dimensions", level.networks == 0 ? 0.0 : static_cast<double>(level.dimensions) / level.networks},
          {"basis_values", level.basis_values},
          {"network_values", level.network_values},
          {"residual_mm", mm(level.residual)},
          {"after_basis_mm", mm(level.after_basis)},
          {"training_mm", mm(level.training)},
          {"validation_mm", mm(level.validation)}};
}

Json CurvesOf(const std::vector<Fit>& fits, const LevelCorrectives& level) {
  Json curves = Json::array();
  for (size_t k = 0; k < fits.size(); ++k) {
    Json steps = Json::array();
    for (const FitCurve& at : fits[k].curve) steps.push_back({at.step, at.training, at.validation});
    curves.push_back({{"region", level.regions[k].region}, {"curve", std::move(steps)}});
  }
  return curves;
}

std::string Table(const Training& training, double unit) {
  std::string text =
      fmt::format("{:>5} {:>9} {:>10} {:>10} {:>10} {:>11} {:>11} {:>11} {:>11}\n", "level", "networks", "dimensions",
                  "bases", "networks", "to learn", "bases leave", "training", "validation");
  for (size_t i = 0; i < training.levels.size(); ++i) {
    const LevelSummary& l = training.levels[i];
    const auto mm = [&](double length) { return fmt::format("{:.3f} mm", 1e3 * unit * length); };
    const double mean = l.networks == 0 ? 0 : static_cast<double>(l.dimensions) / l.networks;
    text +=
        fmt::format("{:>5} {:>9} {:>10.1f} {:>7.2f} MB {:>7.2f} MB {:>11} {:>11} {:>11} {:>11}\n", i + 1, l.networks,
                    mean, 4e-6 * static_cast<double>(l.basis_values), 4e-6 * static_cast<double>(l.network_values),
                    mm(l.residual), mm(l.after_basis), mm(l.training), mm(l.validation));
  }
  return text + "lengths: root mean square over points and frames, before skinning\n";
}

Result Run(Options options, const Common& common) {
  options.train.seed = common.seed;
  const std::string bundle = WantsBundle(options.output) ? options.output : "";
  if (!bundle.empty()) options.output = fs::path(bundle).replace_extension(".deformer").string();
  options.train.features = ParseFeatures(options.features);
  options.train.precision = ParsePrecision(options.precision);
  const Hierarchy hierarchy = ReadHierarchy(options.hierarchy);
  const Dataset dataset(options.dataset);
  const TrainingFrames frames = FramesOf(dataset, hierarchy);
  const Json settings = SettingsOf(options, dataset, frames);
  const std::unique_ptr<Deformer> resume = FindCheckpoint(options, settings);

  TrainHooks hooks;
  hooks.resume = resume.get();
  hooks.checkpoint = [&](const Deformer& so_far) {
    Deformer checkpoint = so_far;
    checkpoint.settings = settings;
    WriteFileAtomic(CheckpointPath(options), FormatDeformer(checkpoint));
  };
  Training training = Train(hierarchy, frames, options.train, hooks);
  training.deformer.settings = settings;

  const double unit = dataset.manifest().metres_per_unit;
  Result result;
  result.json = {{"deformer", options.output}, {"settings", settings}, {"levels", Json::array()}};
  Json summary = result.json;
  for (size_t i = 0; i < training.levels.size(); ++i) {
    result.json["levels"].push_back(ToJson(training.levels[i], unit));
    summary["levels"].push_back(ToJson(training.levels[i], unit));
    summary["levels"].back()["curves"] = CurvesOf(training.fits[i], training.deformer.levels[i]);
  }
  WriteDeformer(options.output, hierarchy, training.deformer, summary);
  std::error_code ignored;
  fs::remove(CheckpointPath(options), ignored);
  if (!bundle.empty()) {
    const BakedCharacter baked = BakeCharacter(
        hierarchy, training.deformer, {.precision = options.train.precision, .seed = common.seed}, options.output);
    WriteFileAtomic(bundle, baked.baked.file.bytes());
    result.json["bundle"] = bundle;
    result.json["bundle_bytes"] = baked.baked.file.bytes().size();
  }
  result.json["training_frames"] = training.training_frames;
  result.json["validation_frames"] = training.validation_frames;
  result.json["outliers"] = training.outliers;
  result.text = Table(training, unit) +
                fmt::format("{} frames to train on, {} to validate with, {} outliers left out\n",
                            training.training_frames, training.validation_frames, training.outliers) +
                fmt::format("wrote {}\n", options.output);
  if (!bundle.empty()) result.text += fmt::format("wrote {}\n", bundle);
  return result;
}

}  // namespace

void AddTrainCommand(Commands& commands) {
  auto options = std::make_shared<Options>();
  CLI::App* app = commands.Add("train",
                               "Learns correctives for every level of a hierarchy from the truths of a dataset.\n"
                               "Kills and Ctrl-C lose less than a minute: --resume goes on from OUTPUT.partial.",
                               "sinew train body.dataset --hierarchy body.lod -o body.deformer",
                               [options](const Common& common) { return Run(*options, common); });
  app->add_option("dataset", options->dataset, "Folder that `sinew simulate` or `sinew dataset` wrote")->required();
  app->add_option("--hierarchy", options->hierarchy, "Folder that `sinew lod` wrote, of the same character")
      ->required();
  app->add_option("-o,--output", options->output,
                  "Folder for the deformer, or a bundle (.sinew): then both are written")
      ->required();
  app->add_option("--epsilon", options->train.epsilon,
                  "What bases may leave out: root mean square a region, as a fraction of the body's height")
      ->check(CLI::Range(1e-7, 1.0))
      ->capture_default_str();
  app->add_option("--features", options->features, "What networks see of a joint's rotation")
      ->check(CLI::IsMember({"quaternion", "columns", "euler"}))
      ->capture_default_str();
  AddPrecisionOption(app, options->precision,
                     "Of the bundle that it is meant for: finer levels learn what that leaves");
  app->add_option("--modes", options->train.most_modes, "Dimensions of a region, at most")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app->add_option("--width", options->train.most_width, "Units in a hidden layer, at most")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app->add_option("--steps", options->train.fit.steps, "Steps of Adam for a network, at most")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  app->add_option("--rate", options->train.fit.rate, "Learning rate at the start")
      ->check(CLI::Range(1e-6, 1.0))
      ->capture_default_str();
  app->add_option("--validation", options->train.validation, "Share of the frames that is kept for validation")
      ->check(CLI::Range(0.0, 0.9))
      ->capture_default_str();
  app->add_option(
         "--outliers", options->train.outliers,
         "Frames whose truth is farther from skinning than this fraction of the height are left out: limbs that "
         "pass through each other")
      ->check(CLI::Range(1e-3, 100.0))
      ->capture_default_str();
  app->add_flag("--single-level", options->train.single_level,
                "Every level by itself (Bailey et al. 2018), for comparison: larger and slower");
  app->add_flag("--resume", options->resume, "Go on from what a stopped run of the same call left in OUTPUT.partial");
}

}  // namespace sinew::cli
