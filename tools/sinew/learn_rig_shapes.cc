#include "tools/sinew/learn_rig_shapes.h"

#include <fmt/format.h>

#include <memory>

#include "sinew/offline/autorig/train_shapes.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/interrupt.h"
#include "sinew/offline/graphnet/frame_set.h"
#include "sinew/offline/learn/loss_curves.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct ShapesCall {
  std::string model, output, unseen_family, device = "cpu", masks = "sharp";
  std::vector<std::string> datasets, validation;
  double share = 0.1;
  int vertices = autorig::kWorkingVertices, meshes = 2;
  bool resume = false;
  autorig::TrainShapesOptions options;
};

std::string LineOf(const char* side, const autorig::ShapeErrors& errors) {
  return fmt::format("{}: {} poses on {} meshes, skinning {:.3f} mm off, with shapes {:.3f} mm\n", side, errors.poses,
                     errors.bodies, 1e3 * errors.envelope, 1e3 * errors.shapes);
}

Result RunTrainShapes(ShapesCall call, const Common& common) {
  autorig::TrainShapesOptions& options = call.options;
  options.masks = autorig::MaskOf(call.masks);
  options.run.seed = common.seed;
  options.run.threads = common.threads;
  options.run.cuda = call.device == "cuda";
  layers::CheckOptions(options.run);
  const fs::path checkpoint = call.output + ".state";
  if (fs::exists(checkpoint) && !call.resume) {
    throw UsageError(
        fmt::format("{} is of a training that was stopped; go on with --resume, or remove it", checkpoint.string()));
  }
  const Bytes bytes = ReadFile(call.model);
  learn::Model model = learn::DecodeModel(bytes, call.model);
  const autorig::RigNetwork network(model, call.model);
  const std::vector<fs::path> paths(call.datasets.begin(), call.datasets.end());
  const graphnet::SplitSources split =
      graphnet::OpenTraining({.paths = paths,
                              .validation = {call.validation.begin(), call.validation.end()},
                              .share = call.share,
                              .unseen_family = call.unseen_family,
                              .seed = common.seed});
  if (split.training.empty() || split.validation.empty()) {
    throw UsageError(
        fmt::format("there is no frame to {} with; give more frames, --validation or a larger "
                    "--validation-share",
                    split.training.empty() ? "train" : "validate"));
  }
  const OnInterrupt interrupt(fmt::format(
      "what was trained until half a minute ago is kept in {}, and the same call with --resume goes on from there",
      checkpoint.string()));
  const bool by_area = network.card().training.value("pooling", "area") == "area";
  const autorig::ShapedBodyOptions body{options.masks, call.vertices, by_area};
  const auto make = [&](const std::vector<graphnet::FrameSource>& sources) {
    return autorig::MakeShapedBodies(sources, network, body, call.meshes, common.seed);
  };
  const std::vector<autorig::ShapedBody> training = make(split.training), validation = make(split.validation);
  const autorig::TrainedShapes trained =
      autorig::TrainShapes(training, validation, options, HashHex(bytes), checkpoint, call.resume);
  const Json figures = {{"training", autorig::JsonOf(trained.training)},
                        {"validation", autorig::JsonOf(trained.validation)}};
  trained.branch.AddTo(model, figures);
  learn::WriteModel(model, call.output);
  learn::WriteCurves(trained.state.history, "Losses of " + fs::path(call.output).filename().string(), call.output);
  if (trained.finished) {
    std::error_code none;
    fs::remove(checkpoint, none);
  }
  Result result;
  result.json = {{"model", call.output},
                 {"read", graphnet::DescribePaths(paths)},
                 {"finished", trained.finished},
                 {"steps", trained.state.step},
                 {"training", trained.branch.training()},
                 {"parameters", trained.branch.parameter_count()},
                 {"figures", figures}};
  result.text = fmt::format("{} of {} steps; the best branch is that of step {}\n", trained.state.step,
                            options.run.steps, trained.state.best_step) +
                LineOf("training", trained.training) + LineOf("validation", trained.validation) +
                fmt::format("wrote {}, {}.csv and {}.svg\n", call.output, call.output, call.output) +
                (trained.finished ? "" : "the time is over; the same call with --resume goes on\n");
  return result;
}

void AddData(CLI::App& app, ShapesCall& call) {
  app.add_option("model", call.model, "Model file that `sinew learn rig` wrote")->required();
  app.add_option("datasets", call.datasets,
                 "Corpora or packed corpora of bipeds, of which the training frames are used, or datasets")
      ->required();
  app.add_option("-o,--output", call.output, "The model with the branch; loss curves are written beside it")
      ->required();
  app.add_option("--validation", call.validation,
                 "Datasets to choose the best branch by; without: those of a corpus or pack, or a share of the others");
  app.add_option("--validation-share", call.share, "That share")->check(CLI::Range(0.01, 0.9))->capture_default_str();
  app.add_option("--unseen-family", call.unseen_family,
                 "Family of a corpus to leave out, for a test of what is not known");
  app.add_option("--masks", call.masks,
                 "Where a joint's shapes end: sharp, at a weight of 0.05 (paper), or smooth, from 0.1 to 0.02")
      ->check(CLI::IsMember(autorig::MaskNames()))
      ->capture_default_str();
  app.add_option("--meshes", call.meshes, "How many meshes each body is remeshed to")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--vertices", call.vertices, "Vertices of these; other numbers than this are for trials")
      ->check(CLI::Range(100, 100000))
      ->capture_default_str();
}

}  // namespace

void AddTrainRigShapes(Commands& commands) {
  auto call = std::make_shared<ShapesCall>();
  CLI::App* app = commands.Add(
      "learn rig-shapes",
      "Trains blend shapes for a network that rigs meshes, on simulated bodies, with libtorch (scripts/torch\n"
      "builds what that needs): the residual branch of neural blend shapes. Joints and weights stay as they are.\n"
      "Kills and Ctrl-C lose less than a minute: --resume goes on.",
      "sinew learn rig-shapes rig.model people.corpus -o rig-shapes.model",
      [call](const Common& common) { return RunTrainShapes(*call, common); });
  AddData(*app, *call);
  app->add_option("--device", call->device, "Where it is trained")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  layers::RunOptions& run = call->options.run;
  app->add_option("--steps", run.steps, "Steps in all")->check(CLI::Range(1, 100000000))->capture_default_str();
  app->add_option("--minutes", run.minutes, "Stop after this time; --resume goes on; 0: no limit")
      ->check(CLI::Range(0.0, 1e5))
      ->capture_default_str();
  app->add_flag("--anneal", run.anneal,
                "With --minutes: let the learning rate fall to its end in that time, which then ends the training");
  app->add_option("--batch", run.batch, "Meshes per step")->check(CLI::Range(1, 1024))->capture_default_str();
  app->add_option("--poses", call->options.poses, "Poses of each in a step")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  app->add_option("--rate", run.rate,
                  "Learning rate of the shapes' first step, ten times that for coefficients; it falls along a cosine")
      ->check(CLI::Range(1e-7, 1.0))
      ->capture_default_str();
  app->add_flag("--resume", call->resume, "Go on from OUTPUT.state");
}

}  // namespace sinew::cli
