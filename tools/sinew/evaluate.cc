#include <fmt/format.h>

#include <memory>

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/dataset/training_frames.h"
#include "sinew/offline/deformer/deformer_file.h"
#include "sinew/offline/evaluate/bundle_method.h"
#include "sinew/offline/evaluate/evaluation_page.h"
#include "sinew/offline/evaluate/evaluation_plots.h"
#include "sinew/offline/evaluate/evaluation_text.h"
#include "sinew/offline/evaluate/layer_test.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/measure/timing_report.h"
#include "sinew/offline/tables/names.h"
#include "tools/sinew/precision.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string character, dataset, hierarchy, report, plots, single_level;
  std::string precision = "i8";
  bool no_pictures = false, delta_mush = false;
};

// A deformer as it would ship, or a bundle and the hierarchy that it was made of.
struct Subject {
  lod::Hierarchy hierarchy;
  bake::BakedBundle baked;
  bundle::LoadedBundle loaded;

  const runtime::Bundle& bundle() const { return loaded.bundle.empty() ? baked.bundle : loaded.bundle; }
  size_t bytes() const { return loaded.bundle.empty() ? baked.file.bytes().size() : loaded.file.bytes().size(); }
};

Subject ReadSubject(const std::string& path, const Options& options) {
  Subject subject;
  if (fs::path(path).extension() == ".sinew") {
    if (options.hierarchy.empty()) {
      throw UsageError(
          fmt::format("{} is a bundle, which cannot coarsen truths by itself: give the hierarchy or deformer "
                      "that it was made of with --hierarchy",
                      path));
    }
    subject.loaded = bundle::ReadBundle(path);
    subject.hierarchy = lod::ReadHierarchy(options.hierarchy);
    return subject;
  }
  deformer::TrainedCharacter trained = deformer::ReadDeformer(path);
  subject.hierarchy = std::move(trained.hierarchy);
  subject.baked = bake::BuildBundle(subject.hierarchy, trained.deformer, {},
                                    {.precision = tables::PrecisionNamed(options.precision)});
  return subject;
}

// What --plots and --report show besides the frames; files by name.
struct LevelPlots {
  std::string memory, time;
};

LevelPlots DrawLevels(const evaluate::Evaluation& evaluation, const std::vector<const runtime::Bundle*>& bundles,
                      double to_mm, const Common& common) {
  const measure::TimingOptions timing{.threads = {common.threads == 0 ? 2 : common.threads}, .rounds = 15};
  std::vector<evaluate::PlottedBundle> plotted;
  plotted.reserve(bundles.size());
  for (const runtime::Bundle* bundle : bundles) {
    plotted.push_back({bundle, measure::TimeBundle(*bundle, measure::PosesToTime(*bundle, 16, common.seed), timing)});
  }
  return {evaluate::MemoryPlot(evaluation, plotted, to_mm),
          evaluate::TimePlot(evaluation, plotted, timing.threads[0], to_mm)};
}

void WritePlots(const std::string& path, const LevelPlots& levels, const std::vector<std::string>& frames) {
  const auto may_replace = [](const fs::path& old) { return fs::exists(old / "error_memory.svg"); };
  WriteFolderAtomic(path, may_replace, [&](const fs::path& folder) {
    WriteFileAtomic(folder / "error_memory.svg", levels.memory);
    WriteFileAtomic(folder / "error_time.svg", levels.time);
    WriteFileAtomic(folder / "error_frames.svg", frames.back());
    if (frames.size() > 1) WriteFileAtomic(folder / "error_motion.svg", frames.front());
  });
}

