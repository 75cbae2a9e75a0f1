// Stages of a build that learn correctives and bake them: training, single-level, blend-shapes, bundle.
#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/bake/bake_character.h"
#include "sinew/offline/bake/texture_section.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/deformer/deformer_file.h"
#include "sinew/offline/evaluate/methods.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/measure/timing_report.h"
#include "sinew/offline/multires/train_dataset.h"
#include "sinew/offline/pipeline/chain.h"
#include "sinew/offline/pipeline/cost.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/pipeline/method_choice.h"
#include "sinew/offline/tables/names.h"

namespace sinew::pipeline {
namespace {

// About how many networks are trained: what was measured, or one per region and level. A small mesh has fewer of both.
int NetworksOf(const Request& request, int vertices, bool single_level) {
  const Calibration& measured = request.calibration;
  const int networks = single_level ? measured.single_level_networks : measured.networks;
  if (networks >= 0) return networks;
  const std::vector<int> points = PointsOf(request.config, vertices);
  const int coarsest = points.empty() ? vertices : points.back();
  return std::min(request.config.Whole("hierarchy", "regions"), coarsest) * static_cast<int>(points.size() + 1);
}

// Returns the deformer that training by a method writes.
const char* DeformerOf(const MethodPlan& methods, bool single_level) {
  if (single_level) return kSingleDeformer;
  return methods.copies() || methods.names_sinew() ? kMultiDeformer : kDeformer;
}

// Settings of training that decide about blend shapes, and no other method.
constexpr const char* kShapes = "training.shapes";

Stage TrainingStage(const Request& request, const Subject& subject, const MethodPlan& methods, bool single_level) {
  const Config& config = request.config;
  const char* const output = DeformerOf(methods, single_level);
  const char* const what_for = methods.chooses      ? "learn by the single-level method, to ship the better one"
                               : methods.compares() ? "learn by the single-level method, to compare"
                                                    : "learn correctives by the single-level method";
  Stage stage{.name = single_level ? "single-level" : "training",
              .does = single_level ? what_for : "learn correctives",
              .needs = {kLevels, kTrainingTruths},
              .version = 2};
  stage.settings = config.Section("training");
  stage.settings.erase("training.method");  // decides about what ships, not about what is learned
  stage.settings.erase(kShapes);
  if (single_level) {
    stage.settings.erase("training.epsilon");
    stage.settings.update(config.Section("single_level"));
  }
  stage.settings["seed"] = request.seed;
  stage.outputs = {output};
  stage.partial = {multires::PartialDeformer(output).string()};
  stage.keeps = "trained regions";
  stage.cost = TrainingCost(request.calibration, TrainingFrames(config, subject), subject.vertices,
                            NetworksOf(request, subject.vertices, single_level), config.Whole("training", "steps"));
  stage.remedy = "more or other poses.training may help, and 'sinew dataset info' says what the truths are like";
  stage.run = [request, output, single_level](const StageContext& context) {
    multires::TrainDataset(context.folder / output, lod::ReadHierarchy(context.folder / kLevels),
                           dataset::Dataset(context.folder / kTrainingTruths), TrainingOptions(request, single_level),
                           true);
  };
  return stage;
}

// Trains blend shapes of joints, which ship. They take a fraction of the time of the other methods.
Stage BlendShapesStage(const Request& request, const Subject& subject, const MethodPlan& methods) {
  Stage stage = TrainingStage(request, subject, methods, false);
  stage.name = "blend-shapes";
  stage.does = "learn blend shapes of joints";
  stage.settings.update(request.config.Pick("training", {"shapes"}));
  stage.outputs = {kDeformer};
  stage.partial = {multires::PartialDeformer(kDeformer).string()};
  stage.cost = TrainingCost(request.calibration, TrainingFrames(request.config, subject), subject.vertices,
                            subject.joints * request.config.Whole("hierarchy", "levels"),
                            request.config.Whole("training", "steps"));
  stage.run = [request](const StageContext& context) {
    multires::TrainOptions options = TrainingOptions(request, false);
    options.blend_shapes = request.config.Whole("training", "shapes");
    multires::TrainDataset(context.folder / kDeformer, lod::ReadHierarchy(context.folder / kLevels),
                           dataset::Dataset(context.folder / kTrainingTruths), options, true);
  };
  return stage;
}

// Sentences about what training left out, and about networks that are not stored in the precision asked for.
std::vector<std::string> Exceptions(const std::filesystem::path& deformer, const bake::BakedCharacter& made) {
  const std::filesystem::path file = deformer / "training.json";
  const Json training = ParseJson(ReadTextFile(file), file.string());
  std::vector<std::string> sentences = training.value("left_out", std::vector<std::string>{});
  const runtime::Bundle& bundle = made.baked.bundle;
  for (int i = 1; made.precision != runtime::Precision::kF32 && i <= bundle.level_count(); ++i) {
    int large = 0;
    const runtime::NetworkTable& networks = bundle.level(i).networks;
    for (int n = 0; n < networks.network_count(); ++n) {
      large += networks.network(n).precision == static_cast<uint32_t>(runtime::Precision::kF32) ? 1 : 0;
    }
    if (large == 0) continue;
    sentences.push_back(
        fmt::format("level {} has {} with weights too large for half precision, stored in full precision", i,
                    large == 1 ? "1 network" : fmt::format("{} networks", large)));
    LogWarning(sentences.back());
  }
  return sentences;
}

Json Bake(const Request& request, const std::filesystem::path& deformer, const std::filesystem::path& bundle,
          size_t max_bytes) {
  const deformer::TrainedCharacter trained = deformer::ReadDeformer(deformer);
  bake::BakedCharacter made =
      bake::BakeCharacter(trained.hierarchy, trained.deformer,
                          {.precision = tables::PrecisionNamed(request.config.String("training", "precision")),
                           .max_bytes = max_bytes,
                           .normals = request.config.Flag("bundle", "normals"),
                           .seed = request.seed},
                          deformer.filename().string());
  const double unit = trained.deformer.settings.value("metres_per_unit", 1.0);
  measure::BundleTimings sizes;
  sizes.memory = measure::MemoryOf(made.baked.bundle);
  Json facts = {{"file", bundle.filename().string()},
                {"bytes", made.baked.file.bytes().size()},
                {"precision", tables::NameOf(made.precision)},
                {"precision_cost", Json::array()},
                {"memory", measure::TimingsJson(sizes).at("memory")}};
  if (const std::vector<std::string> sentences = Exceptions(deformer, made); !sentences.empty()) {
    facts["exceptions"] = sentences;
  }
  for (const bake::PrecisionError& cost : made.cost) {
    facts["precision_cost"].push_back({{"rms_mm", 1e3 * unit * cost.rms}, {"largest_mm", 1e3 * unit * cost.largest}});
  }
  // The sizes above do not include textures, which are copied from the character's file at their size.
  size_t texture_bytes = 0;
  made.baked = bake::WithTextures(std::move(made.baked), trained.hierarchy, &texture_bytes);
  facts["texture_bytes"] = texture_bytes;
  WriteFileAtomic(bundle, made.baked.file.bytes());
  return facts;
}

// Copies a trained deformer to the place of the one that ships.
void CopyDeformer(const std::filesystem::path& from, const std::filesystem::path& to) {
  WriteFolderAtomic(
      to, [](const std::filesystem::path&) { return true; },
      [&](const std::filesystem::path& into) {
        for (const auto& entry : std::filesystem::directory_iterator(from)) {
          WriteFileAtomic(into / entry.path().filename(), ReadFile(entry.path()));
        }
      });
}

Candidate CandidateOf(const std::filesystem::path& deformer, const Json& facts, bool limited) {
  const std::filesystem::path file = deformer / "training.json";
  return {ParseJson(ReadTextFile(file), file.string()), facts, limited};
}

// Bakes both methods and ships the better one. Returns the content of bundle.json.
Json BakeBetter(const Request& request, const std::filesystem::path& folder, size_t max_bytes) {
  const Json sinew = Bake(request, folder / kMultiDeformer, folder / kMultiBundle, max_bytes);
  const Json single = Bake(request, folder / kSingleDeformer, folder / kSingleBundle, max_bytes);
  const bool limited = max_bytes > 0;
  const MethodChoice choice = ChooseMethod(CandidateOf(folder / kMultiDeformer, sinew, limited),
                                           CandidateOf(folder / kSingleDeformer, single, limited));
  CopyDeformer(folder / (choice.single_level ? kSingleDeformer : kMultiDeformer), folder / kDeformer);
  WriteFileAtomic(folder / kBundle, ReadFile(folder / (choice.single_level ? kSingleBundle : kMultiBundle)));
  Info("{}", choice.why);
  Json facts = {
      {"sinew", choice.single_level ? single : sinew},
      {choice.single_level ? evaluate::kMultiResolution : evaluate::kSingleLevel, choice.single_level ? sinew : single},
      {"shipped", {{"method", choice.single_level ? kMethodSingleLevel : kMethodSinew}, {"why", choice.why}}}};
  facts["sinew"]["file"] = kBundle;
  return facts;
}

// Ships the single-level method without comparing it. Returns the content of bundle.json.
Json BakeSingleLevel(const Request& request, const std::filesystem::path& folder, size_t max_bytes) {
  CopyDeformer(folder / kSingleDeformer, folder / kDeformer);
  return {{"sinew", Bake(request, folder / kDeformer, folder / kBundle, max_bytes)},
          {"shipped",
           {{"method", kMethodSingleLevel},
            {"why", fmt::format("The file that ships, {}, has the correctives of the single-level method, as "
                                "training.method asks for.",
                                kBundle)}}}};
}

// Bakes Sinew's method to ship it, and the single-level one to compare with. Returns the content of bundle.json.
Json BakeSinew(const Request& request, const std::filesystem::path& folder, size_t max_bytes, bool compare) {
  Json facts = {{"sinew", Bake(request, folder / kDeformer, folder / kBundle, max_bytes)}};
  if (compare) facts[evaluate::kSingleLevel] = Bake(request, folder / kSingleDeformer, folder / kSingleBundle, 0);
  return facts;
}

// Ships blend shapes, and bakes Sinew's method to compare with. Returns the content of bundle.json.
Json BakeBlendShapes(const Request& request, const std::filesystem::path& folder, size_t max_bytes, bool compare) {
  Json facts = {
      {"sinew", Bake(request, folder / kDeformer, folder / kBundle, max_bytes)},
      {"shipped",
       {{"method", kMethodBlendShape},
        {"why",
         fmt::format("The file that ships, {}, has blend shapes of joints, as training.method asks for.", kBundle)}}}};
  if (compare) facts[evaluate::kMultiResolution] = Bake(request, folder / kMultiDeformer, folder / kMultiBundle, 0);
  return facts;
}

Stage BundleStage(const Request& request, const Subject& subject, const MethodPlan& methods) {
  Stage stage{.name = "bundle", .does = "bake the file to ship", .needs = {}, .version = 2};
  stage.settings = request.config.Section("bundle");
  stage.settings.update(request.config.Pick("training", {"precision"}));
  stage.settings["seed"] = request.seed;
  if (methods.trains_sinew) stage.needs.emplace_back(DeformerOf(methods, false));
  if (methods.trains_single) stage.needs.emplace_back(kSingleDeformer);
  if (methods.blends) stage.needs.emplace_back(kDeformer);
  stage.outputs = {kBundle, kBundleFacts};
  if (methods.compares() && !methods.blends) stage.outputs.emplace_back(kSingleBundle);
  if (methods.compares() && methods.names_sinew()) stage.outputs.emplace_back(kMultiBundle);
  if (methods.copies()) stage.outputs.emplace_back(kDeformer);
  if (methods.copies() || methods.blends) stage.settings.update(request.config.Pick("training", {"method"}));
  stage.cost = BundleCost(request.calibration, (methods.compares() ? 2 : 1) * subject.vertices);
  stage.remedy = "raise bundle.budget_kb, or train with a larger training.epsilon";
  stage.run = [request, methods](const StageContext& context) {
    const size_t most = static_cast<size_t>(request.config.Whole("bundle", "budget_kb")) * 1000;
    const Json facts = methods.blends          ? BakeBlendShapes(request, context.folder, most, methods.compares())
                       : methods.chooses       ? BakeBetter(request, context.folder, most)
                       : !methods.trains_sinew ? BakeSingleLevel(request, context.folder, most)
                                               : BakeSinew(request, context.folder, most, methods.compares());
    WriteFileAtomic(context.folder / kBundleFacts, JsonText(facts, 1) + "\n");
  };
  return stage;
}

}  // namespace

multires::TrainOptions TrainingOptions(const Request& request, bool single_level) {
  const Config& config = request.config;
  multires::TrainOptions options;
  options.epsilon = config.Double(single_level ? "single_level" : "training", "epsilon");
  options.features = tables::PoseFeaturesNamed(config.String("training", "features"));
  options.precision = tables::PrecisionNamed(config.String("training", "precision"));
  options.max_modes = config.Whole("training", "modes");
  options.max_width = config.Whole("training", "width");
  options.fit.steps = config.Whole("training", "steps");
  options.fit.rate = config.Double("training", "rate");
  options.validation = config.Double("training", "validation");
  options.outliers = config.Double("training", "outliers");
  options.mirror = config.Flag("training", "mirror");
  options.seed = request.seed;
  options.single_level = single_level;
  return options;
}

void AddLearningStages(const Request& request, const Subject& subject, std::vector<Stage>& stages) {
  const MethodPlan methods = PlanMethods(request.config);
  if (methods.trains_sinew) stages.push_back(TrainingStage(request, subject, methods, false));
  if (methods.trains_single) stages.push_back(TrainingStage(request, subject, methods, true));
  if (methods.blends) stages.push_back(BlendShapesStage(request, subject, methods));
  stages.push_back(BundleStage(request, subject, methods));
}

}  // namespace sinew::pipeline
