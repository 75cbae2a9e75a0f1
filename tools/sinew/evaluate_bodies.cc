#include "tools/sinew/evaluate_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/corpus/load_corpus.h"
#include "sinew/offline/corpus/recipe.h"
#include "sinew/offline/survey/corpus_bodies.h"
#include "sinew/offline/survey/network_method.h"
#include "sinew/offline/survey/survey_methods.h"
#include "sinew/offline/survey/survey_page.h"
#include "sinew/offline/survey/survey_text.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kMethodNames = {"linear-blend",  "dual-quaternion", "delta-mush", "skincells",
                                               "voxel-weights", "single-level",    "sinew"};

// Throws UsageError for options of corpora where there is none.
void RefuseSidesOfDatasets(const std::vector<std::string>& inputs, const BodiesOptions& options) {
  if (options.side.empty() && options.unseen_family.empty()) return;
  const auto any = [](const std::vector<std::string>& texts) {
    return std::any_of(texts.begin(), texts.end(), corpus::IsCorpus);
  };
  if (any(inputs) || any(options.training)) return;
  throw UsageError("--side and --unseen-family are for corpora, and no input is one: leave them out");
}

std::vector<survey::Body> MeasuredBodies(const std::vector<std::string>& inputs, const BodiesOptions& options) {
  const dataset::Side side = corpus::SideNamed(options.side).value_or(dataset::Side::kTest);
  return survey::OpenBodies(inputs, {side, options.unseen_family});
}

// Returns what is given with --training, or else the training frames of the corpora that are measured.
std::vector<survey::Body> TrainedBodies(const std::vector<std::string>& inputs, const BodiesOptions& options) {
  const survey::SideOptions training{dataset::Side::kTrain, options.unseen_family};
  if (!options.training.empty()) return survey::OpenBodies(options.training, training);
  std::vector<survey::Body> bodies;
  for (const std::string& input : inputs) {
    if (!corpus::IsCorpus(input)) continue;
    std::vector<survey::Body> more = survey::BodiesOfCorpus(input, training);
    std::move(more.begin(), more.end(), std::back_inserter(bodies));
  }
  return bodies;
}

// Splits a list of files with commas between them; a file whose name has commas is one.
std::vector<fs::path> ModelFiles(const fs::path& list) {
  if (fs::exists(list)) return {list};
  std::vector<fs::path> files;
  std::istringstream text(list.string());
  for (std::string file; std::getline(text, file, ',');) files.emplace_back(file);
  return files;
}

std::vector<survey::BodyMethod> MethodsOf(const MethodOptions& methods, const BodiesOptions& options,
                                          const Common& common, size_t bodies) {
  std::vector<std::string> names = methods.names;
  if (names.empty()) names = {"dual-quaternion", "delta-mush"};
  RefuseRepeatedMethods(names);
  std::vector<survey::BodyMethod> made;
  for (const std::string& name : names) {
    if (name == "dual-quaternion") made.push_back(survey::DualQuaternionMethod());
    if (name == "delta-mush") made.push_back(survey::DeltaMushMethod());
    if (name == "voxel-weights") made.push_back(survey::VoxelWeightsMethod());
    if (name == "skincells") {
      made.push_back(survey::SkincellsMethod({.folder = methods.field, .steps = options.steps, .seed = common.seed}));
    }
    if (name == "single-level" || name == "sinew") {
      throw UsageError(
          fmt::format("--methods names {}, which is of a trained character: write its shapes with `sinew deform` and "
                      "give them with "
                      "--shapes",
                      name));
    }
  }
  for (const NamedFile& model : ParseNamedFiles("--model", methods.models)) {
    const std::vector<fs::path> files = ModelFiles(model.path);
    made.push_back(files.size() == 1 ? survey::NetworkMethod(model.name, files[0])
                                     : survey::EnsembleMethod(model.name, files));
  }
  for (const NamedFile& shapes : ParseNamedFiles("--shapes", methods.shapes)) {
    if (bodies > 1 && !fs::is_directory(shapes.path)) {
      throw UsageError(
          fmt::format("--shapes {}: there are {} bodies; give a folder with one array (.npy) per body, "
                      "named as its dataset",
                      shapes.path.string(), bodies));
    }
    made.push_back(survey::RecordedShapes(shapes.name, shapes.path));
  }
  return made;
}

}  // namespace

void AddMethodOptions(CLI::App* app, MethodOptions& options) {
  app->add_option(
         "--methods", options.names,
         "What is measured besides linear blend skinning, in this order; none given: dual-quaternion, sinew, "
         "and single-level if there is one; of datasets dual-quaternion and delta-mush, which is Delta Mush "
         "after linear blend skinning. skincells is linear blend skinning with the weights of a field, voxel-weights "
         "(of datasets) with weights by distances through the body")
      ->delimiter(',')
      ->check(CLI::IsMember(kMethodNames));
  app->add_option("--shapes", options.shapes,
                  "Another method's shapes, as [NAME=]FILE.npy: frames x vertices x 3, in model space, in the order of "
                  "the dataset's frames and of the character's vertices; for several datasets a folder of such files, "
                  "named as the datasets; may be given several times")
      ->take_all()
      ->allow_extra_args(false);
  app->add_option("--model", options.models,
                  "For datasets and corpora: a network that `sinew learn train` wrote, as [NAME=]FILE.model; several "
                  "with commas between them answer with their mean, as in `sinew teach`; frames that it has seen are "
                  "refused; may be given several times")
      ->take_all()
      ->allow_extra_args(false);
  app->add_option("--field", options.field,
                  "For skincells: the character's field (.field); for datasets a folder of fields, named as the "
                  "datasets, in which those that are missing are fitted and kept");
}

