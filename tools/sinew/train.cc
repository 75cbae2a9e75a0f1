#include <fmt/format.h>

#include <memory>

#include "sinew/offline/bake/bake_character.h"
#include "sinew/offline/bake/texture_section.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/interrupt.h"
#include "sinew/offline/dataset/training_frames.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/multires/image_misfit.h"
#include "sinew/offline/multires/train_dataset.h"
#include "sinew/offline/tables/names.h"
#include "tools/sinew/precision.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string dataset, hierarchy, output, probe;
  multires::TrainOptions train;
  std::string features = "quaternion", precision = "i8", device = "cpu", method = "sinew";
  int shapes = multires::kUsualShapes;
  bool resume = false;
};

// Asked for a bundle, training writes the deformer beside it, under the same name.
bool WantsBundle(const std::string& output) { return fs::path(output).extension() == ".sinew"; }

std::string Table(const multires::Training& training, double unit) {
  std::string text =
      fmt::format("{:>5} {:>9} {:>10} {:>5} {:>10} {:>10} {:>11} {:>11} {:>11} {:>11}\n", "level", "networks",
                  "dimensions", "own", "bases", "networks", "to learn", "bases leave", "training", "validation");
  for (size_t i = 0; i < training.levels.size(); ++i) {
    const multires::LevelSummary& l = training.levels[i];
    const auto mm = [&](double length) { return fmt::format("{:.3f} mm", 1e3 * unit * length); };
    const auto mean = [&](int dimensions) {
      return l.networks == 0 ? 0 : static_cast<double>(dimensions) / l.networks;
    };
    text += fmt::format("{:>5} {:>9} {:>10.1f} {:>5.1f} {:>7.2f} MB {:>7.2f} MB {:>11} {:>11} {:>11} {:>11}\n", i + 1,
                        l.networks, mean(l.dimensions), mean(l.own_dimensions),
                        4e-6 * static_cast<double>(l.basis_values), 4e-6 * static_cast<double>(l.network_values),
                        mm(l.residual), mm(l.after_basis), mm(l.training), mm(l.validation));
  }
  return text +
         "own: dimensions of that level alone, which finer levels do not start from\n"
         "lengths: root mean square over points and frames, before skinning\n";
}

// Says whether mirror images were learned from, and why not.
std::string MirrorText(const multires::TrainOptions& options, const multires::Training& training) {
  if (!options.mirror) return "";
  if (training.images > 0) return "half of the frames to train on are mirror images of the others\n";
  if (training.image_misfit == 0) {
    return "no mirror images to train on: surface and joints are not the same left and right\n";
  }
  return fmt::format(
      "no mirror images to train on: flesh is not the same left and right (a misfit of {:.2f}, and {} is the most)\n",
      training.image_misfit, multires::kLargestMisfit);
}

