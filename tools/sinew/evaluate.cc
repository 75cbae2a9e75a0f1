#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/bake/bundle_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/multires/bundle_method.h"
#include "sinew/offline/multires/dataset_frames.h"
#include "sinew/offline/multires/deformer_file.h"
#include "sinew/offline/multires/evaluation_page.h"
#include "tools/sinew/precision.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string character, dataset, hierarchy, report, single_level;
  std::string precision = "i8";
  bool no_pictures = false;
};

// A deformer as it would ship, or a bundle and the hierarchy that it was made of.
struct Subject {
  Hierarchy hierarchy;
  BakedBundle baked;
  LoadedBundle loaded;

  const runtime::Bundle& bundle() const { return loaded.bundle.empty() ? baked.bundle : loaded.bundle; }
  size_t bytes() const { return loaded.bundle.empty() ? baked.file.bytes().size() : loaded.file.bytes().size(); }
};

Subject ReadSubject(const std::string& path, const Options& options) {
  Subject subject;
  if (std::filesystem::path(path).extension() == ".sinew") {
    if (options.hierarchy.empty()) {
      throw UsageError(
          fmt::format("{} is a bundle, which cannot coarsen truths by itself: give the hierarchy or deformer "
                      "that it was made of with --hierarchy",
                      path));
    }
    subject.loaded = ReadBundle(path);
    subject.hierarchy = ReadHierarchy(options.hierarchy);
    return subject;
  }
  TrainedCharacter trained = ReadDeformer(path);
  subject.hierarchy = std::move(trained.hierarchy);
  subject.baked =
      BuildBundle(subject.hierarchy, trained.deformer, {}, {.precision = ParsePrecision(options.precision)});
  return subject;
}

Json ToJson(const LevelError& error, const LevelError& linear, double to_mm) {
  Json json = {{"rms_mm", to_mm * error.rms},
               {"max_mm", to_mm * error.max},
               {"of_linear_blend", linear.rms > 0 ? error.rms / linear.rms : 0.0}};
  if (error.truth_jitter > 0) json["jitter_of_truth"] = error.jitter / error.truth_jitter;
  return json;
}

Json ToJson(const Evaluation& evaluation, double to_mm) {
  Json levels = Json::array();
  for (int i = 0; i < evaluation.level_count(); ++i) {
    Json level = {{"level", i + 1}};
    for (size_t m = 0; m < evaluation.methods.size(); ++m) {
      Json& method = level[evaluation.methods[m]];
      method = ToJson(evaluation.errors[m][i], evaluation.errors[0][i], to_mm);
      method["free"] = ToJson(evaluation.free[m][i], evaluation.free[0][i], to_mm);
      method["touching"] = ToJson(evaluation.touching[m][i], evaluation.touching[0][i], to_mm);
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

std::string Table(const Evaluation& evaluation, double to_mm) {
  std::string text = fmt::format("{:>5} {:<18} {:>10} {:>8} {:>11} {:>12} {:>12} {:>10}\n", "level", "method", "rms",
                                 "share", "largest", "free share", "touch share", "jitter");
  const auto share = [](double a, double b) { return b > 0 ? fmt::format("{:.3f}", a / b) : std::string("-"); };
  for (int i = 0; i < evaluation.level_count(); ++i) {
    for (size_t m = 0; m < evaluation.methods.size(); ++m) {
      const LevelError& e = evaluation.errors[m][i];
      text += fmt::format(
          "{:>5} {:<18} {:>7.3f} mm {:>8} {:>8.2f} mm {:>12} {:>12} {:>10}\n", m == 0 ? std::to_string(i + 1) : "",
          evaluation.methods[m], to_mm * e.rms, share(e.rms, evaluation.errors[0][i].rms), to_mm * e.max,
          share(evaluation.free[m][i].rms, evaluation.free[0][i].rms),
          share(evaluation.touching[m][i].rms, evaluation.touching[0][i].rms), share(e.jitter, e.truth_jitter));
    }
  }
  return text +
         "rms: over all points and frames; share: of what linear blend skinning gets wrong; touch: frames in which "
         "limbs\n"
         "touch; jitter: frame-to-frame, of the truth's\n";
}

Result Run(const Options& options, const Common&) {
  const Subject subject = ReadSubject(options.character, options);
  const Hierarchy& hierarchy = subject.hierarchy;
  const Dataset dataset(options.dataset);
  const TrainingFrames frames = FramesOf(dataset, hierarchy);
  RefuseTrainedFrames(subject.bundle(), frames);
  std::vector<Method> methods = {BundleMethod("sinew", subject.bundle(), hierarchy, options.character)};
  Subject single;
  if (!options.single_level.empty()) {
    single = ReadSubject(options.single_level, options);
    methods.push_back(BundleMethod("single-level", single.bundle(), hierarchy, options.single_level));
  }
  const Evaluation evaluation = EvaluateMethods(hierarchy, frames, methods);
  const double unit = dataset.manifest().metres_per_unit, to_mm = 1e3 * unit;
  const int faded = CountFaded(subject.bundle(), frames.poses);

  Result result;
  result.json = {{"character", options.character},
                 {"dataset", options.dataset},
                 {"frames", frames.count()},
                 {"touching_frames", std::count(evaluation.touches.begin(), evaluation.touches.end(), true)},
                 {"faded_frames", faded},
                 {"bundle_bytes", subject.bytes()},
                 {"levels", ToJson(evaluation, to_mm)}};
  result.text = Table(evaluation, to_mm) +
                fmt::format("{} frames, limbs touch in {}; correctives fade in {}\n", frames.count(),
                            std::count(evaluation.touches.begin(), evaluation.touches.end(), true), faded);
  if (!options.report.empty()) {
    report::Page page(options.character, "How near to the truth");
    page.Facts({{"dataset", options.dataset},
                {"frames", std::to_string(frames.count())},
                {"frames beyond the trained range", std::to_string(faded)},
                {"bundle", fmt::format("{:.2f} MB", static_cast<double>(subject.bytes()) * 1e-6)}});
    EvaluationPageInput input{.hierarchy = &hierarchy,
                              .frames = &frames,
                              .evaluation = &evaluation,
                              .methods = methods,
                              .metres_per_unit = unit};
    if (options.no_pictures) input.worst_frames = 0;
    AddEvaluation(input, page);
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
                   "sinew evaluate body.deformer --dataset test.dataset --report test.html",
                   [options](const Common& common) { return Run(*options, common); });
  app->add_option("character", options->character, "A deformer that `sinew train` wrote, or a bundle (.sinew)")
      ->required();
  app->add_option("--dataset", options->dataset, "Truths to measure against, none of them trained on")->required();
  app->add_option("--hierarchy", options->hierarchy,
                  "For a bundle: the hierarchy or deformer that it was made of, which can coarsen truths");
  app->add_option("--single-level", options->single_level,
                  "A deformer of `sinew train --single-level` to compare with");
  AddPrecisionOption(app, options->precision, "In which it is baked for this");
  app->add_option("--report", options->report, "An HTML page with tables, plots and pictures");
  app->add_flag("--no-pictures", options->no_pictures, "Leave the pictures out of the page");
}

}  // namespace sinew::cli