Result Run(const Options& options, const Common& common) {
  const Subject subject = ReadSubject(options.character, options);
  const lod::Hierarchy& hierarchy = subject.hierarchy;
  const dataset::Dataset dataset(options.dataset);
  const dataset::TrainingFrames frames = dataset::FramesOf(dataset, hierarchy);
  evaluate::RefuseTrainedFrames(subject.bundle(), frames);
  std::vector<evaluate::Method> methods = {
      evaluate::BundleMethod("sinew", subject.bundle(), hierarchy, options.character)};
  Subject single;
  if (!options.single_level.empty()) {
    single = ReadSubject(options.single_level, options);
    methods.push_back(evaluate::BundleMethod("single-level", single.bundle(), hierarchy, options.single_level));
  }
  if (options.delta_mush) methods.push_back(evaluate::DeltaMushMethod(hierarchy));
  const evaluate::Evaluation evaluation = evaluate::EvaluateMethods(hierarchy, frames, methods);
  const evaluate::LayerTest layers = evaluate::TestLayers(hierarchy, frames, methods);
  const double unit = dataset.manifest().metres_per_unit, to_mm = 1e3 * unit;
  const int faded = evaluate::CountFaded(subject.bundle(), frames.poses);
  const int worse = evaluate::CountWorse(evaluation, 2, evaluation.level_count());  // behind the two that skin alone

  Result result;
  result.json = {{"character", options.character},  {"dataset", options.dataset},
                 {"frames", frames.count()},        {"touching_frames", evaluate::TouchingFrames(evaluation)},
                 {"faded_frames", faded},           {"worse_frames", worse},
                 {"bundle_bytes", subject.bytes()}, {"levels", evaluate::EvaluationJson(evaluation, to_mm)}};
  result.json["exact_mm"] = to_mm * evaluation.exact();
  result.json["roles"] = evaluate::RolesJson(evaluation.role_shares.back());
  if (!layers.empty()) result.json["layers_inside"] = evaluate::LayerJson(layers, to_mm);
  result.text = evaluate::EvaluationText(evaluation, to_mm) +
                fmt::format(
                    "{} frames, limbs touch in {}; correctives fade in {}; more than 5% worse than skinning on the "
                    "finest level in {}\n",
                    frames.count(), evaluate::TouchingFrames(evaluation), faded, worse);
  if (const std::string sentence = evaluate::LayerSentence(layers, to_mm); !sentence.empty()) {
    result.text += sentence + "\n";
  }
  LevelPlots plots;
  if (!options.report.empty() || !options.plots.empty()) {
    std::vector<const runtime::Bundle*> bundles = {&subject.bundle()};
    if (!options.single_level.empty()) bundles.push_back(&single.bundle());
    plots = DrawLevels(evaluation, bundles, to_mm, common);
  }
  if (!options.plots.empty()) {
    WritePlots(options.plots, plots, evaluate::FramePlots(evaluation, frames.motions, to_mm));
    result.json["plots"] = options.plots;
    result.text += fmt::format("wrote {}\n", options.plots);
  }
  if (!options.report.empty()) {
    report::Page page(options.character, "How near to the truth");
    page.Facts({{"dataset", options.dataset},
                {"frames", std::to_string(frames.count())},
                {"frames beyond the trained range", std::to_string(faded)},
                {"roles of its points", evaluate::RolesText(evaluation.role_shares.back())},
                {"bundle", fmt::format("{:.2f} MB", static_cast<double>(subject.bytes()) * 1e-6)}});
    evaluate::EvaluationPageInput input{.hierarchy = &hierarchy,
                                        .frames = &frames,
                                        .evaluation = &evaluation,
                                        .layers = &layers,
                                        .methods = methods,
                                        .metres_per_unit = unit,
                                        .plots = {plots.memory, plots.time}};
    if (options.no_pictures) input.worst_frames = 0;
    evaluate::AddEvaluation(input, page);
    WriteFileAtomic(options.report, page.Html());
    result.json["report"] = options.report;
    result.text += fmt::format("wrote {}\n", options.report);
  }
  return result;
}

}  // namespace

void AddEvaluateCommand(Commands& commands) {
  auto options = std::make_shared<Options>();
  CLI::App* app =
      commands.Add("evaluate",
                   "Measures a trained character against truths that it has not seen, at every level, beside "
                   "skinning alone",
                   "sinew evaluate body.deformer --dataset test.dataset --report test.html --plots test.plots",
                   [options](const Common& common) { return Run(*options, common); });
  app->add_option("character", options->character, "A deformer that `sinew train` wrote, or a bundle (.sinew)")
      ->required();
  app->add_option("--dataset", options->dataset, "Truths to measure against, none of them trained on")->required();
  app->add_option("--hierarchy", options->hierarchy,
                  "For a bundle: the hierarchy or deformer that it was made of, which can coarsen truths");
  app->add_option("--single-level", options->single_level,
                  "A deformer of `sinew train --single-level` to compare with");
  AddPrecisionOption(app, options->precision, "In which it is baked for this");
  app->add_flag("--delta-mush", options->delta_mush, "Measure Delta Mush after linear blend skinning, too");
  app->add_option("--report", options->report, "An HTML page with tables, plots and pictures");
  app->add_option("--plots", options->plots,
                  "A folder of plots (.svg): errors over the frames, and of every level against memory and time");
  app->add_flag("--no-pictures", options->no_pictures, "Leave the pictures out of the page");
}

}  // namespace sinew::cli
