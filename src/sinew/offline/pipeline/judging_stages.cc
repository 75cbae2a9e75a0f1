// Stages of a build that measure the result: evaluation, timing, report.
#include <fmt/format.h>

#include <optional>

#include "sinew/offline/autorig/rig_picture.h"
#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/evaluate/bundle_method.h"
#include "sinew/offline/evaluate/evaluation_text.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/measure/timing_report.h"
#include "sinew/offline/pipeline/build_report.h"
#include "sinew/offline/pipeline/chain.h"
#include "sinew/offline/pipeline/cost.h"
#include "sinew/offline/pipeline/everyday.h"
#include "sinew/offline/pipeline/judged_set.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/pipeline/method_choice.h"
#include "sinew/offline/pipeline/report_opening.h"
#include "sinew/offline/pipeline/summary.h"
#include "sinew/offline/render/renderer.h"

namespace sinew::pipeline {
namespace {

namespace fs = std::filesystem;

// The method that the one that ships is compared with, and its files.
struct Rival {
  const char *name, *deformer, *bundle;
};
constexpr Rival kSingleRival = {evaluate::kSingleLevel, kSingleDeformer, kSingleBundle};
constexpr Rival kMultiRival = {evaluate::kMultiResolution, kMultiDeformer, kMultiBundle};

// Returns what a build compares with, as bundle.json has it.
Rival RivalOf(const fs::path& folder) {
  const Json facts = ParseJson(ReadTextFile(folder / kBundleFacts), kBundleFacts);
  return facts.contains(kMultiRival.name) ? kMultiRival : kSingleRival;
}

// The bundles of a build, and the hierarchy that they are measured on.
struct Judged {
  lod::Hierarchy hierarchy;
  Rival rival = kSingleRival;
  bundle::LoadedBundle bundle, rival_bundle;
};

Judged ReadJudged(const fs::path& folder, bool compare) {
  Judged judged;
  judged.hierarchy = lod::ReadHierarchy(folder / kLevels);
  judged.bundle = bundle::ReadBundle(folder / kBundle);
  if (!compare) return judged;
  judged.rival = RivalOf(folder);
  judged.rival_bundle = bundle::ReadBundle(folder / judged.rival.bundle);
  return judged;
}

// Returns the methods to evaluate; they hold references into `judged`.
std::vector<evaluate::Method> MethodsOf(const Judged& judged, bool compare) {
  std::vector<evaluate::Method> methods = {
      evaluate::SkinningMethod(judged.hierarchy, true),
      evaluate::BundleMethod(evaluate::kSinew, judged.bundle.bundle, judged.hierarchy, kBundle)};
  if (compare) {
    methods.push_back(
        evaluate::BundleMethod(judged.rival.name, judged.rival_bundle.bundle, judged.hierarchy, judged.rival.bundle));
  }
  return methods;
}

Json Judge(const Judged& judged, const std::vector<evaluate::Method>& methods, const fs::path& truths) {
  const dataset::Dataset dataset(truths);
  const JudgedSet set = JudgeSet(truths.filename().string(), dataset, judged.hierarchy, judged.bundle.bundle, methods);
  Json json = {{"dataset", set.name},
               {"frames", set.frames.count()},
               {"failed_frames", dataset.frame_count() - dataset.OkFrames().size()},
               {"trained_frames", set.trained},
               {"touching_frames", evaluate::TouchingFrames(set.evaluation)},
               {"faded_frames", evaluate::CountFaded(judged.bundle.bundle, set.frames.poses)},
               {"exact_mm", set.to_mm() * set.evaluation.exact()},
               {"roles", evaluate::RolesJson(set.evaluation.role_shares.back())},
               {"levels", evaluate::EvaluationJson(set.evaluation, set.to_mm())}};
  const Json layers = evaluate::LayerJson(set.layers, set.to_mm());
  if (!layers.is_null()) json["layers_inside"] = layers;
  return json;
}

void Evaluate(const StageContext& context, bool compare, bool biped) {
  const Judged judged = ReadJudged(context.folder, compare);
  const std::vector<evaluate::Method> methods = MethodsOf(judged, compare);
  Json evaluation = {{"test", Judge(judged, methods, context.folder / kTestTruths)},
                     {"motion", Judge(judged, methods, context.folder / kMotionTruths)}};
  const auto settings = [&](const char* truths) {
    return dataset::Dataset(context.folder / truths).manifest().settings;
  };
  if (const std::string who = WhoJudged(settings(kTrainingTruths), settings(kTestTruths)); !who.empty()) {
    evaluation["truths"] = who;
  }
  if (biped) {
    const dataset::Dataset everyday(context.folder / kEverydayTruths);
    evaluation["everyday"] =
        EverydayJson(everyday, JudgeEveryday(everyday, judged.hierarchy, judged.bundle.bundle, methods));
  }
  WriteFileAtomic(context.folder / kEvaluation, JsonText(evaluation, 1) + "\n");
}

void Time(const Request& request, const StageContext& context, bool compare) {
  const double seconds = request.config.Double("timing", "seconds");
  // The entry without times tells later stages that none were asked for.
  if (seconds == 0) return context.times.Set("measured", "frames", Json::object());
  const auto time = [&](const char* file) {
    const bundle::LoadedBundle loaded = bundle::ReadBundle(context.folder / file);
    std::vector<int> threads = {1};
    if (Pool().concurrency() > 1) threads.push_back(2);
    return measure::TimingsJson(measure::TimeBundle(loaded.bundle,
                                                    measure::PosesToTime(loaded.bundle, 16, request.seed),
                                                    {.threads = threads,
                                                     .rounds = request.config.Whole("timing", "rounds"),
                                                     .seconds = compare ? seconds / 2 : seconds}));
  };
  Json measured = {{"sinew", time(kBundle)}};
  if (compare) {
    const Rival rival = RivalOf(context.folder);
    measured[rival.name] = time(rival.bundle);
  }
  context.times.Set("measured", "frames", measured);
}

Json TrainingOf(const fs::path& deformer) {
  const fs::path file = deformer / "training.json";
  return ParseJson(ReadTextFile(file), file.string());
}

// Describes the unit by which lengths in the page are converted into millimetres.
std::string UnitOf(const Config& config, double metres) {
  const bool guessed = config.String("input", "unit") == "auto";
  return fmt::format("{:g} m{}", metres,
                     guessed ? ", told from the character's size; if that is wrong, give input.unit" : "");
}

std::string SkeletonText(RigSource source) {
  if (source == RigSource::kOwn) return "the file's";
  return source == RigSource::kFile ? "another file's" : "found by a network";
}

std::vector<std::pair<std::string, std::string>> FactsOf(const Request& request, const fs::path& folder,
                                                         RigSource source) {
  const Json input = ParseJson(ReadTextFile(folder / kInputFacts), kInputFacts);
  const auto count = [&](const char* key) { return std::to_string(input.at(key).get<int64_t>()); };
  const bool own = input.at("has_weights").get<bool>() && request.config.String("weights", "compute") != "always";
  const std::string limits = request.config.String("limits", "file");
  std::vector<std::pair<std::string, std::string>> facts = {
      {"character", input.at("name").get<std::string>()},
      {"unit", UnitOf(request.config, input.at("metres_per_unit"))},
      {"vertices", count("vertices")},
      {"triangles", count("triangles")},
      {"joints", count("joints")},
      {"skeleton", SkeletonText(source)},
      {"weights", own ? source == RigSource::kNetwork ? "the rigging network's" : "the file's"
                      : fmt::format("computed: {}", request.config.String("weights", "method"))},
      {"joint limits", limits.empty() ? "found in the character" : limits}};
  for (const Json& warning : input.value("warnings", Json::array())) facts.emplace_back("warning", warning);
  return facts;
}

// Describes how long the stages before the page took and were expected to take.
std::string TimeTaken(const std::vector<std::string>& stages, const Times& times) {
  double took = 0, expected = 0;
  for (const std::string& stage : stages) {
    const Json* entry = times.Find("stages", stage);
    if (entry == nullptr || !entry->is_object() || !entry->value("whole", false)) continue;
    took += entry->value("seconds", 0.0);
    expected += entry->value("expected_seconds", 0.0);
  }
  return fmt::format("{} for stages that were expected to take {}", DurationText(took), DurationText(expected));
}

Json AllSettings(const Config& config) {
  Json settings = Json::object();
  for (const Section& section : Sections()) settings.update(config.Section(section.name));
  // Where the file lies says nothing to a reader of the page.
  settings["input.character"] = fs::path(config.String("input", "character")).filename().string();
  return settings;
}

// Number of bodies that the page shows: those that it opens with, the finest level, and per set of frames two of them,
// each in its colours and coloured by the error.
int BodiesOnPage(const Config& config, bool biped) {
  return BodiesOfOpening(biped) + 1 + 2 * 2 * 2 * BodiesInPicture(config);
}

// Adds what rig.json has, and a picture of it if the page has pictures.
void AddGivenRig(const fs::path& folder, BuildReportInput& input) {
  input.rig = ParseJson(ReadTextFile(folder / kRigFacts), kRigFacts);
  if (!input.pictures) return;
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  if (const auto frame = input.rig.find("frame"); frame != input.rig.end()) {
    int row = 0;
    for (const char* axis : {"left", "up", "front"}) {
      for (int k = 0; k < 3; ++k) turn(row, k) = frame->at(axis).at(k);
      ++row;
    }
  }
  input.rig_picture = autorig::DrawRig(ReadCharacter(folder / kCharacter, kQuietly), turn, kCharacter);
}

// Adds what was learned of colliders.
void AddLearnedContact(const fs::path& folder, BuildReportInput& input) {
  input.contact = ParseJson(ReadTextFile(folder / kContactFacts), kContactFacts);
  for (const Json& collider : input.contact) {
    const fs::path picture = folder / kContactPictures / (collider.at("collider").get<std::string>() + ".png");
    input.contact_pictures.push_back(fs::is_regular_file(picture) ? ReadFile(picture) : Bytes());
  }
}

// Returns what commands call the folder of the build.
std::string NameOfFolder(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

void Report(const Request& request, const std::vector<std::string>& stages, const StageContext& context, bool compare,
            bool biped, RigSource source) {
  const Judged judged = ReadJudged(context.folder, compare);
  const dataset::Dataset test(context.folder / kTestTruths), motion(context.folder / kMotionTruths);
  const dataset::Dataset training(context.folder / kTrainingTruths);
  const Json* timed = context.times.Find("measured", "frames");
  const Json timings = timed == nullptr ? Json::object() : *timed;
  BuildReportInput input;
  input.facts = FactsOf(request, context.folder, source);
  input.name = input.facts[0].second;
  input.conclusion = ReadSummary(context.folder).conclusion;
  input.hierarchy = &judged.hierarchy;
  input.sinew = {&judged.bundle.bundle, judged.bundle.file.bytes().size(), TrainingOf(context.folder / kDeformer),
                 timings.value("sinew", Json::object())};
  if (compare) {
    const Rival& rival = judged.rival;
    input.compared = {&judged.rival_bundle.bundle, judged.rival_bundle.file.bytes().size(),
                      TrainingOf(context.folder / rival.deformer), timings.value(rival.name, Json::object())};
    input.compared_name = rival.name;
  }
  input.unseen = {{"unseen poses", &test}, {"an unseen motion", &motion}};
  std::optional<dataset::Dataset> everyday;
  if (biped) input.everyday = &everyday.emplace(context.folder / kEverydayTruths);
  input.training = {{"training poses", &training}};
  input.next_steps = {.folder = NameOfFolder(context.folder),
                      .training_poses = request.config.Whole("poses", "training"),
                      .biped = biped};
  input.settings = AllSettings(request.config);
  input.versions = {{"sinew", SINEW_VERSION}};
  input.seed = request.seed;
  for (const std::string& stage : stages) {
    const Json* took = context.times.Find("stages", stage);
    if (took != nullptr && took->is_object()) input.stage_seconds.emplace_back(stage, took->value("seconds", 0.0));
  }
  input.facts.emplace_back("time", TimeTaken(stages, context.times));
  input.pictures = request.config.Flag("report", "pictures");
  if (input.pictures) input.no_pictures = WhyNoPictures();
  if (!input.no_pictures.empty()) {
    input.pictures = false;
    Warn("the page has no pictures: {}; then build again with --redo report", input.no_pictures);
  }
  if (source != RigSource::kOwn) AddGivenRig(context.folder, input);
  if (!request.config.Strings("contact", "colliders").empty()) AddLearnedContact(context.folder, input);
  WriteBuildReport(input, context.folder / kReport);
}

}  // namespace

std::string WhyNoPictures() {
  try {
    const render::Renderer renderer;
    return "";
  } catch (const FailedError& error) {
    return error.what();
  }
}

int BodiesInPicture(const Config& config) { return PlanMethods(config).compares() ? 5 : 4; }

void AddJudgingStages(const Request& request, const Subject& subject, std::vector<Stage>& stages) {
  const Config& config = request.config;
  const MethodPlan methods = PlanMethods(config);
  const bool compare = methods.compares();
  std::vector<std::string> bundles = {kBundle};
  if (compare && !methods.blends) bundles.emplace_back(kSingleBundle);
  const bool biped = subject.biped;
  const int frames = JudgedFrames(config, subject);
  std::vector<std::string> truths = {kTestTruths, kMotionTruths};
  if (biped) truths.emplace_back(kEverydayTruths);
  // Which of both is compared with is only known when one was chosen.
  if (compare && methods.names_sinew()) bundles.insert(bundles.end(), {kMultiBundle, kBundleFacts});

  // Errors against the unseen ground truth.
  Stage evaluation{.name = "evaluation", .does = "compare with unseen truths", .needs = bundles, .version = 3};
  evaluation.needs.insert(evaluation.needs.end(), {kLevels, kTrainingTruths});
  evaluation.needs.insert(evaluation.needs.end(), truths.begin(), truths.end());
  evaluation.outputs = {kEvaluation};
  evaluation.cost = EvaluationCost(request.calibration, frames, subject.vertices);
  evaluation.remedy = "more poses.test may help";
  evaluation.run = [compare, biped](const StageContext& context) { Evaluate(context, compare, biped); };
  stages.push_back(std::move(evaluation));

  // Times on this machine.
  Stage timing{.name = "timing", .does = "time it on this machine", .needs = bundles};
  timing.settings = config.Section("timing");
  timing.settings["seed"] = request.seed;
  timing.outputs = {fmt::format("{}#frames", kTimes)};
  timing.measured = true;
  timing.cost = {.clock = 0.1 + config.Double("timing", "seconds")};
  timing.run = [request, compare](const StageContext& context) { Time(request, context, compare); };
  stages.push_back(std::move(timing));

  // The page; it also shows how long the stages before it took.
  Stage report{.name = "report", .does = "write the page to read", .needs = bundles, .version = 2};
  report.needs.insert(report.needs.end(),
                      {kLevels, kTrainingTruths, kInputFacts, kDeformer, kBundleFacts, kEvaluation});
  report.needs.insert(report.needs.end(), truths.begin(), truths.end());
  report.needs.push_back(fmt::format("{}#frames", kTimes));
  if (compare && !methods.blends) report.needs.emplace_back(kSingleDeformer);
  if (compare && methods.names_sinew()) report.needs.emplace_back(kMultiDeformer);
  if (subject.rig != RigSource::kOwn) report.needs.insert(report.needs.end(), {kRigFacts, kCharacter});
  if (!config.Strings("contact", "colliders").empty()) {
    report.needs.insert(report.needs.end(), {kContactFacts, kContactPictures});
  }
  // The page shows all settings, so it depends on all of them.
  report.settings = AllSettings(config);
  report.settings["seed"] = request.seed;
  report.outputs = {kReport};
  report.measured = true;
  report.cost = ReportCost(request.calibration, config.Flag("report", "pictures") ? BodiesOnPage(config, biped) : 0,
                           frames, subject.vertices);
  report.remedy = "--set report.pictures=false does without drawing";
  std::vector<std::string> names;
  names.reserve(stages.size());
  for (const Stage& stage : stages) names.push_back(stage.name);
  report.run = [request, names, compare, biped, source = subject.rig](const StageContext& context) {
    Report(request, names, context, compare, biped, source);
  };
  stages.push_back(std::move(report));
}

}  // namespace sinew::pipeline