Result Run(Options options, const Common& common) {
  options.train.seed = common.seed;
  if (options.method == "single-level") options.train.single_level = true;
  if (options.method == "blendshape") options.train.blend_shapes = options.shapes;
  if (options.train.single_level && options.train.blend_shapes > 0) {
    throw UsageError("--single-level and --method blendshape are two methods: leave one of both away");
  }
  const std::string bundle = WantsBundle(options.output) ? options.output : "";
  if (!bundle.empty()) options.output = fs::path(bundle).replace_extension(".deformer").string();
  options.train.device = options.device == "cuda" ? multires::TrainDevice::kCuda : multires::TrainDevice::kCpu;
  options.train.features = tables::PoseFeaturesNamed(options.features);
  options.train.precision = tables::PrecisionNamed(options.precision);
  const lod::Hierarchy hierarchy = lod::ReadHierarchy(options.hierarchy);
  const dataset::Dataset dataset(options.dataset);
  std::unique_ptr<dataset::Dataset> probe;
  dataset::TrainingFrames probed;
  if (!options.probe.empty()) {
    probe = std::make_unique<dataset::Dataset>(options.probe);
    probed = dataset::FramesOf(*probe, hierarchy);
    options.train.probe = &probed;
  }
  const OnInterrupt interrupt(fmt::format(
      "the regions that were trained until a few seconds ago are kept in {}, and the same call with --resume "
      "goes on from there",
      multires::PartialDeformer(options.output).string()));
  const multires::TrainedDataset trained =
      multires::TrainDataset(options.output, hierarchy, dataset, options.train, options.resume);
  const multires::Training& training = trained.training;

  Result result;
  result.json = {{"deformer", options.output}, {"settings", trained.settings}, {"levels", trained.levels}};
  if (!bundle.empty()) {
    bake::BakedCharacter baked = bake::BakeCharacter(
        hierarchy, training.deformer, {.precision = options.train.precision, .seed = common.seed}, options.output);
    size_t texture_bytes = 0;
    baked.baked = bake::WithTextures(std::move(baked.baked), hierarchy, &texture_bytes);
    WriteFileAtomic(bundle, baked.baked.file.bytes());
    result.json["bundle"] = bundle;
    result.json["bundle_bytes"] = baked.baked.file.bytes().size();
    result.json["texture_bytes"] = texture_bytes;
  }
  result.json["training_frames"] = training.training_frames;
  result.json["validation_frames"] = training.validation_frames;
  result.json["outliers"] = training.outliers;
  result.json["mirror_images"] = training.images;
  result.json["image_misfit"] = training.image_misfit;
  result.text = Table(training, dataset.manifest().metres_per_unit) +
                fmt::format("epsilon {:.3g} of the body's height\n", training.epsilon) +
                fmt::format("{} frames to train on, {} to validate with, {} outliers left out\n",
                            training.training_frames, training.validation_frames, training.outliers) +
                MirrorText(options.train, training) +
                (training.nothing_to_correct()
                     ? "networks are left out: nothing to correct, since the truths are what skinning gives\n"
                     : "") +
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
  app->add_option(
         "--epsilon", options->train.epsilon,
         fmt::format("What bases may leave out: root mean square a region, as a fraction of the body's height; "
                     "0: {:g} of what there is to learn, at least {:g}",
                     multires::kShareLeft, multires::kSmallestEpsilon))
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app->add_option("--features", options->features, "What networks see of a joint's rotation")
      ->check(CLI::IsMember(tables::PoseFeaturesNames()))
      ->capture_default_str();
  AddPrecisionOption(app, options->precision,
                     "Of the bundle that it is meant for: finer levels learn what that leaves");
  app->add_option("--device", options->device, "Where networks are trained; cuda needs what `scripts/cuda` builds")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  app->add_option("--modes", options->train.max_modes, "Dimensions of a region, at most")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app->add_option("--width", options->train.max_width, "Units in a hidden layer, at most")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app->add_flag(
      "!--no-mirror", options->train.mirror,
      "Learn from no mirror images of the frames, which are learned from otherwise if the character is the same "
      "left and right");
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
  app->add_option(
      "--probe", options->probe,
      "Truths of the same rig in poses of `sinew poses --probe`, which say what joints matter where; without "
      "it, the frames to learn from are asked");
  app->add_option(
         "--method", options->method,
         "sinew: levels build on coarser ones; single-level; blendshape: a few shapes of every joint, driven by "
         "its rotation alone")
      ->check(CLI::IsMember({"sinew", "single-level", "blendshape"}))
      ->capture_default_str();
  app->add_option("--shapes", options->shapes, "With --method blendshape: shapes of a joint, at most")
      ->check(CLI::Range(1, multires::kMostShapes))
      ->capture_default_str();
  app->add_flag("--single-level", options->train.single_level,
                "Every level by itself (Bailey et al. 2018), for comparison: larger and slower");
  app->add_flag("--resume", options->resume, "Go on from what a stopped run of the same call left in OUTPUT.partial");
}

}  // namespace sinew::cli
