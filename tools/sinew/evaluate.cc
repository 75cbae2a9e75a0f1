#include <fmt/format.h>

#include <algorithm>
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
#include "sinew/offline/evaluate/measure_table.h"
#include "sinew/offline/evaluate/recorded_method.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/measure/timing_report.h"
#include "sinew/offline/skincells/field_file.h"
#include "sinew/offline/survey/survey_methods.h"
#include "sinew/offline/tables/names.h"
#include "tools/sinew/evaluate_bodies.h"
#include "tools/sinew/precision.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> inputs;
  std::string character;  // the one input that is no dataset
  std::string dataset, hierarchy, plots, single_level;
  std::string precision = "i8";
  MethodOptions of_methods;
  BodiesOptions of_bodies;
  std::string report;
  bool no_pictures = false;
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

// A character and what it is compared with. Methods hold references into the others.
struct Compared {
  Subject subject, single;
  std::vector<evaluate::Method> methods;  // without linear blend, which is always measured
};

// Names of the methods as --methods spells them.
std::string OptionOf(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

// Returns the methods that are asked for, in their order; without --methods dual quaternions, the character, and the
// single-level method if there is one.
std::vector<std::string> MethodsOf(const Options& options) {
  const std::string single = OptionOf(evaluate::kSingleLevel);
  std::vector<std::string> names = options.of_methods.names;
  if (names.empty()) {
    names = {OptionOf(evaluate::kDualQuaternion), evaluate::kSinew};
    if (!options.single_level.empty()) names.push_back(single);
  }
  RefuseRepeatedMethods(names);
  const bool listed = std::find(names.begin(), names.end(), single) != names.end();
  if (listed && options.single_level.empty()) {
    throw UsageError("--methods names single-level: give its deformer or bundle with --single-level");
  }
  if (!listed && !options.single_level.empty()) {
    throw UsageError("--single-level gives a method that --methods leaves out: add single-level there");
  }
  const bool skincells = std::find(names.begin(), names.end(), survey::kSkincells) != names.end();
  if (skincells && options.of_methods.field.empty()) {
    throw UsageError("--methods names skincells: give the character's weight field (.field) with --field");
  }
  if (std::find(names.begin(), names.end(), OptionOf(survey::kVoxelWeights)) != names.end()) {
    throw UsageError("--methods names voxel-weights, which is for the bodies of datasets and corpora: leave it out");
  }
  return names;
}

std::unique_ptr<Compared> ReadCompared(const Options& options) {
  const std::vector<std::string> names = MethodsOf(options);
  auto compared = std::make_unique<Compared>();
  compared->subject = ReadSubject(options.character, options);
  if (!options.single_level.empty()) compared->single = ReadSubject(options.single_level, options);
  const lod::Hierarchy& hierarchy = compared->subject.hierarchy;
  for (const std::string& name : names) {
    if (name == OptionOf(evaluate::kDualQuaternion)) {
      compared->methods.push_back(evaluate::SkinningMethod(hierarchy, true));
    } else if (name == OptionOf(evaluate::kDeltaMush)) {
      compared->methods.push_back(evaluate::DeltaMushMethod(hierarchy));
    } else if (name == OptionOf(evaluate::kSingleLevel)) {
      compared->methods.push_back(
          evaluate::BundleMethod(name, compared->single.bundle(), hierarchy, options.single_level));
    } else if (name == survey::kSkincells) {
      const std::string& field = options.of_methods.field;
      compared->methods.push_back(survey::FieldMethod(hierarchy, skincells::ReadField(field), field));
    } else if (name == evaluate::kSinew) {
      compared->methods.push_back(
          evaluate::BundleMethod(name, compared->subject.bundle(), hierarchy, options.character));
    }
  }
  return compared;
}

// What --plots and --report show besides the frames; files by name.
struct LevelPlots {
  std::string memory, time;
};

LevelPlots DrawLevels(const evaluate::Evaluation& evaluation, const Compared& compared, double to_mm,
                      const Common& common) {
  const measure::TimingOptions timing{.threads = {common.threads == 0 ? 2 : common.threads}, .rounds = 15};
  std::vector<evaluate::PlottedBundle> plotted;
  const auto add = [&](const char* name, const runtime::Bundle& bundle) {
    plotted.push_back(
        {name, &bundle, measure::TimeBundle(bundle, measure::PosesToTime(bundle, 16, common.seed), timing)});
  };
  add(evaluate::kSinew, compared.subject.bundle());
  if (!compared.single.bundle().empty()) add(evaluate::kSingleLevel, compared.single.bundle());
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

Result EvaluateCharacter(const Options& options, const Common& common) {
  const std::vector<NamedFile> recorded = ParseNamedFiles("--shapes", options.of_methods.shapes);
  const std::unique_ptr<Compared> compared = ReadCompared(options);
  const Subject& subject = compared->subject;
  const lod::Hierarchy& hierarchy = subject.hierarchy;
  const dataset::Dataset dataset(options.dataset);
  const dataset::TrainingFrames frames = dataset::FramesOf(dataset, hierarchy);
  for (const NamedFile& shapes : recorded) {
    compared->methods.push_back(evaluate::RecordedMethod(shapes.name, shapes.path, dataset, hierarchy));
  }
  evaluate::RefuseTrainedFrames(subject.bundle(), frames);
  const double unit = dataset.manifest().metres_per_unit, to_mm = 1e3 * unit;
  const evaluate::Evaluation evaluation =
      evaluate::EvaluateMethods(hierarchy, frames, compared->methods, {.metres_per_unit = unit});
  const evaluate::LayerTest layers = evaluate::TestLayers(hierarchy, frames, compared->methods);
  const int faded = evaluate::CountFaded(subject.bundle(), frames.poses);

  Result result;
  result.json = {{"character", options.character}, {"dataset", options.dataset},
                 {"frames", frames.count()},       {"touching_frames", evaluate::TouchingFrames(evaluation)},
                 {"faded_frames", faded},          {"bundle_bytes", subject.bytes()},
                 {"methods", evaluation.methods},  {"levels", evaluate::EvaluationJson(evaluation, to_mm)}};
  result.json["exact_mm"] = to_mm * evaluation.exact();
  result.json["roles"] = evaluate::RolesJson(evaluation.role_shares.back());
  if (!layers.empty()) result.json["layers_inside"] = evaluate::LayerJson(layers, to_mm);
  result.text = evaluate::EvaluationText(evaluation, to_mm) + "\n" + evaluate::MeasuresText(evaluation, to_mm) +
                fmt::format("{} frames, limbs touch in {}; correctives fade in {}\n", frames.count(),
                            evaluate::TouchingFrames(evaluation), faded);
  if (const std::string sentence = evaluate::LayerSentence(layers, to_mm); !sentence.empty()) {
    result.text += sentence + "\n";
  }
  LevelPlots plots;
  if (!options.report.empty() || !options.plots.empty()) {
    plots = DrawLevels(evaluation, *compared, to_mm, common);
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
                                        .methods = compared->methods,
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

Result Run(Options options, const Common& common) {
  if (AreBodies(options.inputs, !options.dataset.empty())) {
    if (!options.dataset.empty() || !options.hierarchy.empty() || !options.plots.empty() ||
        !options.single_level.empty()) {
      throw UsageError(
          "--dataset, --hierarchy, --single-level and --plots are for a trained character: leave them out to measure "
          "the bodies of datasets and corpora");
    }
    return EvaluateBodies(options.inputs, options.of_methods, options.of_bodies, options.report, common);
  }
  if (options.dataset.empty()) {
    throw UsageError(
        fmt::format("{} is no dataset: give the truths to measure it against with --dataset", options.inputs[0]));
  }
  const BodiesOptions& of_bodies = options.of_bodies;
  if (!of_bodies.training.empty() || !of_bodies.output.empty() || of_bodies.crossings || !of_bodies.side.empty() ||
      !of_bodies.unseen_family.empty() || !options.of_methods.models.empty()) {
    throw UsageError(
        "--training, --side, --unseen-family, --model, --output and --crossings are for the bodies of datasets and "
        "corpora: leave them out");
  }
  options.character = options.inputs[0];
  return EvaluateCharacter(options, common);
}

void AddCharacterOptions(CLI::App* app, Options& options) {
  const std::string group = "Of a trained character";
  app->add_option("--dataset", options.dataset, "Truths to measure against, none of them trained on")->group(group);
  app->add_option("--hierarchy", options.hierarchy,
                  "For a bundle: the hierarchy or deformer that it was made of, which can coarsen truths")
      ->group(group);
  app->add_option("--single-level", options.single_level, "A deformer of `sinew train --single-level` to compare with")
      ->group(group);
  AddPrecisionOption(app, options.precision, "In which it is baked for this");
  app->get_option("--precision")->group(group);
  app->add_option("--plots", options.plots,
                  "A folder of plots (.svg): errors over the frames, and of every level against memory and time")
      ->group(group);
  app->add_flag("--no-pictures", options.no_pictures, "Leave the pictures out of the page")->group(group);
}

}  // namespace

void AddEvaluateCommand(Commands& commands) {
  auto options = std::make_shared<Options>();
  CLI::App* app = commands.Add(
      "evaluate",
      "Measures methods against truths that they have not seen, beside skinning alone: a trained character at every\n"
      "level, or the bodies of any number of datasets and corpora on their own meshes, with tables over bodies, "
      "families and "
      "regions",
      "sinew evaluate body.deformer --dataset test.dataset --report test.html --plots test.plots\n"
      "  sinew evaluate adults=a.dataset adults=b.dataset cartoons=c.dataset --training adults=d.dataset --report "
      "bodies.html\n"
      "  sinew evaluate other.dataset --model people.model --report people.html",
      [options](const Common& common) { return Run(*options, common); });
  app->add_option("INPUT", options->inputs,
                  "A deformer that `sinew train` wrote or a bundle (.sinew); or datasets, each of one body: "
                  "[FAMILY=]DATASET; or corpora, each for its bodies and test frames")
      ->required();
  AddMethodOptions(app, options->of_methods);
  app->add_option("--report", options->report, "An HTML page with tables, plots and pictures");
  AddCharacterOptions(app, *options);
  AddBodiesOptions(app, options->of_bodies);
}

}  // namespace sinew::cli