void RefuseRepeatedMethods(const std::vector<std::string>& names) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) != name) {
      throw UsageError(fmt::format("--methods names {} twice", *name));
    }
  }
}

std::vector<NamedFile> ParseNamedFiles(const std::string& option, const std::vector<std::string>& texts) {
  std::vector<std::string> taken = {"truth"};
  for (std::string name : kMethodNames) {
    taken.push_back(name);
    std::replace(name.begin(), name.end(), '-', ' ');
    taken.push_back(name);
  }
  std::vector<NamedFile> files;
  for (const std::string& text : texts) {
    const size_t sign = fs::exists(text) ? std::string::npos : text.find('=');
    const fs::path path = sign == std::string::npos ? fs::path(text) : fs::path(text.substr(sign + 1));
    const fs::path first = fs::exists(path) ? path : fs::path(text.substr(0, text.find(',')));
    const std::string name = sign == std::string::npos ? first.stem().string() : text.substr(0, sign);
    if (name.empty() || std::find(taken.begin(), taken.end(), name) != taken.end()) {
      throw UsageError(
          fmt::format("{} {}: \"{}\" cannot be its name, which another method has or which is empty; "
                      "give it as NAME=FILE",
                      option, text, name));
    }
    taken.push_back(name);
    files.push_back({name, path});
  }
  return files;
}

void AddBodiesOptions(CLI::App* app, BodiesOptions& options) {
  const std::string group = "Of datasets and corpora";
  app->add_option("--side", options.side, "Frames of corpora that are measured; none given: test")
      ->check(CLI::IsMember({"validation", "test"}))
      ->group(group);
  app->add_option("--unseen-family", options.unseen_family,
                  "Family of the corpora that training left out: all its bodies are tested on")
      ->group(group);
  app->add_option("--training", options.training,
                  "What the methods were trained on, as [FAMILY=]DATASET or CORPUS, which stands for its training "
                  "frames: distances to the nearest training pose and body are said beside every figure; none given: "
                  "the training frames of the corpora that are measured")
      ->group(group);
  app->add_option("-o,--output", options.output, "A file (.json) with all figures")->group(group);
  app->add_option("--steps", options.steps, "For skincells: most steps of the optimisation of a field")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str()
      ->group(group);
  app->add_flag("--crossings", options.crossings, "Count crossing triangles, too, which takes long")->group(group);
}

bool AreBodies(const std::vector<std::string>& inputs, bool with_truths) {
  const auto other = std::find_if_not(inputs.begin(), inputs.end(), survey::NamesBodies);
  if (other == inputs.end()) return true;
  if (inputs.size() == 1 && with_truths) return false;
  if (const fs::path path = survey::ParseBody(*other).dataset; !fs::exists(*other) && !fs::exists(path)) {
    throw InputError(path.string(), "", "does not exist", "give a dataset, a corpus or a trained character");
  }
  if (inputs.size() == 1) return false;
  throw UsageError(fmt::format(
      "{} is no dataset: give one trained character with --dataset, or datasets and corpora alone", *other));
}

Result EvaluateBodies(const std::vector<std::string>& inputs, const MethodOptions& methods,
                      const BodiesOptions& options, const std::string& report, const Common& common) {
  RefuseSidesOfDatasets(inputs, options);
  const std::vector<survey::Body> bodies = MeasuredBodies(inputs, options);
  survey::RefuseRepeated(bodies);
  const std::vector<survey::BodyMethod> made = MethodsOf(methods, options, common, bodies.size());
  std::optional<survey::TrainingBodies> training;
  if (const std::vector<survey::Body> trained = TrainedBodies(inputs, options); !trained.empty()) {
    training.emplace(trained);
  }
  const survey::Survey measured = survey::MeasureBodies(
      bodies, made, {.training = training ? &*training : nullptr, .crossings = options.crossings});
  Result result;
  result.json = survey::SurveyJson(measured);
  result.text = survey::SurveyText(measured);
  if (!options.output.empty()) {
    WriteFileAtomic(options.output, JsonText(result.json, 1) + "\n");
    result.text += fmt::format("wrote {}\n", options.output);
  }
  if (report.empty()) return result;
  report::Page page("How near to the truth", survey::SizeText(measured));
  survey::AddSurvey(measured, page);
  WriteFileAtomic(report, page.Html());
  result.json["report"] = report;
  result.text += fmt::format("wrote {}\n", report);
  return result;
}

}  // namespace sinew::cli
